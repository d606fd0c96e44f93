"""Check the audit chains and anchors; exit with 1 and name the first bad record of each chain that is not sound."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.audit.keys import INSTALLATION
from apps.audit.models import AuditChain
from apps.audit.verdict import audit_faults


class Command(BaseCommand):
    """``audit_verify [--session ID]``."""

    help = "Check the tamper-evident audit chains."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the one option."""
        parser.add_argument(
            "--session", metavar="ID", help="check one chain; 'installation' is that of records without a session"
        )

    def handle(self, *args: Any, session: str | None = None, **options: Any) -> None:
        """Check, and say what was found."""
        chain = "" if session == INSTALLATION else session
        faults = audit_faults(chain)
        if faults:
            raise CommandError("\n".join(map(str, faults)))
        # A mistyped id must not read as a verdict. A chain of which anything was left has a fault by now.
        if chain and not AuditChain.objects.filter(session=chain).exists():
            raise CommandError(f"There is no chain of this name: {chain}")
        self.stdout.write("The audit chains are sound.")
