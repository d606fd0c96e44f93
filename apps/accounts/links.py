"""Sign-in links: valid 15 minutes, once."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet

from apps.accounts.digests import new_secret, plain_digest
from apps.accounts.models import SignInLink, User
from apps.common.clock import DatabaseClock, database_now

LINK_LIFETIME = timedelta(minutes=15)


def make_sign_in_link_token(user: User) -> str:
    """Make a link for the user and return the secret to put into its address; links that are over are removed."""
    token, now = new_secret("link"), database_now()
    with transaction.atomic():
        SignInLink.objects.filter(expires_at__lte=now).delete()
        SignInLink.objects.create(user=user, digest=plain_digest(token), expires_at=now + LINK_LIFETIME)
    return token


def is_sign_in_link_live(token: str) -> bool:
    """Say whether the link would sign its user in now; looking spends nothing."""
    return _live(token).exists()


def spend_sign_in_link(token: str) -> User | None:
    """Spend the link and return its user; None if unknown, used, expired or its user inactive.

    Called by a POST only: mail and chat programs open addresses to preview them. Of two calls one gets the user.
    """
    if not _live(token).update(used_at=DatabaseClock()):
        return None
    return SignInLink.objects.filter(digest=plain_digest(token)).select_related("user").get().user


def _live(token: str) -> QuerySet[SignInLink]:
    # Not user__is_active: a join turns the UPDATE into one over a subquery of ids, whose conditions PostgreSQL
    # does not look at again after it has waited for the other caller; both would win.
    active = User.objects.filter(is_active=True)
    return SignInLink.objects.filter(digest=plain_digest(token), used_at=None, expires_at__gt=DatabaseClock(), user__in=active)
