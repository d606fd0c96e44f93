"""A drawing as an errand: its program is run by the tool for that, and the answer says what was drawn."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.providers.builtin.answer import Line, outline, verified
from apps.providers.builtin.cards import code
from apps.providers.builtin.conversation import json_object
from apps.providers.builtin.deciding import Solved
from apps.providers.builtin.errands import Brought, Errand
from apps.providers.builtin.plotting import PICTURE, program_of, range_of, title_of
from apps.providers.builtin.render import plain
from apps.providers.builtin.wording import say


def _call(decision: Solved) -> dict[str, Any]:
    return {"language": "python", "code": program_of(decision.problem)}


def _drawn(decision: Solved, result: Mapping[str, Any], language: str) -> Brought:
    """Say what the program drew, or why there is no picture."""
    names = [file.get("name") for file in result.get("files") or () if isinstance(file, dict)]
    if result.get("status") != "done" or result.get("exit_code") != 0 or PICTURE not in names:
        return Brought(say("plot.failed", language, why=code(_why(result))), False)
    facts = json_object(str(result.get("stdout", "")))
    low, high = (code(plain(end)) for end in range_of(decision.problem.low, decision.problem.high))
    title = code(title_of(decision.problem))
    said = [say("plot.drawn", language, formula=title, low=low, high=high, picture=code(PICTURE))]
    said += [say("plot.empty", language)] if facts.get("points") == 0 else []
    said += [say("plot.cut", language)] if facts.get("is_cut") else []
    return Brought(("" if language == "zh" else " ").join(said), True)


def _why(result: Mapping[str, Any]) -> str:
    """Return the most telling words of a failure: the tool's own, or the program's last line."""
    lines = str(result.get("stderr") or "").split("\n")
    last = next((line for line in reversed(lines) if line.strip()), "")
    return str(result.get("message") or last or f"{result.get('status', '?')}, exit code {result.get('exit_code', '?')}")[:300]


def _answer(decision: Solved, words: str, language: str) -> str:
    lines = outline(decision.problem, decision.outcome, decision.form, language)
    blocks = [say("result", language, result=words)]
    blocks += [say("read", language, reading=text) for text in _texts(lines, "reading")]
    if decision.problem.low is None:
        blocks.append(say("note", language, note=say("plot.usual_range", language)))
    blocks += [say("plot.zeros", language, zeros=text) for text in _texts(lines, "result")]
    checks = _texts(lines, "check")
    blocks += [verified(checks, language)] if checks else []
    return "\n\n".join(blocks + [say("note", language, note=text) for text in _texts(lines, "note")])


def _texts(lines: Sequence[Line], kind: str) -> list[str]:
    return [line.text for line in lines if line.kind == kind and line.text]


DRAWING = Errand("code_execution", "code", "plot", _call, _drawn, _answer)
