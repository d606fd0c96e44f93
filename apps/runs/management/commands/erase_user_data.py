"""Erase everything that a user wrote, was asked and answered: ``erase_user_data USER [--yes]``. The account stays."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.audit.context import SYSTEM, acting
from apps.common.setup import check_database, check_migrated
from apps.runs.management.users import user_named
from apps.runs.privacy import erase_user_data


class Command(BaseCommand):
    """Exits with 1 if there is no such user, or it was not confirmed."""

    help = "Erase everything that a user wrote, was asked and answered; the audit stays, without a word of it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the user, and the confirmation."""
        parser.add_argument("user", metavar="USER", help="the user's name")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, user: str, yes: bool, **options: Any) -> None:
        """Ask, erase, and say what was done."""
        check_database()
        check_migrated()
        found = user_named(user)
        if not yes and input(f"Erase the data of {found.username}? This cannot be undone. Type the name: ") != found.username:
            raise CommandError("Nothing was erased.")
        with acting(SYSTEM, "cli"):
            erased = erase_user_data(found)
        self.stdout.write(f"{erased.sessions} sessions, {erased.rows} rows erased.")
        if not erased.forgotten:
            self.stderr.write("Old pages still lie in the database's log: run this again while nobody reads.")
