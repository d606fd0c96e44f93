"""POST /api/chat."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.chat.models import Message, Run
from apps.events.read import read_events
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import answer, make_card, make_run, make_session
from tests.support.runs import run_to_rest, scripted


def test_a_message_makes_a_session_and_starts_a_run(api: Caller, ada: User) -> None:
    response = api.post("/api/chat", {"message": "Solve x^2 = 4"})
    assert response.status_code == 202
    run = Run.objects.get(public_id=response.json()["runId"])
    assert response.json() == {"sessionId": run.session.public_id, "runId": run.public_id, "status": "queued"}
    assert (run.session.user, run.session.title, run.channel) == (ada, "Solve x^2 = 4", "api")
    assert Message.objects.get(run=run).text == "Solve x^2 = 4"


def test_a_message_goes_into_the_session_that_is_named(api: Caller, ada: User) -> None:
    session = make_session(ada)
    response = api.post("/api/chat", {"message": "Hello", "sessionId": session.public_id})
    assert response.json()["sessionId"] == session.public_id
    assert session.runs.count() == 1


def test_the_stream_learns_where_to_begin(api: Caller, ada: User) -> None:
    card = make_card(ada)
    answer(card)
    run_to_rest(card.run, scripted())
    response = api.post("/api/chat", {"message": "More", "sessionId": card.session.public_id})
    assert response["Handraise-Session"] == card.session.public_id
    first = int(response["Handraise-First-Seq"])
    events = read_events(card.session_id, first - 1)
    assert [event.kind for event in events] == ["run_started"]
    assert "Handraise-Last-Seq" not in response


def test_config_capability_and_language_are_the_runs(api: Caller) -> None:
    config = {"temperature": 0.25, "max_tokens": 321, "ask_lifetime": 60, "on_timeout": "continue", "tools": {"ask_user": False}}
    body = {"message": "Hello", "config": config, "capability": "chat", "language": "zh-CN", "sources": [], "onPending": ""}
    run = Run.objects.get(public_id=api.post("/api/chat", body).json()["runId"])
    assert (run.config, run.capability, run.language) == (config, "chat", "zh")


def test_the_language_is_that_of_the_request_if_none_is_named(api: Caller) -> None:
    api.post("/api/chat", {"message": "你好"}, headers={"Accept-Language": "zh"})
    assert Run.objects.get().language == "zh"


def test_what_is_null_is_not_given(api: Caller) -> None:
    body = {"message": "Hello", **dict.fromkeys(("sessionId", "capability", "config", "language", "sources", "onPending"))}
    assert api.post("/api/chat", body).status_code == 202


@pytest.mark.parametrize("body", [{}, {"message": None}, {"message": 5}, {"message": ["Hello"]}, {"message": {"text": "Hello"}}])
def test_a_message_is_a_text_and_must_be_there(api: Caller, body: dict[str, Any]) -> None:
    assert fields(problem(api.post("/api/chat", body), "malformed_body")) == ["message"]
    assert not Run.objects.exists()


@pytest.mark.parametrize("text", ["", "   ", "\n", "\u200b", "x" * 100_001])
def test_a_message_says_something_and_not_too_much(api: Caller, text: str) -> None:
    assert fields(problem(api.post("/api/chat", {"message": text}), "invalid_request")) == ["message"]


@pytest.mark.parametrize(
    ("part", "code", "field"),
    [
        ({"sessionId": 5}, "malformed_body", "sessionId"),
        ({"config": []}, "malformed_body", "config"),
        ({"config": {"colour": "red"}}, "invalid_request", "config.colour"),
        ({"config": {"temperature": "hot"}}, "invalid_request", "config.temperature"),
        ({"config": {"tools": {"ask_user": "no"}}}, "invalid_request", "config.tools"),
        ({"capability": "nothing"}, "invalid_request", "capability"),
        ({"onPending": "ignore"}, "invalid_request", "onPending"),
        ({"sources": ["src_1"]}, "invalid_request", "sources"),
        ({"sources": "src_1"}, "malformed_body", "sources"),
    ],
)
def test_a_wrong_part_is_named(api: Caller, part: dict[str, Any], code: str, field: str) -> None:
    assert fields(problem(api.post("/api/chat", {"message": "Hello"} | part), code)) == [field]
    assert not Run.objects.exists()


def test_while_a_run_is_at_work_no_other_starts(api: Caller, ada: User) -> None:
    run = make_run(ada)
    problem(api.post("/api/chat", {"message": "And?", "sessionId": run.session.public_id}), "run_active")


def test_h32_a_message_beside_an_open_question_is_refused_and_the_question_named(api: Caller, ada: User) -> None:
    card = make_card(ada)
    body = {"message": "Never mind, what is the time?", "sessionId": card.session.public_id}
    assert problem(api.post("/api/chat", body), "interaction_pending")["pending"] == [card.public_id]
    card.refresh_from_db()
    assert card.status == "pending"


def test_h32_or_it_takes_the_place_of_the_question_if_that_is_said(api: Caller, ada: User) -> None:
    card = make_card(ada)
    body = {"message": "Never mind", "sessionId": card.session.public_id, "onPending": "supersede"}
    response = api.post("/api/chat", body)
    assert response.status_code == 202
    card.refresh_from_db()
    assert (card.status, card.reason) == ("cancelled", "reply_in_chat")
    kinds = [event.kind for event in read_events(card.session_id, int(response["Handraise-First-Seq"]) - 1)]
    assert kinds == ["user_input_resolved", "tool_result", "run_cancelled", "run_started"]
