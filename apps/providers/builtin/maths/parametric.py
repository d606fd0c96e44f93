"""One equation with other letters in it: linear and quadratic in the unknown, with the condition under which that holds."""

from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.build import build, letter
from apps.providers.builtin.maths.checks import number_of, residual, samples
from apps.providers.builtin.maths.numeric import Undefined
from apps.providers.builtin.maths.outcome import CannotSolve, Outcome
from apps.providers.builtin.maths.printing import latex, write_solution
from apps.providers.builtin.syntax import Node, is_relation, letters


def solve_parametric(formulas: list[Node], name: str, interval: Node | None) -> Outcome:
    """Solve for one letter in terms of the others. Raises CannotSolve."""
    if len(formulas) != 1 or interval is not None or not is_relation(formulas[0], "=") or len(formulas[0].args) != 2:
        raise CannotSolve("parametric")
    (equation,) = formulas
    unknown = letter(name)
    left, right = (build(side) for side in equation.args)
    numerator = sympy.expand(sympy.fraction(sympy.together(left - right))[0])
    if not numerator.is_polynomial(unknown) or not 1 <= sympy.degree(numerator, unknown) <= 2:
        raise CannotSolve("parametric")
    polynomial = sympy.Poly(numerator, unknown)
    return _outcome(equation, name, polynomial)


def _outcome(equation: Node, name: str, polynomial: Any) -> Outcome:
    outcome = Outcome()
    outcome.step("one_side", formula=f"{latex(sympy.collect(polynomial.as_expr(), letter(name)))} = 0")
    outcome.step("way_linear" if polynomial.degree() == 1 else "way_quadratic", name=name)
    values = _values(polynomial)
    outcome.parts = [write_solution(name, value) for value in values]
    leading = sympy.factor(polynomial.LC())
    if leading.free_symbols:
        outcome.note("assuming", condition=rf"{latex(leading)} \ne 0")
    outcome.note("parameters")
    for value in values:
        outcome.check(
            "sampled_parameters", solution=f"{latex(letter(name))} = {latex(value)}", count=str(_count(equation, name, value))
        )
    return outcome


def _values(polynomial: Any) -> list[Any]:
    if polynomial.degree() == 1:
        leading, constant = polynomial.all_coeffs()
        return [sympy.factor(-constant / leading)]
    leading, linear, constant = polynomial.all_coeffs()
    root = sympy.sqrt(sympy.factor(linear**2 - 4 * leading * constant))
    return list(dict.fromkeys(sympy.simplify((-linear + sign * root) / (2 * leading)) for sign in (-1, 1)))


def _count(equation: Node, name: str, value: Any) -> int:
    """Substitute the solution for sample values of the other letters; return for how many. Raises CannotSolve."""
    others = [other for other in letters(equation) if other != name]
    agreeing = 0
    for values in samples(others):
        known = {symbol: sympy.Float(values[symbol.name]) for symbol in value.free_symbols}
        try:
            number = number_of(value.subs(known))
            is_real = not isinstance(number, mpmath.mpc)
            is_right = residual(equation, {**values, name: number}, real=is_real)[1]
        except Undefined:
            continue
        if not is_right:
            raise CannotSolve("check_failed")
        agreeing += 1
    if agreeing < 3:
        raise CannotSolve("check_failed")
    return agreeing
