"""The next move of a planned run: propose the plan, finish the current step, replan, or write the answer.

The solver knows its result before it plans; what it does not know is another way. So its plan is the outline of its answer,
and each step is finished with the lines of the outline that belong to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from apps.providers.builtin.answer import Line, outline, reading
from apps.providers.builtin.deciding import Decision, Solved
from apps.providers.builtin.progress import FINISH, PLAN, REPLAN, Progress
from apps.providers.builtin.wording import say

MOST_PROPOSALS = 2
"""So often a plan is proposed: as it is, and once more with the method in two steps."""
_METHODS = {
    **dict.fromkeys(("solve", "derivative", "integral", "limit"), ""),
    **dict.fromkeys(("maximum", "minimum", "extremes", "local_extrema"), "extrema"),
    "plot": "plot",
    **dict.fromkeys(("area", "distance", "midpoint"), "figure"),
    **dict.fromkeys(("factor", "expand", "simplify"), "rewrite"),
    **dict.fromkeys(("prime_factors", "is_prime", "gcd", "lcm", "remainder"), "numbers"),
}
_BY_TOOLS = frozenset(("plot", "figure"))


@dataclass(frozen=True, slots=True)
class Move:
    """A call of a solve tool."""

    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Part:
    """One step that this solver can do: what it is to establish, and what it established."""

    goal: str
    summary: str


def next_move(decision: Decision, progress: Progress, answer: str, language: str) -> Move | str:
    """Return the call to make, or the text that ends the run; `answer` is that text where nothing else is to be said."""
    if progress.is_refused:
        return answer
    if progress.current:
        return _work(decision, progress, answer, language)
    if progress.goals or not isinstance(decision, Solved):
        return answer
    if progress.is_closed:
        return say("plan.closed", language)
    if progress.rejections >= MOST_PROPOSALS:
        return say("plan.given_up", language)
    return _propose(decision, language, is_revised=progress.rejections > 0)


def _propose(decision: Solved, language: str, *, is_revised: bool) -> Move:
    parts = _parts(decision, language)
    analysis = say("plan.analysis", language, reading=reading(decision.problem, language))
    if is_revised:
        # A wish about the plan is a sentence, and sentences are beyond this solver: it says so, and shows what it can.
        split = _parts(decision, language, pieces=2)
        analysis += " " + say("plan.split" if len(split) > len(parts) else "plan.same", language)
        parts = split
    return Move(PLAN, {"analysis": analysis, "steps": _goals(parts)})


def _work(decision: Decision, progress: Progress, answer: str, language: str) -> Move:
    """Do the current step; where exact solving ran out of time, change the plan first."""
    goal = progress.goals[progress.current]
    if not isinstance(decision, Solved):
        return _finish(progress.current, answer, outcome="failed")
    parts, numeric = _parts(decision, language), _numeric(decision, language)
    if decision.ran_out and goal in {part.goal for pieces in (1, 2) for part in _method(decision, language, pieces)}:
        if progress.has_replanned:
            return _finish(progress.current, say("plan.ran_out", language), outcome="failed")
        steps = _goals([numeric, *parts[1 + len(_method(decision, language, 1)) :]])
        return Move(REPLAN, {"reason": say("plan.ran_out", language), "steps": steps})
    known = {part.goal: part.summary for part in (*_parts(decision, language, pieces=2), *parts, numeric)}
    if goal in known:
        return _finish(progress.current, known[goal])
    return _finish(progress.current, say("plan.unknown_step", language), outcome="failed")


def _finish(step: str, summary: str, **outcome: str) -> Move:
    return Move(FINISH, {"step_id": step, "summary": summary, **outcome})


def _goals(parts: Sequence[Part]) -> list[dict[str, str]]:
    return [{"goal": part.goal} for part in parts]


# --- what the steps are ----------------------------------------------------------------------------------


def _parts(decision: Solved, language: str, pieces: int = 1) -> list[Part]:
    """Return the steps in order, the method in so many pieces if it has as many steps."""
    lines = _lines(decision, language)
    goal = "plan.zeros" if decision.problem.task == "plot" else "plan.result"
    return [
        Part(say("plan.restate", language), _text(lines, "reading")),
        *_method(decision, language, pieces),
        *(Part(say(goal, language), text) for text in [_text(lines, "result", "note")] if text),
        *(Part(say("plan.check", language), text) for text in [_text(lines, "check")] if text),
    ]


def _method(decision: Solved, language: str, pieces: int) -> list[Part]:
    steps = [line for line in _lines(decision, language) if line.kind == "step"]
    task = decision.problem.task
    goal = say(f"plan.method.{_METHODS.get(task, 'compute') or task}", language)
    if _METHODS.get(task) in _BY_TOOLS:
        # What it establishes is known when the tool was called (errands.py).
        return [Part(goal, "")]
    if len(steps) < 2 or pieces == 1:
        return [Part(goal, _text(steps, "step"))] if steps else []
    middle = len(steps) // 2
    goals = [say("plan.first_part", language, goal=goal), say("plan.second_part", language, goal=goal)]
    return [Part(goals[0], _text(steps[:middle], "step")), Part(goals[1], _text(steps[middle:], "step"))]


def _numeric(decision: Solved, language: str) -> Part:
    return Part(say("plan.numeric", language), _text(_lines(decision, language), "step"))


def _lines(decision: Solved, language: str) -> list[Line]:
    return outline(decision.problem, decision.outcome, decision.form, language)


def _text(lines: Sequence[Line], *kinds: str) -> str:
    return "\n".join(line.text for line in lines if line.kind in kinds and line.text)
