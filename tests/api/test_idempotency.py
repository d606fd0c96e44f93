"""Idempotency-Key: a POST sent again has its effect once."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.chat.models import ChatSession, Run, ToolResult
from apps.interactions.models import Interaction
from tests.api.caller import Caller, problem
from tests.api.calls import POSTS, ApiCall
from tests.factories.chat import make_card, make_run
from tests.support.runs import run_to_rest, scripted

KEY = {"Idempotency-Key": "k-1"}


def prepared(call: ApiCall, user: User) -> tuple[str, str, dict[str, Any] | None]:
    """Return the call about a card, or, for a retry, about a failed run."""
    if not call.path.endswith("retry"):
        return call.about(make_card(user))
    run = run_to_rest(make_run(user), scripted({"fault": {"kind": "status", "status": 500, "times": 1}}))
    return call.filled(run.session.public_id, "")


def counts() -> tuple[int, ...]:
    return tuple(model.objects.count() for model in (ChatSession, Run, Interaction, ToolResult))


@pytest.mark.parametrize("call", POSTS, ids=str)
def test_the_same_post_again_answers_the_same_and_does_nothing(call: ApiCall, ada: User, api: Caller) -> None:
    request = prepared(call, ada)
    first = api.send(*request, headers=KEY)
    assert first.status_code in (200, 201, 202)
    before = counts()
    second = api.send(*request, headers=KEY)
    assert (second.status_code, second.content) == (first.status_code, first.content)
    for name in ("Handraise-Session", "Handraise-First-Seq", "Handraise-Last-Seq"):
        assert second.get(name) == first.get(name)
    assert counts() == before


def test_the_answer_tells_where_the_run_stands_now(api: Caller) -> None:
    first = api.post("/api/chat", {"message": "Hello"}, headers=KEY)
    run_to_rest(Run.objects.get(), scripted())
    second = api.post("/api/chat", {"message": "Hello"}, headers=KEY)
    assert first.json() | {"status": "waiting"} == second.json()


def test_another_body_under_the_same_key_is_refused(api: Caller) -> None:
    api.post("/api/chat", {"message": "Hello"}, headers=KEY)
    problem(api.post("/api/chat", {"message": "Goodbye"}, headers=KEY), "idempotency_mismatch")
    assert Run.objects.count() == 1


def test_a_key_belongs_to_its_user_and_its_address(api: Caller, bobs: Caller) -> None:
    for caller, path in ((api, "/api/chat"), (bobs, "/api/chat")):
        assert caller.post(path, {"message": "Hello"}, headers=KEY).status_code == 202
    assert api.post("/api/sessions", {"title": "Hello"}, headers=KEY).status_code == 201
    assert Run.objects.count() == 2


def test_a_refusal_is_not_kept(api: Caller, ada: User) -> None:
    card = make_card(ada)
    body = {"sessionId": card.session.public_id, "requestId": card.public_id}
    problem(api.post("/api/chat/continue", body | {"customInput": " "}, headers=KEY), "invalid_answer")
    assert api.post("/api/chat/continue", body | {"customInput": "blue"}, headers=KEY).status_code == 202


def test_what_the_key_made_may_be_gone(api: Caller) -> None:
    made = api.post("/api/chat", {"message": "Hello"}, headers=KEY).json()
    api.delete(f"/api/sessions/{made['sessionId']}")
    problem(api.post("/api/chat", {"message": "Hello"}, headers=KEY), "not_found")


@pytest.mark.parametrize("key", ["", " ", "a b", "x" * 256, "ä"])
def test_a_key_is_visible_ascii(api: Caller, key: str) -> None:
    problem(api.post("/api/chat", {"message": "Hello"}, headers={"Idempotency-Key": key}), "invalid_idempotency_key")
    assert not Run.objects.exists()
