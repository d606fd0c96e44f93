"""API tokens: kept as hashes, looked up in one query, dead when they should be."""

import logging
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import ApiToken, User
from apps.accounts.tokens import InvalidToken, make_token, revoke_token, user_of_token
from apps.audit.models import AuditRecord
from apps.common.clock import database_now
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return UserFactory.create()


def test_the_text_of_a_token_leads_to_its_user(user: User) -> None:
    token, plain = make_token(user, "laptop", ["read"])
    assert plain.startswith("hr_")
    assert user_of_token(plain) == (user, token)


def test_h90_only_a_hash_and_the_first_characters_are_stored(user: User) -> None:
    plain = make_token(user, "laptop", ["read"])[1]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM accounts_apitoken")
        row = repr(cursor.fetchone())
    assert plain not in row
    assert plain[:9] in row


def test_h90_no_log_line_holds_a_token(user: User, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    plain = make_token(user, "laptop", ["read"])[1]
    user_of_token(plain)
    assert plain not in caplog.text


@pytest.mark.parametrize("plain", ["", "hr_unknown", "x" * 10_000, "\ud800", "令牌"])
def test_a_text_that_is_no_token_leads_nowhere(plain: str) -> None:
    assert user_of_token(plain) is None


def test_a_revoked_token_is_dead_at_once(user: User) -> None:
    token, plain = make_token(user, "laptop", ["read"])
    assert revoke_token(token)
    assert user_of_token(plain) is None
    assert not revoke_token(token)


def test_an_expired_token_is_dead(user: User) -> None:
    token, plain = make_token(user, "laptop", ["read"], days=1)
    assert user_of_token(plain) is not None
    ApiToken.objects.filter(pk=token.pk).update(expires_at=database_now() - timedelta(milliseconds=1))
    assert user_of_token(plain) is None


def test_a_token_of_an_inactive_user_is_dead(user: User) -> None:
    plain = make_token(user, "laptop", ["read"])[1]
    User.objects.update(is_active=False)
    assert user_of_token(plain) is None


def test_a_look_up_is_one_query_once_its_use_is_noted(user: User) -> None:
    plain = make_token(user, "laptop", ["read"])[1]
    user_of_token(plain)
    with CaptureQueriesContext(connection) as queries:
        user_of_token(plain)
    assert len(queries) == 1


def test_last_use_is_written_at_most_once_an_hour(user: User) -> None:
    token, plain = make_token(user, "laptop", ["read"])
    for ago, is_noted in ((timedelta(minutes=59), False), (timedelta(minutes=61), True)):
        noted = database_now() - ago
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=noted)
        user_of_token(plain)
        token.refresh_from_db()
        assert (token.last_used_at != noted) is is_noted


@pytest.mark.parametrize("scopes", [[], ["write"], ["read", "everything"]])
def test_unknown_scopes_and_none_at_all_are_refused(user: User, scopes: list[str]) -> None:
    with pytest.raises(InvalidToken):
        make_token(user, "laptop", scopes)
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("days", [0, -1, 10**9])
def test_a_validity_that_cannot_be_is_refused(user: User, days: int) -> None:
    with pytest.raises(InvalidToken):
        make_token(user, "laptop", ["read"], days)


def test_the_scope_admin_is_for_staff_and_ends_with_being_staff(user: User) -> None:
    with pytest.raises(InvalidToken):
        make_token(user, "laptop", ["admin"])
    user.is_staff = True
    token = make_token(user, "laptop", ["admin", "read"])[0]
    assert token.allows("admin")
    user.is_staff = False
    assert not token.allows("admin")
    assert token.allows("read")
    assert not token.allows("run")


def test_making_and_revoking_are_in_the_audit(user: User) -> None:
    token = make_token(user, "a private name", ["run", "read"])[0]
    revoke_token(token)
    made, revoked = AuditRecord.objects.order_by("number")
    assert (made.kind, made.summary["scopes"], made.summary["token"]) == ("token_made", ["read", "run"], token.public_id)
    assert (revoked.kind, revoked.summary["subject"]) == ("token_revoked", user.public_id)
    assert "private" not in repr(made.summary)
