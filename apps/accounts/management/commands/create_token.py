"""Make an API token: ``create_token NAME [--scope S]... [--days N]`` prints the token alone, once."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.models import Scope, User
from apps.accounts.tokens import DEFAULT_SCOPES, InvalidToken, make_token
from apps.audit.context import SYSTEM, acting
from apps.common.setup import check_database, check_migrated


class Command(BaseCommand):
    """Prints the token; only its hash is stored."""

    help = "Make an API token for a user and print it."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name and the options."""
        parser.add_argument("name")
        parser.add_argument(
            "--scope", action="append", choices=list(Scope), metavar="S", help="repeat it for several; without it all but admin"
        )
        parser.add_argument("--days", type=int, metavar="N", help="valid for N days; without it for ever")

    def handle(self, *args: Any, name: str, scope: list[str] | None, days: int | None, **options: Any) -> None:
        """Find the user, make the token, print it."""
        check_database()
        check_migrated()
        user = User.objects.filter(username=name, is_active=True).first()
        if user is None:
            raise CommandError(f"There is no active user named {name}.")
        try:
            with acting(SYSTEM, "cli"):
                plain = make_token(user, "", scope or DEFAULT_SCOPES, days)[1]
        except InvalidToken as error:
            raise CommandError(error.message) from None
        self.stdout.write(plain)
