"""Problems that are done by another tool: call it, in a plan as a step, then say what came of it."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.providers.builtin.conversation import checkpoint_in, last_words, result_of
from apps.providers.builtin.deciding import Solved
from apps.providers.builtin.planning import Move, next_move
from apps.providers.builtin.progress import FINISH, SOLVE_TOOLS, read_progress
from apps.providers.builtin.wording import say


@dataclass(frozen=True, slots=True)
class Brought:
    """What came of the call, in words; `is_there`: it brought what was wanted."""

    words: str
    is_there: bool


@dataclass(frozen=True, slots=True)
class Errand:
    """One kind of them.

    `call` returns the tool's arguments, of which `key` tells two calls apart. `read` reads the result, `answer` writes the
    answer around its words. `family` begins the keys of the sentences; ``plan.method.<family>`` is the goal of the step.
    """

    tool: str
    key: str
    family: str
    call: Callable[[Solved], dict[str, Any]]
    read: Callable[[Solved, Mapping[str, Any], str], Brought]
    answer: Callable[[Solved, str, str], str]


def next_errand(
    errand: Errand, decision: Solved, messages: Sequence[Mapping[str, Any]], offered: Collection[str], language: str
) -> Move | str:
    """Return the call, a move of the plan that it is a step of, or the text that ends the run."""
    arguments = errand.call(decision)
    goal = say(f"plan.method.{errand.family}", language)
    result = result_of(messages, errand.tool, errand.key, arguments[errand.key])
    brought = _kept(messages, goal) if result is None else errand.read(decision, result, language)
    if brought is None and errand.tool not in offered:
        return errand.answer(decision, say(f"{errand.family}.not_offered", language), language)
    call = Move(errand.tool, arguments)
    if not set(offered) >= SOLVE_TOOLS:
        return call if brought is None else errand.answer(decision, brought.words, language)
    progress = read_progress(messages)
    if not progress.is_refused and progress.goals.get(progress.current) == goal:
        return call if brought is None else _finish(progress.current, brought)
    words = say(f"{errand.family}.left_out", language) if brought is None else brought.words
    return next_move(decision, progress, errand.answer(decision, words, language), language)


def _finish(step: str, brought: Brought) -> Move:
    outcome = {} if brought.is_there else {"outcome": "failed"}
    return Move(FINISH, {"step_id": step, "summary": brought.words} | outcome)


def _kept(messages: Sequence[Mapping[str, Any]], goal: str) -> Brought | None:
    """Return what a checkpoint has kept of the step, after the call itself was folded away."""
    start = last_words(messages)
    steps = [step for message in messages[start or 0 :] for step in checkpoint_in(message).get("steps", ())]
    kept = [step for step in steps if step["goal"] == goal and step.get("summary")]
    return Brought(str(kept[-1]["summary"]), kept[-1].get("status") != "failed") if kept else None
