"""The canary again, from outside: a real server and real commands that log everything, through each door and many errors."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.server import PASSWORD, ServerProcess
from tests.support.terminals import RealTerminal

pytestmark = pytest.mark.journey
CANARY = "CANARY-93de"
OPTIONS = [{"id": f"{CANARY}-i", "label": f"{CANARY} l", "description": f"{CANARY} d"}]
WORDS = {"title": f"{CANARY} title", "description": f"{CANARY} asks", "submitLabel": f"{CANARY} s"}
ASK = {"id": "c1", "name": "ask_user", "arguments": WORDS | {"mode": "single", "options": OPTIONS, "allowCustom": True}}
UNKNOWN = {"id": "c0", "name": f"{CANARY} tool", "arguments": {CANARY: CANARY}}
PLAN = {"id": "p1", "name": "solve_plan", "arguments": {"analysis": f"{CANARY} thinks", "steps": [{"goal": f"{CANARY} goal"}]}}
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "default": [{"text": f"{CANARY} begins", "calls": [UNKNOWN]}, {"calls": [ASK]}, {"text": f"{CANARY} ends"}],
    "plans": [{"calls": [PLAN]}, {"text": f"{CANARY} ends"}],
    "broken": [{"text": CANARY, "fault": {"kind": "status", "status": 400, "times": 99}}],
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    """Start an installation that logs everything."""
    script = tmp_path / "script.json"
    script.write_text(json.dumps(SCRIPTS))
    process = ServerProcess(tmp_path / "server", {"HANDRAISE_MODEL": f"scripted:{script}"}, "tests.console.loud")
    process.start()
    yield process
    process.close()


def over_api(api: httpx.Client) -> str:
    """Ask, refuse in many ways, answer; return the session."""
    streamed = {"Accept": "text/event-stream"}
    keyed = streamed | {"Idempotency-Key": f"{CANARY}-key"}
    begun = api.post("/api/chat", json={"message": f"{CANARY} hello"}, headers=keyed)
    assert "user_input_required" in begun.text
    [pending] = api.get("/api/interactions/pending").json()["pending"]
    asked = {"sessionId": pending["sessionId"], "requestId": pending["id"]}
    for body in ({"selections": [CANARY]}, {"customInput": [CANARY]}, {CANARY: CANARY}, {"customInput": f"{CANARY}\0"}):
        assert 400 <= api.post("/api/chat/continue", json=asked | body).status_code < 500
    as_json = {"Content-Type": "application/json"}
    assert api.post("/api/chat/continue", content=f'{{"{CANARY}', headers=as_json).status_code == 400
    assert api.post("/api/chat/continue", json=asked | {"customInput": f"{CANARY} x"}, headers=streamed).status_code == 200
    assert api.post("/api/chat/continue", json=asked | {"customInput": f"{CANARY} y"}).status_code == 409
    assert "run_failed" in api.post("/api/chat", json={"message": f"{CANARY} [[broken#a]]"}, headers=streamed).text
    api.post("/api/chat", json={"message": f"{CANARY} [[plans#a]]", "capability": "deep_solve"}, headers=streamed)
    tools = {f"{CANARY} tool": False}
    assert api.patch(f"/api/sessions/{asked['sessionId']}", json={"title": f"{CANARY} title", "tools": tools}).is_success
    assert CANARY in api.get(f"/api/sessions/{asked['sessionId']}/evidence").text
    return str(asked["sessionId"])


def over_web(server: ServerProcess) -> None:
    """Sign in wrong and right with a browser's forms, and start a chat."""
    with server.client() as browser:
        sign_in = {"csrfmiddlewaretoken": token_of(browser, "/sign-in/"), "name": CANARY, "password": CANARY}
        assert browser.post("/sign-in/", data=sign_in).status_code in (200, 422)
        right = sign_in | {"name": "ada", "password": PASSWORD, "csrfmiddlewaretoken": token_of(browser, "/sign-in/")}
        assert browser.post("/sign-in/", data=right).is_redirect
        form = {"csrfmiddlewaretoken": token_of(browser, "/new/"), "message": f"{CANARY} from the web", CANARY: CANARY}
        answer = browser.post("/new/", data=form)
        assert answer.is_redirect
        assert CANARY not in answer.headers["Location"]
        assert browser.post("/new/", data={"message": CANARY}).status_code == 403  # without the token


def token_of(browser: httpx.Client, page: str) -> str:
    text = browser.get(page).text
    return text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]


def in_a_terminal(server: ServerProcess, errors: Path) -> None:
    """Chat in a terminal; its log goes into the file, and so do its prompts."""
    with errors.open("ab") as log, RealTerminal(server, "chat", "--user", "ada", stderr=log) as terminal:
        terminal.see("leaves.")
        terminal.type(f"{CANARY} from the terminal\n")
        terminal.see(f"{CANARY} title")
        terminal.type(f"{CANARY} answer\n")
        terminal.see(f"{CANARY} ends")
        terminal.type("\x04")
        terminal.end()


def with_commands(server: ServerProcess, session: str) -> str:
    """Run the commands on what there is, right and wrong; return what they wrote beside their output."""
    lines = [
        (["chat", "--user", "ada"], f"{CANARY} piped [[broken#b]]\n"),
        (["solve", f"{CANARY} [[plans#d]]", "--json", "--user", "ada"], ""),
        (["evidence", session], ""),
        (["export_user_data", "ada", "--output", str(server.folder / "ada.zip")], ""),
    ]
    return "".join(server.manage(*arguments, stdin=stdin).stderr for arguments, stdin in lines)


AUDIT_ROWS = """
from django.db import connection
with connection.cursor() as cursor:
    for table in ("audit_auditrecord", "audit_auditchain", "audit_anchor"):
        cursor.execute(f"SELECT * FROM {table}")
        print(cursor.fetchall())
"""


def test_h90_no_log_line_and_no_audit_record_holds_it_whichever_door_was_used(server: ServerProcess, tmp_path: Path) -> None:
    server.make_user("ada")
    errors = tmp_path / "terminal.log"
    with server.client(server.make_token("ada")) as api:
        session = over_api(api)
        over_web(server)
        in_a_terminal(server, errors)
        written = with_commands(server, session) + errors.read_text("utf-8") + server.said()
        assert api.delete(f"/api/sessions/{session}").status_code == 204
    assert "DEBUG" in written
    assert "WARNING django.security.csrf" in written
    assert [line for line in (written + server.said()).splitlines() if CANARY in line] == []
    rows = server.manage("shell", "-v0", "-c", AUDIT_ROWS).stdout
    assert session in rows
    assert CANARY not in rows
