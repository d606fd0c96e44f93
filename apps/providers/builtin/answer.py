"""A result in words: first the outline (reading, steps, result, checks), then the outline as Markdown."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from apps.providers.builtin.problem import Problem
from apps.providers.builtin.render import latex
from apps.providers.builtin.syntax import symbol
from apps.providers.builtin.wording import say

# Values of sentences that are formulas, and are set between dollar signs.
_FORMULAS = frozenset(
    (
        "formula",
        "solution",
        "left",
        "right",
        "after",
        "before",
        "low",
        "high",
        "point",
        "points",
        "value",
        "sides",
        "interval",
        "condition",
        "name",
    )
)


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to say: a plan's restatement, its steps, result and verification are lines of the same outline."""

    kind: Literal["result", "reading", "step", "check", "note"]
    text: str


def outline(problem: Problem, outcome: Mapping[str, Any], form: str, language: str) -> list[Line]:
    """Return what there is to say, in the order of thinking: reading, steps, result, checks, notes."""
    lines = [Line("reading", reading(problem, language))]
    lines += [Line("step", _sentence("step", step, language)) for step in outcome["steps"]]
    lines.append(Line("result", _result(outcome, form, language)))
    lines += [Line("check", _sentence("check", check, language)) for check in outcome["checks"]]
    return lines + [Line("note", _sentence("note", note, language)) for note in outcome["notes"]]


def markdown(problem: Problem, outcome: Mapping[str, Any], form: str, language: str) -> str:
    """Write the answer: the result first, then how it was read, found and verified."""
    lines = outline(problem, outcome, form, language)
    blocks = [say("result", language, result=text) for text in _texts(lines, "result")]
    blocks.append(_formulas(outcome, language))
    blocks += [say("read", language, reading=text) for text in _texts(lines, "reading")]
    steps = [f"{place}. {text}" for place, text in enumerate(_texts(lines, "step"), start=1)]
    blocks.append("\n".join([say("way", language), "", *steps]) if steps else "")
    blocks.append(verified(_texts(lines, "check"), language))
    blocks += [say("note", language, note=text) for text in _texts(lines, "note")]
    return "\n\n".join(block for block in blocks if block)


def verified(checks: list[str], language: str) -> str:
    """Say how a result was verified."""
    if len(checks) == 1:
        return say("verified", language, check=checks[0])
    return "\n".join([say("verified", language, check="").strip(), "", *(f"- {check}" for check in checks)])


def reading(problem: Problem, language: str) -> str:
    """Say how the problem was read."""
    names = ", ".join(_maths(latex(symbol(name))) for name in problem.variables)
    values = {
        "formulas": ", ".join(_maths(latex(formula)) for formula in problem.formulas),
        "names": names,
        "order": str(problem.order),
        "first": _maths(latex(problem.formulas[0])),
        "second": _maths(latex(problem.formulas[-1])),
        "low": _maths(latex(problem.low)) if problem.low else "",
        "high": _maths(latex(problem.high)) if problem.high else "",
    }
    key = {
        "derivative": "derivative_n" if problem.order > 1 else "derivative",
        "integral": "definite" if problem.low else "integral",
        "plot": "plot_range" if problem.low else "plot",
    }
    text = say(f"read.{key.get(problem.task, problem.task)}", language, **values)
    if problem.point and problem.task != "limit":
        text = say("read.point", language, reading=text, names=names, point=_maths(latex(problem.point)))
    if problem.interval:
        where = _maths(latex(problem.interval))
        where = say("read.interval_of", language, names=names, interval=where) if problem.interval.head == "interval" else where
        text = say("read.interval", language, reading=text, interval=where)
    return text


def _texts(lines: Iterable[Line], kind: str) -> list[str]:
    return [line.text for line in lines if line.kind == kind]


def _sentence(family: str, said: tuple[str, Mapping[str, str]], language: str) -> str:
    key, values = said
    return say(
        f"{family}.{key}", language, **{name: _maths(value) if name in _FORMULAS else value for name, value in values.items()}
    )


def _maths(formula: str) -> str:
    return f"${formula}$"


def _result(outcome: Mapping[str, Any], form: str, language: str) -> str:
    """Write the result on one readable line; formulas in it are code, so that no sign is taken for Markdown."""
    parts, join = outcome["parts"], say(f"join.{outcome['join']}", language)
    lines = [join.join(f"`{_exact(part)}`" for part in parts)]
    if outcome["short"]:
        lines[0] += f" (`{outcome['short']['plain']}`)"
    if any(part["decimal"] and (form == "decimal" or not part["value"]) for part in parts):
        lines.append(join.join(f"`{part['decimal'] or part['plain']}`" for part in parts))
    if form == "decimal":
        lines.reverse()
    return "; ".join(line for line in (*lines, _words(outcome, language)) if line)


def _exact(part: Mapping[str, Any]) -> str:
    return f"{part['plain']} {part['value']}".strip()


def _words(outcome: Mapping[str, Any], language: str) -> str:
    if not outcome["words"]:
        return ""
    values = {
        name: f"`{value}`" if outcome["words"] != "no_limit" else _maths(value) for name, value in outcome["values"].items()
    }
    return say(f"words.{outcome['words']}", language, **values)


def _formulas(outcome: Mapping[str, Any], language: str) -> str:
    """Set the exact result in LaTeX, on a line of its own."""
    if not outcome["parts"]:
        return ""
    join = say(f"join.{outcome['join']}", language)
    return join.join(_maths(part["latex"]) for part in outcome["parts"]) + (
        f" ({_maths(outcome['short']['latex'])})" if outcome["short"] else ""
    )
