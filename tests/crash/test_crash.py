"""Kill -9 at every transaction boundary of a run: after the restart it ends as if nothing had happened."""

import secrets
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey
BOUNDARIES = 11
"""More than a run of this script commits; a point behind the last one is simply never reached."""
SIDES = ["before", pytest.param("after", marks=pytest.mark.full)]
"""The rows after one commit are those before the next: the other side is walked at full volume."""

SCRIPT = [
    {"text": "First a mark.", "calls": [{"id": "m1", "name": "mark", "arguments": {}}]},
    {"calls": [{"id": "q1", "name": "ask_user", "arguments": {"title": "Go on?", "mode": "text"}}]},
    {"text": "All done."},
]


def numbers(*few: int) -> list[Any]:
    """Return boundaries to kill at: these, and at full volume every one."""
    return [each if each in few else pytest.param(each, marks=pytest.mark.full) for each in range(1, BOUNDARIES + 1)]


class Client:
    """A client that does what a good one does: it repeats what was not acknowledged, under the same key."""

    def __init__(self, server: ServerProcess, token: str) -> None:
        self.server, self.token = server, token

    def call(self, method: str, path: str, body: Any = None, key: str = "") -> httpx.Response | None:
        """Return the response; None: the server is gone."""
        headers = {"Idempotency-Key": key} if key else {}
        try:
            with self.server.client(self.token, **headers) as client:
                return client.request(method, path, json=body)
        except httpx.TransportError:
            return None

    def until(self, method: str, path: str, body: Any = None, key: str = "") -> httpx.Response:
        """Repeat until it is acknowledged; the server is started again whenever it is gone."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            response = self.call(method, path, body, key)
            if response is not None and response.status_code < 500:
                return response
            self.revive()
        raise AssertionError(f"{method} {path} was never acknowledged")

    def revive(self) -> None:
        """Start the server again, without its crash point, if it is gone."""
        deadline = time.monotonic() + 5
        while self.server.is_alive and time.monotonic() < deadline:
            time.sleep(0.05)
        if not self.server.is_alive:
            self.server.env.pop("HANDRAISE_CRASH", None)
            self.server.start()


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    """A model over HTTP, outside of the process that dies."""
    server = ModelServer()
    yield server
    server.close()


def server_in(folder: Path, model: ModelServer, database: str = "") -> ServerProcess:
    """Return a server with the crash settings."""
    env = {
        "HANDRAISE_MODEL": "openai:scripted",
        "HANDRAISE_MODEL_BASE_URL": model.base_url,
        "HANDRAISE_MODEL_API_KEY": "key",
    }
    return ServerProcess(folder, env | ({"DATABASE_URL": database} if database else {}), "tests.crash.settings")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory, model: ModelServer) -> tuple[Path, str]:
    """An installation on SQLite with a user: its folder, to be copied, and a token."""
    server = server_in(tmp_path_factory.mktemp("installed"), model)
    token = set_up(server)
    return server.data, token


def set_up(server: ServerProcess) -> str:
    """Set up an installation with an empty database; return a token."""
    assert server.manage("migrate").returncode == 0
    server.make_user()
    return server.make_token()


def new_key(prefix: str, point: str) -> str:
    """Return a key under which the model plays a script once: the same point is walked on several databases."""
    return f"{prefix}{point.replace(':', '-')}-{secrets.token_hex(4)}"


def run_with_crash(folder: Path, model: ModelServer, point: str, installed: tuple[Path, str]) -> dict[str, Any]:
    """Run the script in a copy of the installation, with one crash; return what can be seen from outside."""
    data, token = installed
    server = server_in(folder, model)
    shutil.copytree(data, server.data)
    return crash_and_end(server, model, point, token)


def crash_and_end(server: ServerProcess, model: ModelServer, point: str, token: str) -> dict[str, Any]:
    """Converse with a server that dies at the point; return what can be seen from outside."""
    server.env["HANDRAISE_CRASH"] = point
    try:
        server.start()
        (server.data / "armed").touch()
        return _converse(Client(server, token), model, point)
    finally:
        server.close()


def _converse(client: Client, model: ModelServer, point: str) -> dict[str, Any]:
    key = new_key("c", point)
    scenario = model.add(*SCRIPT)
    started = client.until("POST", "/api/chat", {"message": f"go [[{scenario}#{key}]]"}, "start").json()
    session = started["sessionId"]
    card = _card(client, session)
    body = {"sessionId": session, "requestId": card["id"], "customInput": "yes"}
    answered = client.until("POST", "/api/chat/continue", body, "answer")
    assert answered.status_code == 202, answered.text
    events = _events_to_the_end(client, session)
    return {"key": key, "card": card, "events": events, "server": client.server, "session": session}


def _card(client: Client, session: str) -> dict[str, Any]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        pending = client.until("GET", f"/api/interactions/pending?sessionId={session}").json()["pending"]
        if pending:
            return pending[0]
        time.sleep(0.05)
    raise AssertionError("the question never came")


def _events_to_the_end(client: Client, session: str) -> list[dict[str, Any]]:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with client.server.client(client.token, Accept="application/json") as http:
            try:
                events = http.get(f"/api/sessions/{session}/events").json()["results"]
            except httpx.TransportError:
                client.revive()
                continue
        if any(e["type"] in ("run_completed", "run_failed", "run_cancelled") for e in events):
            return list(events)
        if not client.server.is_alive:
            client.revive()
        time.sleep(0.05)
    raise AssertionError("the run never ended")


def check(seen: dict[str, Any], model: ModelServer) -> None:
    """Check what must hold wherever the process died."""
    events = seen["events"]
    kinds = [event["type"] for event in events]
    assert kinds[-1] == "run_completed", events[-1]
    assert events[-1]["text"] == "All done."
    assert kinds.count("user_input_required") == kinds.count("user_input_resolved") == kinds.count("run_started") == 1
    assert next(e for e in events if e["type"] == "user_input_required")["id"] == seen["card"]["id"]
    assert next(e for e in events if e["type"] == "user_input_resolved")["answer"]["customInput"] == "yes"
    assert [e["toolCallId"] for e in events if e["type"] == "tool_result"] == [f"{seen['key']}-m1", f"{seen['key']}-q1"]
    assert len(model.requests(seen["key"])) <= len(SCRIPT) + 1, "only a model call that the kill cut is made once more"
    assert not model.problems
    check_effect(seen)


def check_effect(seen: dict[str, Any]) -> None:
    """Check that the tool took effect once; if nobody could know, it is said, and it was not repeated."""
    marks = seen["server"].data / "marks"
    effects = len(marks.read_text().splitlines()) if marks.exists() else 0
    result = next(e for e in seen["events"] if e["type"] == "tool_result")["content"]
    assert effects == 1 or (effects == 0 and "OUTCOME_UNKNOWN" in result)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("number", numbers(*range(1, BOUNDARIES, 3)))
def test_a_kill_at_any_transaction_changes_nothing(
    tmp_path: Path, model: ModelServer, installed: tuple[Path, str], number: int, side: str
) -> None:
    check(run_with_crash(tmp_path, model, f"{number}:{side}", installed), model)


def test_h31_a_kill_inside_a_tool_is_told_to_the_model_and_the_tool_is_not_repeated(
    tmp_path: Path, model: ModelServer, installed: tuple[Path, str]
) -> None:
    seen = run_with_crash(tmp_path, model, "in-tool", installed)
    check(seen, model)
    assert "OUTCOME_UNKNOWN" in str(model.requests(seen["key"])[-1]["body"]["messages"])


@pytest.mark.postgres
@pytest.mark.parametrize("point", ["4:after", pytest.param("7:before", marks=pytest.mark.full), "7:after"])
def test_on_postgresql_as_well(tmp_path: Path, model: ModelServer, postgres_url: str, point: str) -> None:
    server = server_in(tmp_path, model, postgres_url)
    check(crash_and_end(server, model, point, set_up(server)), model)
