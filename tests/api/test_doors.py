"""Who is let in: every call, with and without credentials."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.accounts.tokens import user_of_token
from apps.audit.models import AuditRecord
from tests.api.caller import Caller, problem
from tests.api.calls import ABOUT_SOMETHING, CALLS, ApiCall
from tests.factories.accounts import token_text
from tests.factories.chat import make_card

SCOPES = ("read", "answer", "run")


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_nobody_gets_a_challenge_and_nothing_else(call: ApiCall, ada: User) -> None:
    response = Caller().send(*call.about(make_card(ada)))
    problem(response, "not_authenticated")
    assert response["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer hr_made_up", "Bearer \ud83d".encode("utf-8", "replace").decode(), "bearer  x y"]
)
def test_a_token_that_is_none_is_nobodys(db: None, header: str) -> None:
    problem(Caller().send("GET", "/api/sessions", headers={"Authorization": header}), "not_authenticated")


def test_a_revoked_token_is_nobodys(ada: User) -> None:
    token = token_text(ada)
    found = user_of_token(token)
    assert found is not None
    found[1].revoked_at = found[1].created_at
    found[1].save()
    problem(Caller(token=token).get("/api/sessions"), "not_authenticated")


def test_a_token_in_the_address_is_not_looked_at(ada: User) -> None:
    token = token_text(ada)
    problem(Caller().get("/api/sessions", token=token, access_token=token), "not_authenticated")


def test_a_disabled_user_is_let_in_neither_by_token_nor_by_cookie(ada: User, api: Caller) -> None:
    client = Client(raise_request_exception=False)
    client.force_login(ada)
    ada.is_active = False
    ada.save()
    problem(api.get("/api/sessions"), "not_authenticated")
    problem(Caller(client).get("/api/sessions"), "not_authenticated")


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_token_needs_the_scope_of_the_call_and_no_other(call: ApiCall, ada: User) -> None:
    card = make_card(ada)
    others = [scope for scope in SCOPES if scope != call.scope]
    problem(Caller.of(ada, *others).send(*call.about(card)), "insufficient_scope")
    assert Caller.of(ada, call.scope).send(*call.about(card)).status_code in (200, 201, 202, 204, 409)


@pytest.mark.parametrize("call", ABOUT_SOMETHING, ids=str)
def test_h85_what_is_another_users_looks_as_if_it_did_not_exist(call: ApiCall, ada: User, bobs: Caller) -> None:
    card = make_card(ada)
    foreign = bobs.send(*call.about(card))
    unknown = bobs.send(*call.filled("sess_" + "0" * 32, "ask_" + "0" * 32))
    assert foreign.status_code == 404
    assert foreign.content == unknown.content
    card.refresh_from_db()
    assert card.status == "pending"


def test_h85_a_foreign_answer_is_in_the_audit_of_the_session(ada: User, bob: User, bobs: Caller) -> None:
    card = make_card(ada)
    body = {"sessionId": card.session.public_id, "requestId": card.public_id, "customInput": "mine"}
    problem(bobs.post("/api/chat/continue", body), "interaction_not_found")
    record = AuditRecord.objects.get(session=card.session.public_id, kind="submission_refused")
    assert (record.summary["reason"], record.actor_kind, record.channel) == ("foreign", "token", "api")


# --- signed in by cookie ---------------------------------------------------------------------------


def signed_in(user: User, **options: Any) -> Client:
    client = Client(raise_request_exception=False, **options)
    client.force_login(user)
    return client


def test_the_cookie_of_the_pages_reads(ada: User) -> None:
    assert Caller(signed_in(ada)).get("/api/sessions").status_code == 200


def test_with_the_cookie_alone_nothing_is_changed(ada: User) -> None:
    problem(Caller(signed_in(ada, enforce_csrf_checks=True)).post("/api/sessions"), "csrf_failed")


def test_with_cookie_and_csrf_token_it_is(ada: User) -> None:
    client, secret = signed_in(ada, enforce_csrf_checks=True), "a" * 32
    client.cookies["handraise_csrf"] = secret
    assert Caller(client).post("/api/sessions", headers={"X-CSRFToken": secret}).status_code == 201


def test_an_answer_by_cookie_is_the_users_own(ada: User) -> None:
    card = make_card(ada)
    body = {"sessionId": card.session.public_id, "requestId": card.public_id, "customInput": "blue"}
    response = Caller(signed_in(ada)).post("/api/chat/continue", body, headers={"Idempotency-Key": "k"})
    assert response.json()["receipt"]["answeredBy"] == "ada"
    record = AuditRecord.objects.get(kind="interaction_answered")
    assert (record.actor_kind, record.actor_id, record.channel) == ("user", ada.public_id, "api")


def test_a_token_needs_no_csrf_token(ada: User) -> None:
    caller = Caller(Client(enforce_csrf_checks=True), token_text(ada))
    assert caller.post("/api/sessions").status_code == 201


def test_a_wrong_token_is_not_made_good_by_a_cookie(ada: User) -> None:
    problem(Caller(signed_in(ada), "hr_made_up").get("/api/sessions"), "not_authenticated")


def test_audit_names_the_token_and_the_api_as_door(ada: User) -> None:
    token = token_text(ada)
    card = make_card(ada)
    Caller(token=token).post("/api/chat/abort", {"sessionId": card.session.public_id})
    record = AuditRecord.objects.get(kind="run_cancelled")
    found = user_of_token(token)
    assert found is not None
    assert (record.actor_kind, record.actor_id, record.channel) == ("token", found[1].public_id, "api")
