"""`manage.py chat` as people run it: in a terminal, behind a pipe, with the wrong name."""

import json
from typing import Any

import pytest

from tests.runs.commands.conftest import Install
from tests.support.server import ServerProcess
from tests.support.terminals import RealTerminal

pytestmark = pytest.mark.journey
OPTIONS = [{"id": "real", "label": "Real numbers"}, {"id": "complex", "label": "Complex numbers"}]
ASK = {"id": "c1", "name": "ask_user", "arguments": {"title": "Which domain?", "mode": "single", "options": OPTIONS}}
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "default": [{"calls": [ASK]}, {"text": "All done."}],
    "plain": [{"text": "Nothing to ask."}],
    "broken": [{"fault": {"kind": "status", "status": 401, "times": 99}}],
    "slow": [{"text": "This goes on for ever and a day.", "delay": 2}],
}


@pytest.fixture
def installation(install: Install) -> ServerProcess:
    """An installation with this file's scripts."""
    return install(SCRIPTS)


def test_a_person_at_a_terminal_is_asked_and_answers(installation: ServerProcess) -> None:
    with RealTerminal(installation, "chat") as terminal:
        terminal.see("> ")
        terminal.type("hello\n")
        terminal.see("Which domain?")
        terminal.see("> ")
        terminal.type("complex\n")
        terminal.see("All done.")
        terminal.see("> ")
        terminal.type("\x04")
        assert terminal.end() == 0


def test_ctrl_c_stops_a_run_and_the_next_message_can_come(installation: ServerProcess) -> None:
    with RealTerminal(installation, "chat") as terminal:
        terminal.see("> ")
        terminal.type("[[slow#k]]\n")
        terminal.see("This goes")
        terminal.interrupt()
        terminal.see("Stopped.")
        terminal.see("> ")
        terminal.type("[[plain#k2]]\n")
        terminal.see("Nothing to ask.")


@pytest.mark.parametrize(
    ("messages", "code"),
    [("[[plain#a]]\n", 0), ("[[broken#a]]\n", 1), ("hello\n", 3), ("[[plain#a]]\n\n[[default#b]]\n[[broken#c]]\n", 3)],
)
def test_h24_behind_a_pipe_the_exit_code_tells(installation: ServerProcess, messages: str, code: int) -> None:
    ended = installation.manage("chat", stdin=messages)
    assert ended.returncode == code, ended.stderr


def test_h24_a_question_that_waits_in_a_session_is_not_hung_upon(installation: ServerProcess) -> None:
    with RealTerminal(installation, "chat") as terminal:
        terminal.see("> ")
        terminal.type("hello\n")
        terminal.see("Which domain?")
    session = json.loads(installation.manage("shell", "-v0", "-c", LAST_SESSION).stdout)
    ended = installation.manage("chat", "--session", session, stdin="and now?\n")
    assert ended.returncode == 3
    assert "web interface" in ended.stdout


LAST_SESSION = "import json; from apps.chat.models import ChatSession; print(json.dumps(ChatSession.objects.get().public_id))"


def test_who_speaks_must_be_clear(installation: ServerProcess) -> None:
    installation.make_user("bob")
    assert "--user" in installation.manage("chat", stdin="[[plain#a]]\n").stderr
    assert "no active user named eve" in installation.manage("chat", "--user", "eve").stderr
    assert installation.manage("chat", "--user", "bob", stdin="[[plain#a]]\n").returncode == 0


def test_a_foreign_session_is_not_found(installation: ServerProcess) -> None:
    ended = installation.manage("chat", "--session", "sess_unknown", stdin="hello\n")
    assert (ended.returncode, ended.stderr) == (1, "CommandError: There is no such session.\n")
