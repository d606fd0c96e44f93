"""A key lets a POST have its effect once; refusals and crashes leave no key behind."""

from datetime import timedelta

import pytest
from django.db import transaction

from apps.accounts.idempotency import (
    IdempotencyMismatch,
    InvalidIdempotencyKey,
    Stored,
    idempotent,
    purge_idempotency_keys,
)
from apps.accounts.models import IdempotencyKey, User
from apps.common.clock import database_now
from apps.common.errors import HandraiseError
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db
PATH, BODY, IDS = "/api/chat", b'{"message": "hello"}', {"runId": "run_1"}


@pytest.fixture
def user() -> User:
    return UserFactory.create()


def post(user: User, key: str | None = "k", body: bytes = BODY, path: str = PATH, method: str = "POST") -> Stored | None:
    """Do what a view does; return what was stored by an earlier call."""
    with idempotent(user, method, path, key, body) as slot:
        if slot.stored is None:
            slot.remember(202, IDS)
        return slot.stored


def test_the_second_call_gets_what_the_first_one_did(user: User) -> None:
    assert post(user) is None
    assert post(user) == Stored(202, IDS)


def test_another_body_is_a_mismatch(user: User) -> None:
    post(user)
    with pytest.raises(IdempotencyMismatch):
        post(user, body=b"{}")


def test_user_method_and_path_each_have_their_own_keys(user: User) -> None:
    post(user)
    assert post(UserFactory.create()) is None
    assert post(user, method="PUT") is None
    assert post(user, path="/api/chat/abort") is None


def test_without_a_key_nothing_is_kept(user: User) -> None:
    assert post(user, key=None) is post(user, key=None) is None
    assert not IdempotencyKey.objects.exists()


@pytest.mark.parametrize("key", ["", "two words", "é", "x" * 256, "line\n", "\x00"])
def test_a_key_that_is_not_visible_ascii_is_refused(user: User, key: str) -> None:
    with pytest.raises(InvalidIdempotencyKey):
        post(user, key=key)


@pytest.mark.parametrize("key", ["!", "~" * 255])
def test_any_visible_ascii_up_to_255_characters_is_a_key(user: User, key: str) -> None:
    assert post(user, key=key) is None
    assert post(user, key=key) is not None


def test_h90_the_body_is_kept_as_a_keyed_digest_only(user: User) -> None:
    post(user, body=b"MY-SECRET-42")
    assert "MY-SECRET-42" not in repr(IdempotencyKey.objects.values().get())


def test_a_refusal_is_not_kept_but_what_the_service_committed_is(user: User) -> None:
    with pytest.raises(HandraiseError), idempotent(user, "POST", PATH, "k", BODY):
        expire_and_refuse(user)
    user.refresh_from_db()
    assert user.first_name == "expired"
    assert post(user) is None


def expire_and_refuse(user: User) -> None:
    """Do as a late answer does: commit the expiry, then refuse."""
    with transaction.atomic():
        User.objects.filter(pk=user.pk).update(first_name="expired")
    raise HandraiseError("too late")


def test_a_crash_undoes_the_effect_and_the_key(user: User) -> None:
    with pytest.raises(ZeroDivisionError), idempotent(user, "POST", PATH, "k", BODY) as slot:
        slot.remember(202, {"rest": User.objects.update(first_name="done") // 0})
    user.refresh_from_db()
    assert user.first_name == ""
    assert post(user) is None


def test_a_key_is_forgotten_after_24_hours(user: User) -> None:
    post(user)
    IdempotencyKey.objects.update(created_at=database_now() - timedelta(hours=24))
    assert post(user, body=b"{}") is None
    assert IdempotencyKey.objects.count() == 1


def test_purging_removes_old_keys_only(user: User) -> None:
    post(user, "old")
    IdempotencyKey.objects.update(created_at=database_now() - timedelta(hours=25))
    post(user, "new")
    assert purge_idempotency_keys() == 1
    assert IdempotencyKey.objects.get().key == "new"
