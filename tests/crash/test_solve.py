"""Kill -9 at every transaction boundary of a deep_solve run: after the restart it ends by the same plan."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.crash.test_crash import SIDES, Client, _card, _events_to_the_end, installed, model, numbers, server_in  # noqa: F401
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.journey

PLAN = {"analysis": "Think.", "steps": [{"goal": "Factor"}, {"goal": "Verify"}]}
SCRIPT: list[dict[str, Any]] = [
    {"calls": [{"id": "p", "name": "solve_plan", "arguments": PLAN}]},
    {"calls": [{"id": "f1", "name": "solve_finish_step", "arguments": {"step_id": "S1", "summary": "one"}}]},
    {"calls": [{"id": "f2", "name": "solve_finish_step", "arguments": {"step_id": "S2", "summary": "two"}}]},
    {"text": "x is 2."},
]
STATES = [
    ("proposed", ["open", "open"]),
    ("active", ["current", "open"]),
    ("active", ["done", "current"]),
    ("done", ["done", "done"]),
]


def converse(client: Client, scripted: ModelServer, key: str) -> list[dict[str, Any]]:
    """Solve by an approved plan; return all events."""
    scenario = scripted.add(*SCRIPT)
    body: dict[str, Any] = {"message": f"go [[{scenario}#{key}]]", "capability": "solve"}
    session = client.until("POST", "/api/chat", body, "start").json()["sessionId"]
    card = _card(client, session)
    decision = {"decision": "approve", "planRevision": card["planRevision"]}
    answered = client.until("POST", "/api/chat/continue", {"sessionId": session, "requestId": card["id"], **decision}, "answer")
    assert answered.status_code == 202, answered.text
    return _events_to_the_end(client, session)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", numbers(5))
def test_a_kill_at_any_transaction_leaves_the_plan_as_it_was(
    tmp_path: Path,
    model: ModelServer,  # noqa: F811
    installed: tuple[Path, str],  # noqa: F811
    number: int,
    side: str,
) -> None:
    data, token = installed
    server = server_in(tmp_path, model)
    shutil.copytree(data, server.data)
    server.env["HANDRAISE_CRASH"] = f"{number}:{side}"
    key = f"c{number}{side}"
    try:
        server.start()
        (server.data / "armed").touch()
        events = converse(Client(server, token), model, key)
    finally:
        server.close()
    plans = [event["plan"] for event in events if event["type"] == "plan_updated"]
    assert [(plan["status"], [step["status"] for step in plan["steps"]]) for plan in plans] == STATES
    assert [(s["id"], s["summary"]) for s in plans[-1]["steps"]] == [("S1", "one"), ("S2", "two")]
    assert (events[-1]["type"], events[-1]["outcome"]) == ("run_completed", "finished")
    assert [e["toolCallId"] for e in events if e["type"] == "tool_result"] == [f"{key}-{name}" for name in ("p", "f1", "f2")]
    assert len(model.requests(key)) <= len(SCRIPT) + 1, "only a model call that the kill cut is made once more"
    assert not model.problems
