"""Kill -9 at every transaction boundary of a run whose tool waits to be allowed: it runs once, or nobody could know."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.crash.test_crash import (  # noqa: F401
    BOUNDARIES,
    SIDES,
    Client,
    _card,
    _events_to_the_end,
    check_effect,
    installed,
    model,
    new_key,
    numbers,
    server_in,
    set_up,
)
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey

SCRIPT: list[dict[str, Any]] = [{"calls": [{"id": "m1", "name": "mark", "arguments": {}}]}, {"text": "All done."}]


def converse(server: ServerProcess, scripted: ModelServer, point: str, token: str) -> dict[str, Any]:
    """Let the tool ask first, allow its call, and see the run through with a server that dies at the point."""
    server.start()
    client, key, scenario = Client(server, token), new_key("a", point), scripted.add(*SCRIPT)
    asked = client.until("PUT", "/api/v1/capabilities/settings", {"tools": {"mark": "ask"}})
    assert asked.json()["chat"]["tools"]["mark"] == "ask"
    (server.data / "armed").touch()
    session = client.until("POST", "/api/chat", {"message": f"go [[{scenario}#{key}]]"}, "start").json()["sessionId"]
    card = _card(client, session)
    assert not (server.data / "marks").exists()
    body = {"sessionId": session, "requestId": card["id"], "decision": "approve"}
    answered = client.until("POST", "/api/chat/continue", body, "answer")
    assert answered.status_code == 202, answered.text
    return {"key": key, "card": card, "events": _events_to_the_end(client, session), "server": server, "session": session}


def check(seen: dict[str, Any], scripted: ModelServer) -> None:
    """Check what must hold wherever the process died."""
    events = seen["events"]
    kinds = [event["type"] for event in events]
    assert (kinds[-1], events[-1]["text"]) == ("run_completed", "All done."), events[-1]
    assert kinds.count("user_input_required") == kinds.count("user_input_resolved") == kinds.count("tool_result") == 1
    (resolved,) = [event for event in events if event["type"] == "user_input_resolved"]
    assert (resolved["id"], resolved["answer"]["decision"]) == (seen["card"]["id"], "approve")
    assert not scripted.problems
    check_effect(seen)


def run_with_crash(folder: Path, scripted: ModelServer, point: str, installation: tuple[Path, str]) -> dict[str, Any]:
    """Run the script in a copy of the installation, with one crash; return what can be seen from outside."""
    data, token = installation
    server = server_in(folder, scripted)
    shutil.copytree(data, server.data)
    return crash_and_end(server, scripted, point, token)


def crash_and_end(server: ServerProcess, scripted: ModelServer, point: str, token: str) -> dict[str, Any]:
    """Converse with a server that dies at the point; return what can be seen from outside."""
    server.env["HANDRAISE_CRASH"] = point
    try:
        return converse(server, scripted, point, token)
    finally:
        server.close()


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", numbers(5))
def test_a_kill_at_any_transaction_leaves_one_card_and_at_most_one_effect(
    tmp_path: Path,
    model: ModelServer,  # noqa: F811
    installed: tuple[Path, str],  # noqa: F811
    number: int,
    side: str,
) -> None:
    check(run_with_crash(tmp_path, model, f"{number}:{side}", installed), model)


def test_a_kill_inside_an_allowed_tool_is_told_to_the_model_and_nothing_is_repeated(
    tmp_path: Path,
    model: ModelServer,  # noqa: F811
    installed: tuple[Path, str],  # noqa: F811
) -> None:
    seen = run_with_crash(tmp_path, model, "in-tool", installed)
    check(seen, model)
    assert "OUTCOME_UNKNOWN" in str(model.requests(seen["key"])[-1]["body"]["messages"])


@pytest.mark.full
@pytest.mark.postgres
@pytest.mark.parametrize("point", [*(f"{number}:after" for number in range(1, BOUNDARIES)), "in-tool"])
def test_on_postgresql_as_well(tmp_path: Path, model: ModelServer, postgres_url: str, point: str) -> None:  # noqa: F811
    server = server_in(tmp_path, model, postgres_url)
    check(crash_and_end(server, model, point, set_up(server)), model)
