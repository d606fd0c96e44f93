"""What a model sends to the solve tools, read into values, or the refusal that names the wrong argument."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from apps.agent.messages import ToolCall
from apps.agent.tools import Refusal
from apps.common.text import clean_shown, is_blank
from apps.interactions.arguments import Reader, Unusable, parsed
from apps.solve.plan import MAX_STEPS, Proposal
from apps.solve.words import say

MAX_ANALYSIS = 4_000
MAX_GOAL = 500
MAX_SUMMARY = 2_000
MAX_REASON = 2_000
"""Characters that are kept in view; what is longer is cut, and the result says so."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A plan as it was sent, fit to be used, and what was cut from it, in words for the model."""

    proposal: Proposal
    cuts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """The end of a step as it was sent."""

    step_id: str
    summary: str
    outcome: Literal["done", "failed"] = "done"
    cuts: tuple[str, ...] = ()


class _Reading:
    """Reads the arguments of one call; keys that a tool does not have are dropped, ids for a run or step among them."""

    def __init__(self, call: ToolCall, language: str) -> None:
        self._reader, self.language = Reader(language), language
        self._source: Mapping[str, Any] = self._reader.arguments(call, "form.object")
        self.cuts: list[str] = []

    def text(self, key: str, limit: int) -> str:
        """Return a text that must not be blank, at most `limit` characters of it."""
        text = self._reader.required_text(self._source, key, key, limit=10**9)
        return self._cut(text, key, limit)

    def given(self, key: str) -> Any:
        """Return a value as it was sent."""
        return self._source.get(key)

    def goals(self) -> tuple[str, ...]:
        """Return the goals of the steps; steps without one are dropped, and what is beyond the limit of a plan."""
        sent = self.given("steps")
        if sent is None or (isinstance(sent, str) and is_blank(sent)):
            raise Unusable(Refusal("BAD_ARGUMENT", say("bad_steps", self.language), "steps"))
        listed = self._reader.list_of(sent, "steps", "form.steps")
        goals = [self._cut(goal, "goal", MAX_GOAL) for goal in map(_goal, listed) if goal]
        if len(goals) > MAX_STEPS:
            self.cuts.append(say("cut_steps", self.language, limit=MAX_STEPS, count=len(goals)))
        return tuple(goals[:MAX_STEPS])

    def _cut(self, text: str, field: str, limit: int) -> str:
        if len(text) <= limit:
            return text
        self.cuts.append(say("cut_text", self.language, field=field, limit=limit))
        return text[: limit - 1] + "…"


def _goal(step: Any) -> str:
    """Return the goal of a step, on one line; empty: it has none."""
    if isinstance(step, str):
        decoded = parsed(step)
        step = decoded if isinstance(decoded, dict) else {"goal": step}
    goal = step.get("goal") if isinstance(step, dict) else None
    text = clean_shown(goal) if isinstance(goal, str) else ""
    return "" if is_blank(text) else " ".join(text.split())


def read_plan(call: ToolCall, language: str) -> Planned | Refusal:
    """Read a call of `solve_plan`."""
    return _read(call, language, lambda read: Proposal(read.text("analysis", MAX_ANALYSIS), read.goals()))


def read_replan(call: ToolCall, analysis: str, language: str) -> Planned | Refusal:
    """Read a call of `solve_replan`; the analysis is that of the plan it replaces."""
    return _read(call, language, lambda read: Proposal(analysis, reason=read.text("reason", MAX_REASON), goals=read.goals()))


def _read(call: ToolCall, language: str, proposal: Callable[[_Reading], Proposal]) -> Planned | Refusal:
    try:
        reading = _Reading(call, language)
        return Planned(proposal(reading), tuple(dict.fromkeys(reading.cuts)))
    except Unusable as unusable:
        return Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field)


def read_finish(call: ToolCall, language: str) -> Finished | Refusal:
    """Read a call of `solve_finish_step`."""
    try:
        reading = _Reading(call, language)
        step_id = reading.text("step_id", MAX_GOAL).strip().upper()
        summary = reading.text("summary", MAX_SUMMARY)
    except Unusable as unusable:
        return Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field)
    outcome: Any = reading.given("outcome") or "done"
    if outcome not in ("done", "failed"):
        return Refusal("BAD_ARGUMENT", say("bad_outcome", language), "outcome")
    return Finished(step_id, summary, outcome, tuple(reading.cuts))
