"""Print the evidence of a session as one JSON document: ``evidence SESSION``. That it was handed out is recorded."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.audit.context import SYSTEM, acting
from apps.chat.models import ChatSession
from apps.runs.management.setup import check_database, check_migrated
from apps.runs.records import export_evidence


class Command(BaseCommand):
    """Exits with 1 if there is no such session."""

    help = "Print the evidence of a session as one JSON document."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the session."""
        parser.add_argument("session", metavar="SESSION", help="such as sess_5f0c...")

    def handle(self, *args: Any, session: str, **options: Any) -> None:
        """Find the session, whoever it belongs to, and print."""
        check_database()
        check_migrated()
        found = ChatSession.objects.select_related("user").filter(public_id=session).first()
        if found is None:
            raise CommandError("There is no such session.")
        with acting(SYSTEM, "cli"):
            evidence = export_evidence(found.user, session)
        self.stdout.write(json.dumps(evidence, ensure_ascii=False, indent=2))
