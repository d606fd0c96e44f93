"""People and tokens for tests."""

from factory.declarations import Sequence
from factory.django import DjangoModelFactory, Password

from apps.accounts.models import User
from apps.accounts.tokens import DEFAULT_SCOPES, make_token

PASSWORD = "a long enough password"


class UserFactory(DjangoModelFactory[User]):
    """An ordinary, active user whose password is PASSWORD."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = Sequence(lambda number: f"user{number}")
    password = Password(PASSWORD)


def token_text(user: User, *scopes: str) -> str:
    """Return the text of a fresh token with these scopes (none given: all but admin)."""
    return make_token(user, "test", scopes or DEFAULT_SCOPES)[1]
