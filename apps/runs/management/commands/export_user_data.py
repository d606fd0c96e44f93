"""Write all that is stored about a user into a ZIP file: ``export_user_data USER [--output FILE]``."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.audit.context import SYSTEM, acting
from apps.common.setup import check_database, check_migrated
from apps.runs.management.users import user_named
from apps.runs.privacy import export_user_data


class Command(BaseCommand):
    """Exits with 1 if there is no such user, or the file is there already."""

    help = "Write all that is stored about a user into a ZIP file."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare user and file."""
        parser.add_argument("user", metavar="USER", help="the user's name")
        parser.add_argument("--output", metavar="FILE", help="without it a file in this folder, named by the id of the user")

    def handle(self, *args: Any, user: str, output: str | None, **options: Any) -> None:
        """Export, and say where to."""
        check_database()
        check_migrated()
        found = user_named(user)
        path = Path(output or f"{found.public_id}.zip")
        try:
            with path.open("xb") as file, acting(SYSTEM, "cli"):
                path.chmod(0o600)
                count = export_user_data(found, file)
        except FileExistsError:
            raise CommandError("The file is there already.") from None
        self.stdout.write(f"{count} sessions written to {path}")
