"""Signing in: throttled, recorded, and the same for names that nobody has."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest
from django.test import RequestFactory

from apps.accounts.links import make_sign_in_link_token
from apps.accounts.models import SignInAttempts, User
from apps.accounts.sign_in import (
    SignInRefused,
    SignInThrottled,
    address_of,
    sign_in_with_link,
    sign_in_with_password,
    sign_out,
)
from apps.accounts.throttle import TRIES, may_try_sign_in
from apps.audit.models import AuditRecord
from apps.common.clock import database_now
from tests.factories.accounts import PASSWORD, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def user() -> User:
    return UserFactory.create(username="ada")


def request_from(address: str = "192.0.2.1", **headers: str) -> HttpRequest:
    request = RequestFactory().post("/sign-in/", REMOTE_ADDR=address, headers=headers)
    request.user, request.session = AnonymousUser(), SessionStore()
    return request


def fail(times: int, name: str = "ada", address: str = "192.0.2.1") -> None:
    for _ in range(times):
        with pytest.raises(SignInRefused):
            sign_in_with_password(request_from(address), name, "wrong")


def records(kind: str) -> list[AuditRecord]:
    return list(AuditRecord.objects.filter(kind=kind).order_by("number"))


def test_name_and_password_sign_in(user: User) -> None:
    request = request_from()
    assert sign_in_with_password(request, "ada", PASSWORD) == request.user == user
    (row,) = records("sign_in")
    assert (row.actor_kind, row.actor_id, row.summary) == ("user", user.public_id, {"method": "password"})


def test_a_link_signs_in_once(user: User) -> None:
    token, request = make_sign_in_link_token(user), request_from()
    assert sign_in_with_link(request, token) == request.user == user
    with pytest.raises(SignInRefused):
        sign_in_with_link(request_from(), token)
    assert [row.summary for row in records("sign_in")] == [{"method": "link"}]


def test_signing_out_is_recorded_for_the_one_who_was_in(user: User) -> None:
    request = request_from()
    sign_in_with_password(request, "ada", PASSWORD)
    sign_out(request)
    assert request.user.is_anonymous
    assert [row.actor_id for row in records("signed_out")] == [user.public_id]


def test_unknown_name_wrong_password_and_inactive_user_get_the_same_answer(user: User) -> None:
    UserFactory.create(username="old", is_active=False)
    refusals = set()
    for name, password in (("nobody", PASSWORD), ("ada", "wrong"), ("old", PASSWORD)):
        with pytest.raises(SignInRefused) as refusal:
            sign_in_with_password(request_from(), name, password)
        refusals.add((refusal.value.code, refusal.value.message))
    assert len(refusals) == 1


def test_an_unknown_name_costs_a_password_hash_as_well(user: User, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Any] = []
    monkeypatch.setattr(User, "set_password", lambda self, password: hashed.append(password))
    fail(1, name="nobody")
    assert hashed == ["wrong"]


def test_a_failed_sign_in_names_a_user_only_if_there_is_one(user: User) -> None:
    fail(1)
    fail(1, name="hunter2-typed-into-the-wrong-field")
    assert [row.actor_id for row in records("sign_in_failed")] == [user.public_id, ""]


@pytest.mark.parametrize(("name", "password"), [("a\x00da", PASSWORD), ("\ud800", PASSWORD), ("ada", "\ud800")])
def test_text_that_no_database_takes_is_refused_like_any_other(user: User, name: str, password: str) -> None:
    with pytest.raises(SignInRefused):
        sign_in_with_password(request_from(), name, password)


def test_h90_a_password_typed_as_the_name_is_stored_nowhere() -> None:
    fail(1, name="MY-SECRET-42")
    stored = repr([list(model.objects.values()) for model in (SignInAttempts, AuditRecord)])
    assert "MY-SECRET-42" not in stored


def test_the_eleventh_try_is_refused_even_with_the_right_password(user: User) -> None:
    fail(TRIES)
    with pytest.raises(SignInThrottled):
        sign_in_with_password(request_from(), "ada", PASSWORD)
    assert len(records("sign_in_failed")) == TRIES


def test_other_names_and_other_addresses_have_their_own_tries(user: User) -> None:
    fail(TRIES)
    assert sign_in_with_password(request_from("192.0.2.2"), "ada", PASSWORD)
    assert may_try_sign_in("grace", "192.0.2.1")


def test_tries_come_back_after_fifteen_minutes(user: User) -> None:
    fail(TRIES)
    attempts = SignInAttempts.objects.get()
    attempts.times = [time - 901 for time in attempts.times]
    attempts.save()
    assert sign_in_with_password(request_from(), "ada", PASSWORD)


def test_a_sign_in_that_succeeds_gives_the_tries_back(user: User) -> None:
    fail(TRIES - 1)
    sign_in_with_password(request_from(), "ada", PASSWORD)
    fail(TRIES)


def test_old_attempts_are_removed_by_the_next_try() -> None:
    fail(1)
    SignInAttempts.objects.update(last_at=database_now() - timedelta(minutes=16))
    fail(1, name="grace")
    assert SignInAttempts.objects.count() == 1


@pytest.mark.parametrize(("trusted", "address"), [(False, "192.0.2.1"), (True, "203.0.113.9")])
def test_a_proxy_is_believed_only_if_trusted_and_only_its_own_word(settings: Any, trusted: bool, address: str) -> None:
    settings.TRUST_PROXY = trusted
    assert address_of(request_from(**{"X-Forwarded-For": "198.51.100.1, 203.0.113.9"})) == address
