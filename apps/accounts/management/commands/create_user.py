"""Make a user: ``create_user NAME [--email E] [--staff] [--superuser]``, the password on standard input."""

import sys
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import IntegrityError

from apps.accounts.models import User
from apps.common.setup import check_database, check_migrated


class Command(BaseCommand):
    """Prints nothing if it succeeds; otherwise one line on standard error, and exits with 1."""

    help = "Make a user. The password is the first line of standard input."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name and the options."""
        parser.add_argument("name")
        parser.add_argument("--email", default="")
        parser.add_argument("--staff", action="store_true", help="may use the administration")
        parser.add_argument("--superuser", action="store_true", help="may do everything there")

    def handle(self, *args: Any, name: str, email: str, staff: bool, superuser: bool, **options: Any) -> None:
        """Check everything, then make the user."""
        check_database()
        check_migrated()
        user = User(username=User.normalize_username(name), email=email, is_staff=staff or superuser, is_superuser=superuser)
        password = sys.stdin.readline().rstrip("\r\n")
        try:
            validate_password(password, user)
            user.set_password(password)
            user.full_clean()
            user.save(force_insert=True)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except IntegrityError:
            # Another process made the same name after full_clean looked.
            raise CommandError(f"There is a user named {name} already.") from None
