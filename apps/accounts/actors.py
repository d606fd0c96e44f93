"""Name the person behind a request as an audit actor."""

from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser

from apps.audit.context import ANONYMOUS, Actor

if TYPE_CHECKING:
    from apps.accounts.models import ApiToken, User


def actor_of(person: "User | AnonymousUser | ApiToken") -> Actor:
    """Return the actor for a user, for somebody not signed in, or for a token."""
    if isinstance(person, AnonymousUser):
        return ANONYMOUS
    return Actor("user" if hasattr(person, "username") else "token", person.public_id)
