"""The turns of a drawing: run its program where the tool for that is offered, then say what was drawn."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from apps.providers.builtin.answer import Line, outline, verified
from apps.providers.builtin.cards import code
from apps.providers.builtin.conversation import json_object, result_of
from apps.providers.builtin.deciding import Solved
from apps.providers.builtin.planning import Move
from apps.providers.builtin.plotting import PICTURE, program_of, range_of, title_of
from apps.providers.builtin.render import plain
from apps.providers.builtin.wording import say

RUN_TOOL = "code_execution"


def next_drawing(decision: Solved, messages: Sequence[Mapping[str, Any]], offered: Collection[str], language: str) -> Move | str:
    """Return the call that draws, or the text that ends the run."""
    program = program_of(decision.problem)
    result = result_of(messages, RUN_TOOL, "code", program)
    if result is not None:
        return _answer(_outcome(decision, result, language), decision, language)
    if RUN_TOOL not in offered:
        return _answer([say("plot.not_offered", language)], decision, language)
    return Move(RUN_TOOL, {"language": "python", "code": program})


def _outcome(decision: Solved, result: Mapping[str, Any], language: str) -> list[str]:
    """Say what came of the program: what it drew, or why there is no picture."""
    names = [file.get("name") for file in result.get("files") or () if isinstance(file, dict)]
    if result.get("status") != "done" or result.get("exit_code") != 0 or PICTURE not in names:
        return [say("plot.failed", language, why=code(_why(result)))]
    drawn = json_object(str(result.get("stdout", "")))
    low, high = (code(plain(end)) for end in range_of(decision.problem.low, decision.problem.high))
    formula = code(title_of(decision.problem))
    said = [say("plot.drawn", language, formula=formula, low=low, high=high, picture=code(PICTURE))]
    said += [say("plot.empty", language)] if drawn.get("points") == 0 else []
    return said + ([say("plot.cut", language)] if drawn.get("is_cut") else [])


def _why(result: Mapping[str, Any]) -> str:
    """Return the most telling words of a failure: the tool's own, or the program's last line."""
    lines = str(result.get("stderr") or "").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return str(result.get("message") or last or f"{result.get('status', '?')}, exit code {result.get('exit_code', '?')}")[:300]


def _answer(begin: Sequence[str], decision: Solved, language: str) -> str:
    lines = outline(decision.problem, decision.outcome, decision.form, language)
    blocks = [say("result", language, result=begin[0]), *(say("note", language, note=note) for note in begin[1:])]
    blocks += [say("read", language, reading=text) for text in _texts(lines, "reading")]
    if decision.problem.low is None:
        blocks.append(say("note", language, note=say("plot.usual_range", language)))
    blocks += [say("plot.zeros", language, zeros=text) for text in _texts(lines, "result")]
    checks = _texts(lines, "check")
    blocks += [verified(checks, language)] if checks else []
    return "\n\n".join(blocks + [say("note", language, note=text) for text in _texts(lines, "note")])


def _texts(lines: Sequence[Line], kind: str) -> list[str]:
    return [line.text for line in lines if line.kind == kind and line.text]
