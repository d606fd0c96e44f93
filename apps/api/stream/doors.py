"""Who wants the stream, and may they: the same look at a request when it comes and with every heartbeat."""

from dataclasses import dataclass, field
from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest

from apps.common.text import is_storable


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a request brings to show who sends it; never shown in a log."""

    bearer: str | None = field(repr=False)
    session_key: str | None = field(repr=False)

    @classmethod
    def of(cls, request: HttpRequest) -> "Credentials":
        """Read them from header and cookie. A request with a bearer token is that token's, whatever its cookie."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return cls(token.strip(), None)
        return cls(None, request.COOKIES.get(settings.SESSION_COOKIE_NAME))


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request: the key and language of the user, and the token's scopes (None: signed in with a cookie)."""

    user_id: int
    language: str
    scopes: frozenset[str] | None

    def may(self, scope: str) -> bool:
        """Say whether the request may do what needs this scope; the empty one is everybody's."""
        return not scope or self.scopes is None or scope in self.scopes


def caller_of(credentials: Credentials) -> Caller | None:
    """Return who shows these credentials now; None if they are nobody's (any more). Uses the database."""
    if credentials.bearer is not None:
        return _caller_with_token(credentials.bearer)
    if credentials.session_key is not None:
        return _caller_with_cookie(credentials.session_key)
    return None


def _caller_with_token(plain: str) -> Caller | None:
    from apps.accounts.tokens import user_of_token

    found = user_of_token(plain)
    if found is None:
        return None
    user, token = found
    return Caller(user.pk, user.language, frozenset(token.scopes))


def _caller_with_cookie(session_key: str) -> Caller | None:
    request = HttpRequest()
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    # Checks the session's hash of the password too: a changed password ends other devices' streams.
    user = get_user(request)
    return Caller(user.pk, user.language, None) if user.is_authenticated else None


def session_of(user_id: int, public_id: str) -> int | None:
    """Return the key of the user's own session; None for an unknown id as for a stranger's. Uses the database."""
    from apps.chat.models import ChatSession

    if not is_storable(public_id):
        return None
    key = ChatSession.objects.filter(public_id=public_id, user=user_id).values_list("pk", flat=True).first()
    if key is None:
        _record_trespass(user_id, public_id)
    return key


def _record_trespass(user_id: int, public_id: str) -> None:
    """Put it into the owner's trail; what the stream's request came with is not known here, only whose it was."""
    from apps.accounts.actors import actor_of
    from apps.accounts.models import User
    from apps.audit.context import acting
    from apps.runs.trespass import record_trespass

    with acting(lambda: actor_of(User.objects.get(pk=user_id)), "api"):
        record_trespass(user_id, public_id)
