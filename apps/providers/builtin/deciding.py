"""What to do with a text under the choices made so far: answer it, ask one thing more, or say why not."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

from apps.providers.builtin.limits import LONGEST_TEXT
from apps.providers.builtin.pointing import read_points
from apps.providers.builtin.problem import Problem
from apps.providers.builtin.reading import is_small_talk, read
from apps.providers.builtin.refusals import NotUnderstood, OutOfReach, TooLarge
from apps.providers.builtin.settling import (
    Choice,
    choice_of_reading,
    domain_choice,
    form_choice,
    has_decimals,
    open_choice,
    settled,
)
from apps.sandbox.errors import OutOfMemory, SandboxError, TimedOut


@dataclass(frozen=True, slots=True)
class Greet:
    """Say what this is: the text is no problem."""


@dataclass(frozen=True, slots=True)
class Rephrase:
    """Ask for the problem in other words: these parts were not understood."""

    parts: tuple[str, ...]
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Say why it is not computed; `reason` is the key of a sentence."""

    reason: str
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Choose:
    """Ask for one choice."""

    choice: Choice


@dataclass(frozen=True, slots=True)
class Solved:
    """Give the result: `outcome` is what the worker returned, `form` is exact, decimal or empty.

    `ran_out`: exact solving took too long, and numbers were used in its place.
    """

    problem: Problem
    outcome: dict[str, Any]
    form: str = ""
    ran_out: bool = False


_NOTHING_YET: dict[str, Any] = {
    "parts": [], "join": "comma", "words": "", "values": {}, "short": None, "steps": [], "checks": [], "notes": [],
}  # fmt: skip
"""The outcome of what another tool is to find."""
Decision = Greet | Rephrase | Refuse | Choose | Solved
Compute = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Runs a job in the worker. Raises SandboxError."""


async def decide(text: str, chosen: frozenset[str], compute: Compute) -> Decision:
    """Decide what to do. Equal arguments give equal decisions."""
    if is_small_talk(text):
        return Greet()
    try:
        if len(text) <= LONGEST_TEXT and (figure := read_points(text)) is not None:
            return Solved(figure, _NOTHING_YET)
        reading = read(text, chosen)
        if reading.fork is not None:
            return Choose(choice_of_reading(reading.fork))
        assert reading.problem is not None
        return await _decide_problem(reading.problem, chosen, compute)
    except NotUnderstood as refusal:
        return Rephrase(refusal.parts, refusal.hint)
    except TooLarge as refusal:
        return Refuse(f"large_{refusal.limit}")
    except OutOfReach as refusal:
        return Refuse(f"beyond_{refusal.topic}")


async def _decide_problem(problem: Problem, chosen: frozenset[str], compute: Compute) -> Decision:
    choice = open_choice(problem, chosen)
    if choice is not None and not choice.compares:
        return Choose(choice)
    if choice is None:
        return await _compute(settled(problem, chosen), chosen | problem.settings, compute)
    branches = [await _decide_problem(problem, chosen | {option}, compute) for option, _ in choice.options]
    same = all(isinstance(branch, Solved) for branch in branches) and len({_result(branch) for branch in branches}) == 1
    if not same:
        return Choose(choice)
    first = branches[0]
    assert isinstance(first, Solved)
    return replace(first, outcome={**first.outcome, "notes": [*first.outcome["notes"], (f"any_{choice.kind}", {})]})


def _result(decision: Decision) -> str:
    """Return what decides whether two results are the same."""
    assert isinstance(decision, Solved)
    return repr((decision.outcome["words"], [part["plain"] for part in decision.outcome["parts"]]))


async def _compute(problem: Problem, chosen: frozenset[str], compute: Compute, *, is_numeric: bool = False) -> Decision:
    domain = next((choice.partition(":")[2] for choice in sorted(chosen) if choice.startswith("domain:")), "")
    try:
        outcome = await compute({**problem.to_job(), "domain": domain, "is_numeric": is_numeric})
    except TimedOut:
        may_be_numeric = problem.task in ("solve", "plot") and domain != "complex" and not is_numeric
        return await _compute(problem, chosen, compute, is_numeric=True) if may_be_numeric else Refuse("timed_out", problem)
    except OutOfMemory:
        return Refuse("out_of_memory", problem)
    except SandboxError:
        return Refuse("worker_failed", problem)
    if outcome["status"] == "domain":
        return Choose(domain_choice(problem))
    if outcome["status"] == "cannot":
        reason = "timed_out" if is_numeric else f"cannot_{outcome['reason']}"
        return Refuse(reason, problem)
    decision = _solved(problem, outcome, chosen)
    return replace(decision, ran_out=is_numeric) if isinstance(decision, Solved) else decision


def _solved(problem: Problem, outcome: dict[str, Any], chosen: frozenset[str]) -> Decision:
    form = next((choice.partition(":")[2] for choice in sorted(chosen) if choice.startswith("form:")), "")
    if form or problem.task == "plot" or not has_decimals(problem):
        return Solved(problem, outcome, form)
    parts = outcome["parts"]
    if any(part["decimal"] and not part["terminates"] for part in parts):
        return Choose(form_choice(problem, *(_line(parts, key) for key in ("plain", "decimal"))))
    return Solved(problem, outcome, "decimal")


def _line(parts: list[dict[str, Any]], key: str) -> str:
    return ", ".join(part[key] or part["plain"] for part in parts)
