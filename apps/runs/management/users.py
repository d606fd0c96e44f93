"""Find the user that a command names."""

from django.core.management.base import CommandError

from apps.accounts.models import User


def user_named(name: str) -> User:
    """Return the user of this name, active or not. Raises CommandError."""
    user = User.objects.filter(username=name).first()
    if user is None:
        raise CommandError("There is no such user.")
    return user
