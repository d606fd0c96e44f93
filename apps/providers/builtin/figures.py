"""Points with coordinates and one measure of them, in a few fixed sentences; the tool for figures computes it exactly."""

import re
from collections.abc import Mapping
from itertools import chain
from typing import Any

from apps.providers.builtin.answer import reading
from apps.providers.builtin.cards import code
from apps.providers.builtin.deciding import Solved
from apps.providers.builtin.errands import Brought, Errand
from apps.providers.builtin.pointing import MEASURES
from apps.providers.builtin.render import plain
from apps.providers.builtin.wording import say

_FORMS = {
    "area": ("shape = Polygon({})", "result = Area(shape)"),
    "distance": ("shape = Segment({})", "result = Distance({})"),
    "midpoint": ("shape = Segment({})", "result = Midpoint({})"),
}
"""The commands after the points; the measure is the last one."""
_PLAIN = re.compile(r"-?\d+|\(-?\d+, -?\d+\)")


def _call(decision: Solved) -> dict[str, Any]:
    problem = decision.problem
    names = ", ".join(problem.variables)
    commands = chain(map(plain, problem.formulas), (form.format(names) for form in _FORMS[problem.task]))
    return {"commands": list(commands)}


def _read(decision: Solved, result: Mapping[str, Any], language: str) -> Brought:
    """Take the measure out of the tool's objects, or say why there is none."""
    objects = [each for each in result.get("objects") or () if isinstance(each, dict) and each.get("name") == "result"]
    if result.get("status") != "done" or not objects or not objects[0].get("exact"):
        why = str(result.get("message") or result.get("status", "?"))[:300]
        return Brought(say("figure.failed", language, why=code(why)), False)
    exact, value = str(objects[0]["exact"]), objects[0].get("value")
    shown = code(exact) if _PLAIN.fullmatch(exact) or not isinstance(value, (int, float)) else f"{code(exact)} ≈ {value:.12g}"
    names = ", ".join(decision.problem.variables)
    return Brought(say(f"figure.{decision.problem.task}", language, names=names, value=shown), True)


def _answer(decision: Solved, words: str, language: str) -> str:
    return f"{say('result', language, result=words)}\n\n{say('read', language, reading=reading(decision.problem, language))}"


FIGURE = Errand("geogebra_analysis", "commands", "figure", _call, _read, _answer)
FIGURES = dict.fromkeys(MEASURES, FIGURE)
