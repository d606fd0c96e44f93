"""POST /api/chat/abort and /api/chat/retry."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.chat.models import Run
from apps.events.read import read_events
from apps.providers.scripted import ScriptedModel
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import make_card, make_run, make_session
from tests.support.runs import run_to_rest, scripted


def failing(status: int) -> ScriptedModel:
    return scripted({"fault": {"kind": "status", "status": status, "times": 1}, "text": "Now it works."})


def test_abort_stops_the_run_and_closes_its_questions(api: Caller, ada: User) -> None:
    card = make_card(ada)
    response = api.post("/api/chat/abort", {"sessionId": card.session.public_id})
    assert response.status_code == 202
    expected = {"sessionId": card.session.public_id, "runId": card.run.public_id, "status": "cancelled"}
    assert response.json() == expected
    card.refresh_from_db()
    assert card.status == "aborted"
    assert api.post("/api/chat", {"message": "Again", "sessionId": card.session.public_id}).status_code == 202


def test_abort_of_an_idle_session_says_so(api: Caller, ada: User) -> None:
    session = make_session(ada)
    response = api.post("/api/chat/abort", {"sessionId": session.public_id})
    assert (response.status_code, response.json()) == (200, {"sessionId": session.public_id, "runId": None, "status": "idle"})


def test_retry_lets_a_failed_run_go_on(api: Caller, ada: User) -> None:
    model = failing(500)
    run = run_to_rest(make_run(ada), model)
    assert (run.status, run.retryable) == ("failed", True)
    response = api.post("/api/chat/retry", {"sessionId": run.session.public_id})
    assert response.status_code == 202
    assert response.json() == {"sessionId": run.session.public_id, "runId": run.public_id, "status": "queued"}
    assert run_to_rest(run, model).status == "completed"
    kinds = [event.kind for event in read_events(run.session_id, int(response["Handraise-First-Seq"]) - 1)]
    assert (kinds[0], kinds[-1]) == ("run_resumed", "run_completed")


def test_retry_of_what_would_fail_again_is_refused(api: Caller, ada: User) -> None:
    run = run_to_rest(make_run(ada), failing(401))
    assert (run.status, run.retryable) == ("failed", False)
    problem(api.post("/api/chat/retry", {"sessionId": run.session.public_id}), "not_retryable")


def test_retry_of_a_session_that_has_nothing_to_retry_is_refused(api: Caller, ada: User) -> None:
    problem(api.post("/api/chat/retry", {"sessionId": make_session(ada).public_id}), "not_retryable")


def test_retry_while_a_run_is_at_work_is_refused(api: Caller, ada: User) -> None:
    run = make_run(ada)
    problem(api.post("/api/chat/retry", {"sessionId": run.session.public_id}), "run_active")
    assert Run.objects.get().status == "queued"


@pytest.mark.parametrize("path", ["/api/chat/abort", "/api/chat/retry"])
@pytest.mark.parametrize("body", [{}, {"sessionId": None}, {"sessionId": 5}])
def test_the_session_is_a_text_and_must_be_there(api: Caller, path: str, body: dict[str, Any]) -> None:
    assert fields(problem(api.post(path, body), "malformed_body")) == ["sessionId"]
