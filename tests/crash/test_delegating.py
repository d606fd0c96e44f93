"""Kill -9 while a delegated run is at work: the same run goes on, and what it had done is not done again."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.crash.test_crash import Client, _events_to_the_end, check_effect, installed, model, new_key, server_in, set_up  # noqa: F401
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey
CHILD: list[dict[str, Any]] = [{"calls": [{"id": "m1", "name": "mark", "arguments": {}}]}, {"text": "It is 42."}]


def run_with_crash(folder: Path, scripted: ModelServer, point: str, installation: tuple[Path, str]) -> dict[str, Any]:
    """Give a task away in a copy of the installation, with one crash; return the events and the server."""
    data, token = installation
    server = server_in(folder, scripted)
    shutil.copytree(data, server.data)
    return crash_and_end(server, scripted, point, token)


def crash_and_end(server: ServerProcess, scripted: ModelServer, point: str, token: str) -> dict[str, Any]:
    """Give the task away at a server that dies at the point; return the events and the server."""
    server.env["HANDRAISE_CRASH"] = point
    key = new_key("d", point)
    task = {"task": f"Do it. [[{scripted.add(*CHILD)}#{key}c]]"}
    scenario = scripted.add({"calls": [{"id": "d1", "name": "delegate", "arguments": task}]}, {"text": "All done."})
    try:
        server.start()
        (server.data / "armed").touch()
        client = Client(server, token)
        session = client.until("POST", "/api/chat", {"message": f"go [[{scenario}#{key}]]"}, "start").json()["sessionId"]
        return {"events": _until_answered(client, session), "server": server}
    finally:
        server.close()


def _until_answered(client: Client, session: str) -> list[dict[str, Any]]:
    """Return all events once the run itself has ended; the delegated run ends before it."""
    while True:
        events = _events_to_the_end(client, session)
        if events[-1].get("text") == "All done.":
            return events


FEW = (3,)
"""Of the points around the delegated run; the others are walked at full volume."""
POINTS = [
    *(f"{number}:after" if number in FEW else pytest.param(f"{number}:after", marks=pytest.mark.full) for number in range(2, 8)),
    "in-tool",
]


@pytest.mark.parametrize("point", POINTS)
def test_a_kill_leaves_one_delegated_run_and_at_most_one_effect(
    tmp_path: Path,
    model: ModelServer,  # noqa: F811
    installed: tuple[Path, str],  # noqa: F811
    point: str,
) -> None:
    check(run_with_crash(tmp_path, model, point, installed), model)


@pytest.mark.full
@pytest.mark.postgres
@pytest.mark.parametrize("point", [*(f"{number}:after" for number in range(2, 8)), "in-tool"])
def test_on_postgresql_as_well(tmp_path: Path, model: ModelServer, postgres_url: str, point: str) -> None:  # noqa: F811
    server = server_in(tmp_path, model, postgres_url)
    check(crash_and_end(server, model, point, set_up(server)), model)


def check(seen: dict[str, Any], scripted: ModelServer) -> None:
    """Check what must hold wherever the process died."""
    kinds = [event["type"] for event in seen["events"]]
    assert kinds.count("run_started") == kinds.count("run_completed") == 2
    result = next(e["content"] for e in seen["events"] if e["type"] == "tool_result" and e["name"] == "delegate")
    assert '"answer":"It is 42."' in result
    assert not scripted.problems
    check_effect(seen)
