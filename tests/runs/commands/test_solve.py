"""`manage.py solve`, and plans in a terminal."""

import json
from typing import Any

import pytest

from apps.runs.terminal import Terminal
from tests.runs.commands.conftest import Install
from tests.support.server import ServerProcess
from tests.support.terminals import RealTerminal

PLAN = {"id": "p", "name": "solve_plan", "arguments": {"analysis": "Think.", "steps": [{"goal": "Factor"}]}}
FINISH = {"id": "f", "name": "solve_finish_step", "arguments": {"step_id": "S1", "summary": "found"}}
ASK = {"id": "q", "name": "ask_user", "arguments": {"title": "Which?", "mode": "text"}}
SCRIPTS: dict[str, list[dict[str, Any]]] = {
    "default": [{"calls": [PLAN]}, {"calls": [FINISH]}, {"text": "x is 2."}],
    "asks": [{"calls": [PLAN]}, {"calls": [ASK]}, {"calls": [FINISH]}, {"text": "x is 2."}],
    "broken": [{"fault": {"kind": "status", "status": 401, "times": 99}}],
}
CARD: dict[str, Any] = {
    "title": "May it be?",
    "mode": "plan_review",
    "description": "",
    "detail": "1. Factor",
    "options": [
        {"label": "Start", "description": "", "recommended": False},
        {"label": "Ask for changes", "description": "", "recommended": False},
    ],
    "intent": {"kind": "plan-review", "approve": "Start"},
    "planRevision": 3,
    "questions": [],
}


@pytest.mark.parametrize(
    ("typed", "decided"),
    [
        (["1"], {"decision": "approve"}),
        (["start"], {"decision": "approve"}),
        (["", " ", "1"], {"decision": "approve"}),
        (["2", "split it"], {"decision": "reject", "feedback": "split it"}),
        (["yes, start"], {"decision": "reject", "feedback": "yes, start"}),
        (["approve"], {"decision": "reject", "feedback": "approve"}),
        (["11"], {"decision": "reject", "feedback": "11"}),
    ],
)
def test_in_a_terminal_only_the_option_itself_approves_a_plan(typed: list[str], decided: dict[str, str]) -> None:
    lines, shown = iter(typed), list[str]()
    body = Terminal(lambda prompt: next(lines), shown.append).answer(CARD)
    assert body == {"planRevision": 3, **decided}
    assert "1. Factor" in "".join(shown)


def test_the_end_of_input_closes_the_plan() -> None:
    def end(prompt: str) -> str:
        raise EOFError

    assert Terminal(end, list[str]().append).answer(CARD) == {"cancelled": True}


@pytest.fixture
def installation(install: Install) -> ServerProcess:
    """An installation with this file's scripts."""
    return install(SCRIPTS)


@pytest.mark.journey
def test_behind_a_pipe_the_events_are_lines_and_no_plan_is_reviewed(installation: ServerProcess) -> None:
    ended = installation.manage("solve", "x^2=4 [[default#k]]", "--json")
    assert ended.returncode == 0, ended.stderr
    events = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert (events[0]["type"], events[0]["capability"]) == ("run_started", "deep_solve")
    assert [event["plan"]["status"] for event in events if event["type"] == "plan_updated"] == ["active", "done"]
    assert (events[-1]["type"], events[-1]["outcome"], events[-1]["text"]) == ("run_completed", "finished", "x is 2.")


@pytest.mark.journey
@pytest.mark.parametrize(("problem", "code"), [("[[asks#a]]", 3), ("[[broken#a]]", 1), (" ", 1)])
def test_h24_the_exit_code_tells_how_it_ended(installation: ServerProcess, problem: str, code: int) -> None:
    ended = installation.manage("solve", problem, "--json")
    assert ended.returncode == code, ended.stderr
    assert all(json.loads(line)["type"] for line in ended.stdout.splitlines())


@pytest.mark.journey
def test_a_person_at_a_terminal_approves_the_plan_and_sees_the_steps(installation: ServerProcess) -> None:
    with RealTerminal(installation, "solve", "x^2=4 [[default#k]]") as terminal:
        terminal.see("1. Factor")
        terminal.see("> ")
        terminal.type("1\n")
        terminal.see("S1 ✓")
        terminal.see("x is 2.")
        assert terminal.end() == 0


@pytest.mark.journey
def test_a_person_who_leaves_the_plan_has_approved_nothing(installation: ServerProcess) -> None:
    with RealTerminal(installation, "solve", "x^2=4 [[default#k]]") as terminal:
        terminal.see("> ")
        terminal.type("\x04")
        terminal.see("Stopped.")
        assert terminal.end() == 1
