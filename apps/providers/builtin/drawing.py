"""The turns of a drawing: run its program where the tool for that is offered, in a plan as a step, then say what was drawn."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.providers.builtin.answer import Line, outline, verified
from apps.providers.builtin.cards import code
from apps.providers.builtin.conversation import checkpoint_in, json_object, last_words, result_of
from apps.providers.builtin.deciding import Solved
from apps.providers.builtin.planning import Move, next_move
from apps.providers.builtin.plotting import PICTURE, program_of, range_of, title_of
from apps.providers.builtin.progress import FINISH, SOLVE_TOOLS, read_progress
from apps.providers.builtin.render import plain
from apps.providers.builtin.wording import say

RUN_TOOL = "code_execution"


@dataclass(frozen=True, slots=True)
class Drawn:
    """What came of the program, in words; `is_there`: the picture is there."""

    words: str
    is_there: bool


def next_drawing(decision: Solved, messages: Sequence[Mapping[str, Any]], offered: Collection[str], language: str) -> Move | str:
    """Return the call that draws, a move of the plan that it is a step of, or the text that ends the run."""
    program = program_of(decision.problem)
    result = result_of(messages, RUN_TOOL, "code", program)
    drawn = _kept(messages, language) if result is None else _drawn(decision, result, language)
    if drawn is None and RUN_TOOL not in offered:
        return _answer(say("plot.not_offered", language), decision, language)
    call = Move(RUN_TOOL, {"language": "python", "code": program})
    if not set(offered) >= SOLVE_TOOLS:
        return call if drawn is None else _answer(drawn.words, decision, language)
    progress = read_progress(messages)
    if not progress.is_refused and progress.goals.get(progress.current) == say("plan.method.plot", language):
        return call if drawn is None else _finish(progress.current, drawn)
    words = say("plot.left_out", language) if drawn is None else drawn.words
    return next_move(decision, progress, _answer(words, decision, language), language)


def _finish(step: str, drawn: Drawn) -> Move:
    outcome = {} if drawn.is_there else {"outcome": "failed"}
    return Move(FINISH, {"step_id": step, "summary": drawn.words} | outcome)


def _kept(messages: Sequence[Mapping[str, Any]], language: str) -> Drawn | None:
    """Return what a checkpoint has kept of the step that drew, after the program itself was folded away."""
    start = last_words(messages)
    steps = [step for message in messages[start or 0 :] for step in checkpoint_in(message).get("steps", ())]
    goal = say("plan.method.plot", language)
    kept = [step for step in steps if step["goal"] == goal and step.get("summary")]
    return Drawn(str(kept[-1]["summary"]), kept[-1].get("status") != "failed") if kept else None


def _drawn(decision: Solved, result: Mapping[str, Any], language: str) -> Drawn:
    """Say what the program drew, or why there is no picture."""
    names = [file.get("name") for file in result.get("files") or () if isinstance(file, dict)]
    if result.get("status") != "done" or result.get("exit_code") != 0 or PICTURE not in names:
        return Drawn(say("plot.failed", language, why=code(_why(result))), False)
    facts = json_object(str(result.get("stdout", "")))
    low, high = (code(plain(end)) for end in range_of(decision.problem.low, decision.problem.high))
    title = code(title_of(decision.problem))
    said = [say("plot.drawn", language, formula=title, low=low, high=high, picture=code(PICTURE))]
    said += [say("plot.empty", language)] if facts.get("points") == 0 else []
    said += [say("plot.cut", language)] if facts.get("is_cut") else []
    return Drawn(("" if language == "zh" else " ").join(said), True)


def _why(result: Mapping[str, Any]) -> str:
    """Return the most telling words of a failure: the tool's own, or the program's last line."""
    lines = str(result.get("stderr") or "").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return str(result.get("message") or last or f"{result.get('status', '?')}, exit code {result.get('exit_code', '?')}")[:300]


def _answer(begin: str, decision: Solved, language: str) -> str:
    lines = outline(decision.problem, decision.outcome, decision.form, language)
    blocks = [say("result", language, result=begin)]
    blocks += [say("read", language, reading=text) for text in _texts(lines, "reading")]
    if decision.problem.low is None:
        blocks.append(say("note", language, note=say("plot.usual_range", language)))
    blocks += [say("plot.zeros", language, zeros=text) for text in _texts(lines, "result")]
    checks = _texts(lines, "check")
    blocks += [verified(checks, language)] if checks else []
    return "\n\n".join(blocks + [say("note", language, note=text) for text in _texts(lines, "note")])


def _texts(lines: Sequence[Line], kind: str) -> list[str]:
    return [line.text for line in lines if line.kind == kind and line.text]
