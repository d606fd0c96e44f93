"""Factor, expand, simplify, plain arithmetic and statements, each compared with the formula as it was read."""

from typing import Any

import sympy

from apps.providers.builtin.maths.build import build
from apps.providers.builtin.maths.checks import check_equal, is_close, number_of, value_of_tree
from apps.providers.builtin.maths.equations import divisors
from apps.providers.builtin.maths.inequalities import holds
from apps.providers.builtin.maths.numeric import Undefined
from apps.providers.builtin.maths.outcome import CannotSolve, NeedsDomain, Outcome
from apps.providers.builtin.maths.printing import latex, write_value
from apps.providers.builtin.syntax import Node, letters, walk

_LONGEST = 2000
"""Operations in a rewritten formula."""


def compute(formula: Node, domain: str) -> Outcome:
    """Compute a formula without letters, exactly. Raises NeedsDomain if it leaves the real numbers by itself."""
    outcome, value = Outcome(), build(formula)
    if value.is_real is False and not has_imaginary_unit(formula) and domain != "complex":
        if domain == "":
            raise NeedsDomain
        outcome.words = "not_real"
        outcome.check("leaves_reals")
        return outcome
    value = sympy.radsimp(sympy.simplify(value)) if value.count_ops() < 200 else value
    try:
        is_right = is_close(value_of_tree(formula)({}), number_of(value))
    except Undefined:
        raise CannotSolve("undefined") from None
    if not is_right:
        raise CannotSolve("check_failed")
    outcome.step("exact")
    outcome.parts = [write_value(value)]
    outcome.check("computed_again")
    return outcome


def has_imaginary_unit(formula: Node) -> bool:
    """Say whether i stands in the formula."""
    return any(part == Node("const", text="i") for part in walk(formula))


def rewrite(formula: Node, task: str) -> Outcome:
    """Factor, expand or simplify."""
    # Letters are real as in school, where sqrt(x^2) is |x|, unless i stands beside them.
    real = frozenset() if has_imaginary_unit(formula) else frozenset(letters(formula))
    outcome, expression = Outcome(), build(formula, real=real)
    result = {"factor": sympy.factor, "expand": _expanded, "simplify": _simplified}[task](expression)
    if result.count_ops() > _LONGEST:
        raise CannotSolve("too_long")
    outcome.step(task)
    outcome.check("same_values", count=str(check_equal(letters(formula), value_of_tree(formula), result)))
    if task == "factor" and not (result.is_Mul or result.is_Pow):
        outcome.note("irreducible")
    for zero in _new_points(formula, result):
        outcome.note("undefined_at", point=zero)
    outcome.parts = [write_value(result)]
    return outcome


def _expanded(expression: Any) -> Any:
    return sympy.expand(sympy.expand_trig(expression)) if expression.has(sympy.sin, sympy.cos) else sympy.expand(expression)


def _simplified(expression: Any) -> Any:
    forms = [sympy.simplify(expression), sympy.factor(expression), sympy.radsimp(sympy.cancel(expression)), expression]
    return min(forms, key=lambda form: (form.count_ops(), len(str(form))))


def _new_points(formula: Node, result: Any) -> list[str]:
    """Return where the formula has no value but the simplified one has: zeros of cancelled denominators."""
    names = letters(formula)
    if len(names) != 1:
        return []
    unknown, found = sympy.Symbol(names[0]), []
    for divisor in map(build, divisors(formula)):
        if divisor.is_polynomial(unknown) and unknown in divisor.free_symbols:
            found += [zero for zero in sympy.roots(divisor, unknown) if zero.is_real]
    kept = sympy.denom(sympy.together(result))
    return [f"{names[0]} = {latex(zero)}" for zero in dict.fromkeys(found) if kept.subs(unknown, zero) != 0]


def state(formula: Node) -> Outcome:
    """Say whether a statement without letters is true."""
    truth = holds(formula, {})
    sides = [sympy.simplify(build(side)) for side in formula.args]
    outcome = Outcome(words="statement_true" if truth else "statement_false")
    outcome.step("exact")
    exact = [_exactly(sign, left, right) for sign, left, right in zip(formula.text.split(","), sides, sides[1:], strict=False)]
    if all(exact) != truth:
        raise CannotSolve("check_failed")
    outcome.check("sides", sides=r",\ ".join(map(latex, sides)))
    return outcome


def _exactly(sign: str, left: Any, right: Any) -> bool:
    relation = {"=": sympy.Eq, "!=": sympy.Ne, "<": sympy.Lt, "<=": sympy.Le, ">": sympy.Gt, ">=": sympy.Ge}[sign]
    return bool(sympy.simplify(relation(left, right)) == sympy.true)
