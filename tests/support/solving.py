"""Doubles for tests of deep_solve without a database: its state, and calls of its tools."""

import json
from collections.abc import Iterable
from typing import Any

from apps.agent.capabilities import Limits
from apps.agent.loop import settle
from apps.agent.messages import Asked, Entry, ToolCall, ToolResult, Turn, UserMessage
from apps.agent.state import RunState
from apps.agent.steps import Step
from apps.agent.tools import Toolbox
from apps.solve.capability import DeepSolve
from tests.support.loop import MemoryJournal

UNREVIEWED = {"plan_review": "off"}


class Solving(DeepSolve):
    """deep_solve with further tools that work."""

    def __init__(self, *more: Any) -> None:
        self._more = more

    def tools(self) -> Any:
        """Return its tools and the further ones."""
        return (*super().tools(), *self._more)


def solving(*more: Any, said: Iterable[Entry] = (), settings: dict[str, Any] | None = None, **parts: Any) -> RunState:
    """Return the state of a solve run whose user has written; `more` are working tools. Review is off unless set."""
    capability = Solving(*more)
    limits = parts.pop("limits", Limits(max_rounds=30))
    state = RunState(
        capability=capability,
        toolbox=Toolbox({tool.name: tool for tool in capability.tools()}),
        system="Solve.",
        limits=limits,
        memory=capability.remember(UNREVIEWED | (settings or {})),
        **parts,
    )
    return state.add_all([UserMessage("the problem"), *said])


def reloaded(journal: MemoryJournal, *more: Any, **parts: Any) -> RunState:
    """Return a state that has read what was committed, as it is read from rows: results of a turn in call order."""
    return solving(*more, said=as_read(journal.entries), **parts)


def as_read(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries in the order in which the rows give them back."""
    turns: list[list[Entry]] = [[]]
    for entry in entries:
        if isinstance(entry, Turn):
            turns.append([])
        turns[-1].append(Asked(entry.call_id, entry.fingerprint) if isinstance(entry, Asked) else entry)
    return [entry for turn in turns for entry in _in_call_order(turn)]


def _in_call_order(turn: list[Entry]) -> list[Entry]:
    if not turn or not isinstance(turn[0], Turn):
        return turn
    places = {call.id: place for place, call in enumerate(turn[0].calls)}
    results = sorted((e for e in turn if isinstance(e, ToolResult)), key=lambda result: places[result.call_id])
    others = [e for e in turn[1:] if not isinstance(e, ToolResult)]
    marks = [e for e in others if not isinstance(e, UserMessage) and hasattr(e, "call_id")]
    return [turn[0], *marks, *results, *(e for e in others if e not in marks)]


def plan(ident: str = "p", *goals: str, **more: Any) -> ToolCall:
    """Return a call of solve_plan with steps of these goals."""
    steps = [{"goal": goal} for goal in goals or ("Factor", "Read the roots")]
    return ToolCall(ident, "solve_plan", json.dumps({"analysis": "Think.", "steps": steps} | more))


def finish(ident: str, step: str, summary: str = "done", **more: Any) -> ToolCall:
    """Return a call of solve_finish_step."""
    return ToolCall(ident, "solve_finish_step", json.dumps({"step_id": step, "summary": summary} | more))


def replan(ident: str, *goals: str, **more: Any) -> ToolCall:
    """Return a call of solve_replan."""
    steps = [{"goal": goal} for goal in goals or ("Otherwise",)]
    return ToolCall(ident, "solve_replan", json.dumps({"reason": "Stuck.", "steps": steps} | more))


def turn(state: RunState, *calls: ToolCall) -> Step:
    """Let the model make these calls in one turn and settle what needs no tool; return the following step."""
    state.add(Turn("", calls))
    return settle(state, [])


def content(state: RunState, call_id: str) -> dict[str, Any]:
    """Return the result of a call as the model reads it."""
    return dict(json.loads(state.results[call_id].content))


def answer(state: RunState, call_id: str, text: str = "yes") -> None:
    """Answer an ask_user call."""
    body = {"status": "answered", "selections": [], "customInput": text, "cancelled": False, "answeredBy": "user"}
    state.add(ToolResult(call_id, json.dumps(body)))


def ids(state: RunState) -> list[str]:
    """Return the ids of all steps that ever got one."""
    return [step.id for step in state.memory.steps()]
