"""Name the person or token behind a request as an audit actor."""

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser

from apps.accounts.models import ApiToken, User
from apps.audit.context import ANONYMOUS, Actor


def actor_of(person: AbstractBaseUser | AnonymousUser | ApiToken) -> Actor:
    """Return the actor for a user or a token; somebody not signed in is a user without an id."""
    if isinstance(person, ApiToken):
        return Actor("token", person.public_id)
    return Actor("user", person.public_id) if isinstance(person, User) else ANONYMOUS
