"""Ten tries to sign in within 15 minutes for a name and an address, counted in the database for all processes."""

from datetime import timedelta

from django.db import transaction

from apps.accounts.digests import keyed_digest
from apps.accounts.models import SignInAttempts, User
from apps.common.clock import database_now

TRIES = 10
WINDOW = timedelta(minutes=15)


def may_try_sign_in(name: str, address: str) -> bool:
    """Take one of the tries that are left; return False if there is none.

    A try is taken before the password is looked at, so a hundred tries at once get ten answers.
    """
    now = database_now()
    with transaction.atomic():
        SignInAttempts.objects.filter(last_at__lte=now - WINDOW).delete()
        attempts = _locked(_pair(name, address))
        recent = [time for time in attempts.times if time > (now - WINDOW).timestamp()]
        if len(recent) >= TRIES:
            return False
        attempts.times = [*recent, now.timestamp()]
        attempts.save(update_fields=["times"])
    return True


def clear(name: str, address: str) -> None:
    """Give back all tries, after a sign-in that succeeded."""
    SignInAttempts.objects.filter(digest=_pair(name, address)).delete()


def _locked(digest: str) -> SignInAttempts:
    """Return the row of the pair, made if need be; the upsert locks it to the end of the transaction."""
    SignInAttempts.objects.bulk_create(
        [SignInAttempts(digest=digest, last_at=database_now())],
        update_conflicts=True,
        unique_fields=["digest"],
        update_fields=["last_at"],
    )
    return SignInAttempts.objects.get(digest=digest)


def _pair(name: str, address: str) -> str:
    name = User.normalize_username(name)
    return keyed_digest("sign-in", f"{address} {name}".encode(errors="surrogatepass"))
