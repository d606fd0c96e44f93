"""Let go of what is over its time: ``purge [--dry-run]``. The worker does it once a day by itself."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.audit.context import SYSTEM, acting
from apps.audit.retention import retention_days
from apps.common.setup import check_database, check_migrated
from apps.runs.purging import purge


class Command(BaseCommand):
    """Prints a line for each category of data."""

    help = "Let go of drafts, answers, events and uploads that are older than the installation keeps them."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the one option."""
        parser.add_argument("--dry-run", action="store_true", help="only count, change nothing")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        """Purge, and say what went."""
        check_database()
        check_migrated()
        with acting(SYSTEM, "cli"):
            gone = purge(dry_run)
        verb = "would go" if dry_run else "gone"
        for category, days in retention_days().items():
            said = f"{gone[category]} {verb}, older than {days} days" if days else "kept for ever"
            self.stdout.write(f"{category}: {said}")
