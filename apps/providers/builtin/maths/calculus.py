"""Derivatives, integrals and limits, each checked by numbers that SymPy's result had no part in."""

from itertools import pairwise
from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.approach import approached
from apps.providers.builtin.maths.build import build, letter
from apps.providers.builtin.maths.checks import check_equal, is_close, number_of, value_of_tree
from apps.providers.builtin.maths.numeric import Undefined, evaluate
from apps.providers.builtin.maths.outcome import CannotSolve, Outcome
from apps.providers.builtin.maths.printing import Written, latex, number_text, write_value
from apps.providers.builtin.maths.scan import real_zeros
from apps.providers.builtin.syntax import Node, letters, number, walk

_LARGEST_ORDER = 10


# --- derivatives -------------------------------------------------------------------------------------
def differentiate(formula: Node, name: str, order: int, point: Node | None) -> Outcome:
    """Differentiate, and evaluate at a point if one is given. Raises CannotSolve."""
    if not 1 <= order <= _LARGEST_ORDER:
        raise CannotSolve("order")
    # Real letters: the derivative of |x| is sign(x).
    real = frozenset((*letters(formula), name))
    outcome, result, unknown = Outcome(), build(formula, real=real), letter(name, real=real)
    for step in range(order):
        previous, result = result, _shortest(sympy.diff(result, unknown))
        outcome.step("differentiate", before=latex(previous), after=latex(result), name=name, order=str(step + 1))
    names = tuple(dict.fromkeys((*letters(formula), name)))
    count = check_equal(names, lambda values: _difference_quotient(formula, name, order, values), result, digits=10)
    outcome.check("difference_quotient", count=str(count))
    if point is not None:
        result = sympy.simplify(result.subs(unknown, build(point)))
        outcome.step("substitute", name=name, point=latex(build(point)))
    outcome.parts = [write_value(_finite(result))]
    return outcome


