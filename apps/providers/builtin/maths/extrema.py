"""Largest and smallest values, and local extrema, compared with values on a dense grid."""

from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.checks import number_of
from apps.providers.builtin.maths.functions import Function
from apps.providers.builtin.maths.numeric import Undefined
from apps.providers.builtin.maths.outcome import CannotSolve, Outcome
from apps.providers.builtin.maths.printing import Written, latex, number_text, plain, write_value
from apps.providers.builtin.syntax import Node

_GRID = 400
_TINY = mpmath.mpf(10) ** -20


def extremes(formula: Node, name: str, task: str, interval: Node | None) -> Outcome:
    """Find the maximum, the minimum, or both (task extremes), or the local extrema. Raises CannotSolve."""
    function = Function(formula, name, interval)
    if task == "local_extrema":
        return _local_extrema(function)
    if function.poles():
        raise CannotSolve("pole_inside")
    outcome, points = Outcome(), function.critical_points()
    _show_way(outcome, function, points)
    candidates = list(dict.fromkeys([*points, *function.closed_ends()]))
    for kind in ("maximum", "minimum") if task == "extremes" else (task,):
        _extreme(outcome, function, kind, candidates)
    return outcome


def _show_way(outcome: Outcome, function: Function, points: list[Any]) -> None:
    outcome.step("derivative", formula=latex(function.derivative()), name=function.name)
    shown = r",\ ".join(f"{latex(function.unknown)} = {latex(point)}" for point in points)
    outcome.step("candidates" if points else "no_candidates", points=shown)
    for end in function.closed_ends():
        outcome.step("end_value", point=f"{latex(function.unknown)} = {latex(end)}", value=latex(function.exact(end)))


def _extreme(outcome: Outcome, function: Function, kind: str, candidates: list[Any]) -> None:
    """Take the best of the candidates, unless the function goes beyond it at an open end."""
    sign = 1 if kind == "maximum" else -1
    best = max((sign * function.value(point) for point in candidates), default=mpmath.mpf("-inf"))
    outer = [sign * (number_of(value) if value.is_finite else _infinite(value)) for value in function.open_end_values()]
    slack = _TINY * max(1, abs(best)) if mpmath.isfinite(best) else 0
    if max(outer, default=mpmath.mpf("-inf")) > best + slack:
        outcome.words = f"no_{kind}"
        outcome.note("unbounded" if mpmath.isinf(max(outer)) else "not_attained")
        _check_beyond(outcome, function, sign, best)
        return
    reached = [point for point in candidates if abs(sign * function.value(point) - best) <= slack]
    seen = function.grid(_GRID)
    if len(seen) < _GRID // 4 or any(sign * value > best + slack for _, value in seen):
        raise CannotSolve("check_failed")
    outcome.parts.append(_written(function, kind, reached))
    if any(
        sign * value >= best - slack and all(abs(point - number_of(other)) > 1e-9 for other in reached) for point, value in seen
    ):
        outcome.note("elsewhere")
    outcome.check("grid", count=str(len(seen)))


def _infinite(value: Any) -> Any:
    return mpmath.mpf("inf") if value == sympy.oo else mpmath.mpf("-inf")


def _check_beyond(outcome: Outcome, function: Function, sign: int, best: Any) -> None:
    """Find a value beyond every candidate, which shows that none of them is the extreme. Raises CannotSolve."""
    ends = [mpmath.mpf(10) ** 6, -(mpmath.mpf(10) ** 6)]
    ends += [number_of(end) + shift for end in (function.low, function.high) if end.is_finite for shift in (1e-9, -1e-9)]
    for point in ends:
        try:
            value = function.value(point) if function.contains(sympy.Float(point)) else None
        except Undefined:
            continue
        if value is not None and sign * value > best:
            outcome.check("beyond", point=number_text(point, 8), value=number_text(value, 8), name=function.name)
            return
    raise CannotSolve("check_failed")


def _written(function: Function, kind: str, reached: list[Any]) -> Written:
    value = write_value(function.exact(reached[0]))
    where = ", ".join(f"{function.name} = {plain(point)}" for point in reached)
    where_latex = r",\ ".join(f"{latex(function.unknown)} = {latex(point)}" for point in reached)
    short = {"maximum": "max", "minimum": "min"}[kind]
    return Written(
        f"{short} = {value.plain} ({where})",
        rf"\{short} = {value.latex}\quad ({where_latex})",
        f"{short} {value.value} ({where})" if value.value else "",
        terminates=value.terminates,
    )


# --- local extrema -----------------------------------------------------------------------------------
def _local_extrema(function: Function) -> Outcome:
    outcome, points = Outcome(), function.critical_points()
    _show_way(outcome, function, points)
    for point in points:
        kind = _kind_at(function, point)
        if kind:
            outcome.parts.append(_written(function, kind, [point]))
    if not outcome.parts:
        outcome.words = "no_local_extrema"
    outcome.check("neighbours")
    return outcome


def _kind_at(function: Function, point: Any) -> str:
    """Compare a critical point with its neighbours on both sides, nearer and nearer."""
    centre, here = number_of(point), function.value(point)
    kinds = set()
    for exponent in (3, 5, 7):
        step = mpmath.mpf(10) ** -exponent
        try:
            before, after = function.value(centre - step), function.value(centre + step)
        except Undefined:
            return ""
        kinds.add("maximum" if before < here > after else "minimum" if before > here < after else "")
    if len(kinds) > 1:
        raise CannotSolve("check_failed")
    return kinds.pop()
