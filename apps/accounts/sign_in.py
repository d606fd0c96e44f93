"""Sign in and out: with a password or a link, throttled, recorded in the audit."""

from django.conf import settings
from django.contrib import auth
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.accounts.actors import actor_of
from apps.accounts.links import spend_sign_in_link
from apps.accounts.models import User
from apps.accounts.throttle import clear, may_try_sign_in
from apps.audit.context import ANONYMOUS
from apps.audit.write import Entry, record
from apps.common.errors import HandraiseError
from apps.common.text import clean_stored, is_storable

_BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignInRefused(HandraiseError):
    """Name and password do not fit, or the account is not active: nobody is told which."""

    code = "sign_in_refused"


class SignInThrottled(HandraiseError):
    """Too many tries with this name from this address."""

    code = "sign_in_throttled"


def sign_in_with_password(request: HttpRequest, name: str, password: str) -> User:
    """Sign the person in on this request's session.

    Raises SignInThrottled, whatever the password, and SignInRefused. A name that nobody has takes as long as any
    other: Django hashes the password all the same, outside of any transaction.
    """
    address = address_of(request)
    if not may_try_sign_in(name, address):
        raise SignInThrottled(_("Too many tries. Wait 15 minutes."))
    user = auth.authenticate(request, username=name, password=password) if is_storable(name + password) else None
    if not isinstance(user, User):
        record_failure(clean_stored(name))
        raise SignInRefused(_("The name or the password is wrong."))
    clear(name, address)
    _sign_in(request, user, "password")
    return user


def sign_in_with_link(request: HttpRequest, token: str) -> User:
    """Spend a sign-in link and sign its user in; raises SignInRefused if it is used, expired or unknown."""
    with transaction.atomic():
        user = spend_sign_in_link(token)
        if user is not None:
            _sign_in(request, user, "link")
    if user is None:
        raise SignInRefused(_("This link has been used or has expired."))
    return user


def confirm_password(request: HttpRequest, user: User, password: str) -> None:
    """Let somebody who is signed in show once more who they are, before an act that cannot be undone.

    Tries are counted as those of a sign-in. Raises SignInThrottled and SignInRefused.
    """
    address = address_of(request)
    if not may_try_sign_in(user.username, address):
        raise SignInThrottled(_("Too many tries. Wait 15 minutes."))
    if not is_storable(password) or not user.check_password(password):
        record_failure(user.username)
        raise SignInRefused(_("The password is wrong."))
    clear(user.username, address)


def sign_out_others(request: HttpRequest, user: User, password: str) -> None:
    """End all other sessions of the user, and their streams with the next heartbeat; tokens stay.

    Raises as `confirm_password`; who has no password is not asked for one.
    """
    # Every session holds a hash of the password's digest: the same password under another salt ends all of them.
    if user.has_usable_password():
        confirm_password(request, user, password)
        user.set_password(password)
    else:
        user.set_unusable_password()
    with transaction.atomic():
        user.save(update_fields=["password"])
        summary = {"names": ["other_sessions"], "subject": user.public_id}
        record([Entry("settings_changed", actor=actor_of(user), summary=summary)])
    auth.update_session_auth_hash(request, user)


def sign_out(request: HttpRequest) -> None:
    """End the session."""
    with transaction.atomic():
        if isinstance(request.user, User):
            record([Entry("signed_out", actor=actor_of(request.user))])
        auth.logout(request)


def record_failure(name: str) -> None:
    """Record a failed sign-in; the record names a user only if there is one of that name."""
    user = User.objects.filter(username=User.normalize_username(name)).first()
    with transaction.atomic():
        actor = ANONYMOUS if user is None else actor_of(user)
        record([Entry("sign_in_failed", actor=actor, summary={"method": "password"})])


def address_of(request: HttpRequest) -> str:
    """Return the address of the client; a proxy's word is believed only if HANDRAISE_TRUST_PROXY is on."""
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.TRUST_PROXY else ""
    # The last entry was written by our own proxy; those before it may be the client's invention.
    return forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", "")


def _sign_in(request: HttpRequest, user: User, method: str) -> None:
    with transaction.atomic():
        auth.login(request, user, backend=_BACKEND)
        record([Entry("sign_in", actor=actor_of(user), summary={"method": method})])