def _difference_quotient(formula: Node, name: str, order: int, values: dict[str, Any]) -> Any:
    """Approximate the derivative from values of the formula alone: central differences with a tiny step."""
    with mpmath.workdps(200):
        step = mpmath.mpf(10) ** (-80 // (order + 1))
        total = mpmath.mpf(0)
        for place in range(order + 1):
            shift = (mpmath.mpf(order) / 2 - place) * step
            total += (-1) ** place * mpmath.binomial(order, place) * evaluate(formula, {**values, name: values[name] + shift})
        return total / step**order


def _shortest(expression: Any) -> Any:
    """Return the shortest of a few equal forms."""
    return min(
        (expression, sympy.factor(expression), sympy.simplify(expression)), key=lambda form: (form.count_ops(), len(str(form)))
    )


def _finite(value: Any) -> Any:
    if value.has(sympy.nan, sympy.zoo, sympy.oo):
        raise CannotSolve("undefined")
    return value


# --- integrals ---------------------------------------------------------------------------------------
def integrate(formula: Node, name: str, low: Node | None, high: Node | None) -> Outcome:
    """Integrate, between bounds if they are given. Raises CannotSolve."""
    if low is None or high is None:
        return _indefinite(formula, name)
    return _definite(formula, name, low, high)


def _antiderivative(formula: Node, name: str) -> Any:
    found = sympy.integrate(build(formula), letter(name))
    if found.has(sympy.Integral, sympy.Piecewise):
        raise CannotSolve("no_antiderivative")
    return _shortest(found)


def _indefinite(formula: Node, name: str) -> Outcome:
    outcome, found = Outcome(), _antiderivative(formula, name)
    count = check_equal(tuple(dict.fromkeys((*letters(formula), name))), value_of_tree(formula), sympy.diff(found, letter(name)))
    outcome.step("antiderivative", formula=latex(found), name=name)
    written = write_value(found) if found.free_symbols else write_value(found * letter(name))
    outcome.parts = [Written(f"{written.plain} + C", f"{written.latex} + C")]
    outcome.note("constant")
    if found.has(sympy.log):
        outcome.note("logarithm")
    outcome.check("differentiated", count=str(count))
    return outcome


def _definite(formula: Node, name: str, low: Node, high: Node) -> Outcome:
    outcome = Outcome()
    bounds = [build(bound) for bound in (low, high)]
    if name in letters(low, high):
        raise CannotSolve("bounds")
    if letters(formula, low, high) and set(letters(formula, low, high)) - {name}:
        return _parametric_definite(outcome, formula, name, low, high)
    numeric = _quadrature(formula, name, bounds)
    exact = sympy.simplify(sympy.integrate(build(formula), (letter(name), *bounds)))
    if numeric is None:
        raise CannotSolve("divergent" if exact.has(sympy.oo, -sympy.oo) else "not_settled")
    if exact.has(sympy.Integral, sympy.Piecewise) or not exact.is_number:
        text = number_text(numeric, 12)
        outcome.parts = [Written(f"≈ {text}", rf"\approx {text}")]
        outcome.note("numeric_integral")
        outcome.check("quadrature", value=text)
        return outcome
    if not is_close(number_of(exact), numeric, 8):
        raise CannotSolve("check_failed")
    _show_antiderivative(outcome, formula, name, bounds)
    outcome.parts = [write_value(exact)]
    outcome.check("quadrature", value=number_text(numeric, 12))
    return outcome


def _show_antiderivative(outcome: Outcome, formula: Node, name: str, bounds: list[Any]) -> None:
    try:
        found = _antiderivative(formula, name)
    except CannotSolve:
        return
    outcome.step("antiderivative", formula=latex(found), name=name)
    outcome.step("bounds", low=latex(bounds[0]), high=latex(bounds[1]), name=name)


def _quadrature(formula: Node, name: str, bounds: list[Any]) -> Any:
    """Integrate by numbers alone; None where the numbers do not settle."""
    ends = [
        mpmath.mpf("inf") if bound == sympy.oo else mpmath.mpf("-inf") if bound == -sympy.oo else number_of(bound)
        for bound in bounds
    ]
    if any(isinstance(end, mpmath.mpc) for end in ends):
        raise CannotSolve("bounds")

    def value(point: Any) -> Any:
        return evaluate(formula, {name: point})

    corners = [
        zero
        for part in walk(formula)
        if part.head == "abs"
        for zero in real_zeros(Node("rel", (part.args[0], number(0)), "="), name)
    ]
    try:
        with mpmath.workdps(20):
            fine, error = mpmath.quad(value, _pieces(ends, corners, 9), error=True, maxdegree=7)
            rough = mpmath.quad(value, _pieces(ends, corners, 6), maxdegree=6)
    except Undefined:
        raise CannotSolve("undefined") from None
    return fine if error < 1e-6 * max(1, abs(fine)) and is_close(fine, rough, 6) else None


def _pieces(ends: list[Any], corners: list[Any], count: int) -> list[Any]:
    """Cut the way from end to end into pieces, and at the corners of absolute values."""
    cuts = mpmath.linspace(*ends, count) if all(map(mpmath.isfinite, ends)) else list(ends)
    low, high = min(ends), max(ends)
    return sorted({*cuts, *(corner for corner in corners if low < corner < high)}, reverse=ends[0] > ends[1])


def _parametric_definite(outcome: Outcome, formula: Node, name: str, low: Node, high: Node) -> Outcome:
    found = _antiderivative(formula, name)
    unknown = letter(name)
    result = _shortest(_finite(found.subs(unknown, build(high)) - found.subs(unknown, build(low))))
    others = [other for other in letters(formula, low, high) if other != name]

    def expected(values: dict[str, Any]) -> Any:
        ends = [evaluate(bound, values) for bound in (low, high)]
        return mpmath.quad(lambda point: evaluate(formula, {**values, name: point}), ends)

    with mpmath.workdps(20):
        count = check_equal(others, expected, result, digits=8)
    outcome.step("antiderivative", formula=latex(found), name=name)
    outcome.parts = [write_value(result)]
    outcome.check("quadrature_sampled", count=str(count))
    return outcome


# --- limits ------------------------------------------------------------------------------------------
def limit(formula: Node) -> Outcome:
    """Find a limit, from both sides unless the formula says otherwise. Raises CannotSolve."""
    body, variable, target = formula.args
    name, goal, outcome = variable.text, build(target), Outcome()
    if set(letters(body)) - {name} or letters(target):
        raise CannotSolve("parametric")
    sides = ["-" if goal == sympy.oo else "+"] if goal in (sympy.oo, -sympy.oo) else list(formula.text)
    found = {side: approached(build(body), letter(name), goal, side) for side in sides}
    for side, value in found.items():
        outcome.check(
            f"approached{'_infinity' if not goal.is_finite else ''}", value=_check_side(body, name, goal, side, value), side=side
        )
    values = list(found.values())
    if len(values) == 2 and values[0] != values[1] and sympy.simplify(values[0] - values[1]) != 0:
        outcome.words = "no_limit"
        outcome.values = {"right": latex(found["+"]), "left": latex(found["-"])}
        return outcome
    outcome.step("limit_sides" if len(values) == 2 else "limit_one_side")
    outcome.parts = [write_value(values[0])]
    return outcome


def _check_side(body: Node, name: str, goal: Any, side: str, limit_value: Any) -> str:
    """Compare the limit with values nearer and nearer to the target; return the nearest. Raises CannotSolve."""
    seen = []
    for exponent in (2, 4, 8, 12) if goal.is_finite else (2, 3, 5, 8):
        near = mpmath.mpf(10) ** exponent
        point = number_of(goal) + (1 if side == "+" else -1) / near if goal.is_finite else near * (1 if goal > 0 else -1)
        try:
            with mpmath.workdps(60):
                seen.append(evaluate(body, {name: point}))
        except Undefined:
            raise CannotSolve("undefined_nearby") from None
    if not _tends_to(seen, limit_value):
        raise CannotSolve("check_failed")
    return number_text(seen[-1], 8)


def _tends_to(seen: list[Any], limit_value: Any) -> bool:
    if limit_value.is_finite:
        goal = number_of(limit_value)
        distances = [abs(value - goal) / max(1, abs(goal)) for value in seen]
        return bool(distances[-1] < 1e-6 or (distances[-1] < 0.2 and distances[-1] < distances[0]))
    # Even ln(ln(x)) keeps growing from place to place; what has a limit stands still.
    steps = [later - earlier if limit_value == sympy.oo else earlier - later for earlier, later in pairwise(seen)]
    return bool(min(steps) > 0 and steps[-1] > steps[0] / 5)
