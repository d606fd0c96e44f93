"""Bring the database up to date, and see to it that somebody can sign in."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from django.conf import settings
from django.core.management import call_command
from django.db.models import QuerySet

from apps.accounts.links import make_sign_in_link_token
from apps.accounts.models import User


def prepare() -> None:
    """Migrate and make the first administrator; of several processes that start at once one after the other."""
    with _one_at_a_time():
        call_command("migrate", interactive=False, verbosity=0)
        if not _administrators().exists():
            _make_administrator()


def link_token_for_administrator() -> str | None:
    """Return the token of a new sign-in link; None once an administrator has a password."""
    administrators = list(_administrators().order_by("pk"))
    if not administrators or any(user.has_usable_password() for user in administrators):
        return None
    return make_sign_in_link_token(administrators[0])


def _administrators() -> QuerySet[User]:
    return User.objects.filter(is_superuser=True, is_active=True)


def _make_administrator() -> None:
    names = ("admin" if number == 1 else f"admin{number}" for number in count(1))
    free = next(name for name in names if not User.objects.filter(username=name).exists())
    user = User(username=free, is_staff=True, is_superuser=True)
    user.set_unusable_password()
    user.save(force_insert=True)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    with (settings.DATA_DIR / "start.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
