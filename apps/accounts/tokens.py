"""API tokens: made once, looked up by digest, revoked."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from django.db import transaction
from django.db.models import CharField
from django.utils.translation import gettext as _

from apps.accounts.digests import new_secret, plain_digest
from apps.accounts.models import ApiToken, Scope, User
from apps.audit.write import Entry, record
from apps.common.clock import DatabaseClock, database_now
from apps.common.errors import HandraiseError
from apps.common.prepared import Prepared, bound

TOKEN_PREFIX = "hr"
DEFAULT_SCOPES = (Scope.READ, Scope.ANSWER, Scope.RUN)
_SHOWN_CHARACTERS = 9
# Writing at every request would cost a disk sync each; an hour is near enough to find tokens nobody uses.
_USE_IS_NOTED_EVERY = timedelta(hours=1)


class InvalidToken(HandraiseError):
    """A token cannot be made as asked."""

    code = "invalid_token"


def make_token(user: User, name: str, scopes: Iterable[str] = DEFAULT_SCOPES, days: int | None = None) -> tuple[ApiToken, str]:
    """Make a token valid for `days` (None: for ever); return its row and its text, which is kept nowhere.

    Raises InvalidToken for an unknown scope, none at all, `admin` for a user who is not staff, or days below 1.
    """
    asked = set(scopes)
    wanted = [scope.value for scope in Scope if scope in asked]
    if not asked or len(wanted) != len(asked):
        raise InvalidToken(_("The scopes of a token are: %(scopes)s.") % {"scopes": ", ".join(Scope)})
    if Scope.ADMIN in wanted and not user.is_staff:
        raise InvalidToken(_("Only staff can have a token with the scope admin."))
    if days is not None and not 1 <= days <= 36500:
        raise InvalidToken(_("A token is valid for 1 to 36500 days."))
    plain, now = new_secret(TOKEN_PREFIX), database_now()
    token = ApiToken(
        user=user,
        name=name,
        digest=plain_digest(plain),
        prefix=plain[:_SHOWN_CHARACTERS],
        scopes=wanted,
        created_at=now,
        expires_at=None if days is None else now + timedelta(days=days),
    )
    with transaction.atomic():
        token.save(force_insert=True)
        summary = {"token": token.public_id, "scopes": wanted, "seconds": 86400 * (days or 0), "subject": user.public_id}
        record([Entry("token_made", summary=summary)])
    return token, plain


_LIVE = Prepared(
    lambda: ApiToken.objects.select_related("user").filter(
        digest=bound("digest", CharField()), revoked_at__isnull=True, user__is_active=True
    )
)


def user_of_token(plain: str) -> tuple[User, ApiToken] | None:
    """Return the user and the token that a text stands for; None if unknown, revoked, expired or its user inactive."""
    token: ApiToken | None = _LIVE.first(digest=plain_digest(plain))
    if token is None or (token.expires_at is not None and token.expires_at <= database_now()):
        return None
    _note_use(token)
    return token.user, token


def revoke_token(token: ApiToken) -> bool:
    """Make the token useless from now on; return False if it was already."""
    with transaction.atomic():
        revoked = ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=DatabaseClock())
        if revoked:
            record([Entry("token_revoked", summary={"token": token.public_id, "subject": token.user.public_id})])
    return bool(revoked)


def _note_use(token: ApiToken) -> None:
    """Write when the token was last used. This process's clock will do: nothing is decided by it."""
    now = datetime.now(UTC)
    if token.last_used_at is None or token.last_used_at <= now - _USE_IS_NOTED_EVERY:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
