"""Check the audit chains and anchors; exit with 1 and name the first bad record of each chain that is not sound."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.audit.keys import INSTALLATION
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
        faults = audit_faults("" if session == INSTALLATION else session)
        if faults:
            raise CommandError("\n".join(map(str, faults)))
        self.stdout.write("The audit chains are sound.")
