"""The deadline is the clock's, not the sweep's: what comes late is refused, and silence chooses nothing."""

import json
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.support.journeys import Person, asked, browser
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey

Json = dict[str, Any]
ROUNDS = 20
LATE_SECONDS = 0.05
OPTIONS = [{"id": "safe", "label": "Safe", "recommended": True}, {"id": "other", "label": "Other"}]
CHOICE = {"name": "ask_user", "arguments": {"title": "Which?", "mode": "single", "options": OPTIONS}}
FORM = {
    "name": "ask_user_question",
    "arguments": {
        "questions": [
            {"id": "q1", "question": "One?", "options": [{"label": "A"}, {"label": "B"}]},
            {"id": "q2", "question": "Two?", "options": [{"label": "C"}, {"label": "D"}]},
            {"id": "q3", "question": "Three?"},
        ]
    },
}


def card(person: Person, model: ModelServer, *calls: Json, seconds: int = 1) -> Json:
    """Start a run whose question lives so long; return the card."""
    script = model.add({"calls": [{"id": f"c{n}", **call} for n, call in enumerate(calls, 1)]}, {"text": "All done."})
    return asked(person.chat(f"Go. [[{script}#{uuid.uuid4().hex[:8]}]]", config={"ask_lifetime": seconds}))


def sleep_until_late(card: Json, seconds: float = LATE_SECONDS) -> None:
    """Sleep until so long after the card's deadline."""
    over = datetime.fromisoformat(card["expiresAt"]) - datetime.now(UTC)
    time.sleep(max(0.0, over.total_seconds() + seconds))


def answered_late(person: Person, model: ModelServer) -> tuple[int, Json, list[Json]]:
    asked_now = card(person, model, CHOICE)
    sleep_until_late(asked_now)
    late = person.answer(asked_now, selections=["other"])
    return late.status_code, late.json(), person.to_the_end(asked_now["sessionId"])


def test_h14_h20_an_answer_50_ms_late_is_refused_twenty_times_of_twenty(ada: Person, model: ModelServer) -> None:
    alone = Person(ada.server, ada.token)
    with ThreadPoolExecutor(4) as pool:
        rounds = list(pool.map(lambda _: answered_late(alone, model), range(ROUNDS)))
    assert [(status, problem["code"]) for status, problem, _ in rounds] == [(410, "expired")] * ROUNDS
    for _status, problem, events in rounds:
        (result,) = [event for event in events if event["type"] == "tool_result"]
        assert json.loads(result["content"]) == {
            "status": "expired",
            "selections": [],
            "customInput": "",
            "cancelled": False,
            "answeredBy": "timeout",
        }
        assert (events[-1]["type"], events[-1]["reason"]) == ("run_cancelled", "timeout")
        assert problem["receipt"]["status"] == "expired"


def test_an_expired_question_closes_by_itself_in_every_open_stream(ada: Person, model: ModelServer) -> None:
    asked_now = card(ada, model, CHOICE)
    with ada.events_of(asked_now["sessionId"]) as stream:
        resolved = stream.until("user_input_resolved", 20).data
    assert (resolved["status"], resolved["id"]) == ("expired", asked_now["id"])
    assert ada.pending(asked_now["sessionId"]) == []


def test_h19_h21_a_draft_is_no_answer_and_stays_when_the_time_is_over(ada: Person, model: ModelServer) -> None:
    asked_now = card(ada, model, FORM)
    draft = {
        "answers": [
            {"id": "q1", "selected": ["A"]},
            {"id": "q2", "selected": ["D"]},
            {"id": "q3", "selected": [], "custom": "half"},
        ]
    }
    address = f"/api/interactions/{asked_now['id']}/draft"
    assert ada.call("PUT", address, draft).status_code in (200, 204)
    sleep_until_late(asked_now)
    assert ada.answer(asked_now, **draft).status_code == 410
    events = ada.to_the_end(asked_now["sessionId"])
    (result,) = [event["content"] for event in events if event["type"] == "tool_result"]
    assert json.loads(result)["code"] == "ASK_EXPIRED"
    assert "half" not in result
    assert events[-1]["type"] == "run_completed", "by default the model goes on without this card"
    assert ada.get(f"/api/interactions/{asked_now['id']}")["receipt"]["status"] == "expired"


def test_h30_what_is_ready_is_shown_at_once_and_an_expiry_ends_the_run_visibly(
    ada: Person, model: ModelServer, server: ServerProcess
) -> None:
    asked_now = card(ada, model, CHOICE, {"name": "no_such_tool", "arguments": {}}, seconds=3)
    session = asked_now["sessionId"]
    kinds = [event["type"] for event in ada.get(f"/api/sessions/{session}/events")["results"]]
    assert kinds.index("tool_result") < kinds.index("user_input_required")
    with browser(server) as page:
        waiting = page.get(f"/s/{session}/").text
        ada.to_the_end(session)
        over = page.get(f"/s/{session}/").text
    assert "no_such_tool" in waiting
    assert "Waiting for your answer" in waiting
    assert "Waiting for your answer" not in over
    assert 'class="row row-run run-cancelled"' in over


def test_keeping_a_question_open_moves_its_deadline(ada: Person, model: ModelServer) -> None:
    asked_now = card(ada, model, CHOICE, seconds=5)
    extended = ada.call("POST", f"/api/interactions/{asked_now['id']}/extend", {"seconds": 3600})
    assert extended.status_code == 200
    sleep_until_late(asked_now, seconds=1.5)
    assert ada.go_on(asked_now, selections=["safe"]).events[-1].kind == "run_completed"
    assert asked_now["expiresAt"] < ada.get(f"/api/interactions/{asked_now['id']}")["expiresAt"]
