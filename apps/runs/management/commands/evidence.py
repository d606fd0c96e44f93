"""Print the evidence of a session as one JSON document: ``evidence SESSION [--chain-key]``. Handing it out is recorded."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import User
from apps.audit.context import SYSTEM, acting
from apps.chat.models import ChatSession
from apps.common.setup import check_database, check_migrated
from apps.runs.errors import Altered, NotFound
from apps.runs.records import export_chain_keys, export_evidence


class Command(BaseCommand):
    """Exits with 1 if there is no such session, or if it cannot be read any more."""

    help = "Print the evidence of a session as one JSON document."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the session."""
        parser.add_argument("session", metavar="SESSION", help="such as sess_5f0c...")
        parser.add_argument(
            "--chain-key",
            action="store_true",
            help="print the key that checks this session's audit chain instead; whoever holds it could forge that chain",
        )

    def handle(self, *args: Any, session: str, chain_key: bool, **options: Any) -> None:
        """Find the session, whoever it belongs to, and print."""
        check_database()
        check_migrated()
        with acting(SYSTEM, "cli"):
            document = _asked_for(session, chain_key)
        self.stdout.write(json.dumps(document, ensure_ascii=False, indent=2))


def _asked_for(session: str, chain_key: bool) -> dict[str, Any]:
    """Return the keys of a chain, or the evidence; a deleted session has its chain still."""
    try:
        return export_chain_keys(session) if chain_key else export_evidence(_owner_of(session), session)
    except (NotFound, Altered) as error:
        raise CommandError(error.message) from None


def _owner_of(session: str) -> User:
    found = ChatSession.objects.select_related("user").filter(public_id=session).first()
    if found is None:
        raise CommandError("There is no such session.")
    return found.user
