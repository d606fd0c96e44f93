"""Checking by numbers: the tree's own values against SymPy's, at points fixed beforehand."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.numeric import PRECISION, Undefined, evaluate
from apps.providers.builtin.maths.outcome import CannotSolve
from apps.providers.builtin.syntax import Node

Value = Callable[[dict[str, Any]], Any]
"""The value of something at given values of its letters. Raises Undefined."""
_POINTS = ("0.37", "1.61", "-0.83", "2.39", "-1.77", "3.31", "0.11", "-2.93", "5.71", "-4.13", "7.37", "10.93")
_ENOUGH = 3


def number_of(value: Any) -> Any:
    """Return the numeric value of a SymPy number as mpf, or mpc if it is not real. Raises Undefined."""
    real, imaginary = (part.evalf(PRECISION) for part in value.as_real_imag())
    if not (real.is_Float or real.is_Rational) or not (imaginary.is_Float or imaginary.is_Rational):
        raise Undefined
    parts = [mpmath.mpf(sympy.Float(part, PRECISION)._mpf_) for part in (real, imaginary)]
    return parts[0] if imaginary == 0 else mpmath.mpc(*parts)


def is_close(left: Any, right: Any, digits: int = 15) -> bool:
    """Say whether two numbers agree to so many digits."""
    return bool(abs(left - right) <= mpmath.mpf(10) ** -digits * max(1, abs(left), abs(right)))


def samples(letters: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield values for the letters: twelve points, shifted against each other for several letters."""
    for place in range(len(_POINTS)):
        yield {name: mpmath.mpf(_POINTS[(place + 5 * shift) % len(_POINTS)]) for shift, name in enumerate(letters)}


def value_at(expression: Any, values: Mapping[str, Any]) -> Any:
    """Return the value of a SymPy expression at given values. Raises Undefined."""
    known = {symbol: sympy.Float(values[symbol.name]) for symbol in expression.free_symbols}
    result = expression.subs(known)
    if result.has(sympy.nan, sympy.zoo, sympy.oo, -sympy.oo) or result.free_symbols:
        raise Undefined
    return number_of(result)


def check_equal(letters: Sequence[str], expected: Value, expression: Any, digits: int = 12) -> int:
    """Compare an expression with what `expected` says at the sample points; return at how many they agree.

    Raises CannotSolve if they differ anywhere, or can be compared almost nowhere.
    """
    return check_same(letters, expected, lambda values: value_at(expression, values), digits)


def check_same(letters: Sequence[str], expected: Value, found: Value, digits: int = 12) -> int:
    """Compare two functions of the letters' values at the sample points, as `check_equal` does."""
    agreeing = 0
    for values in samples(letters):
        try:
            should_be, is_value = expected(values), found(values)
        except Undefined:
            continue
        # A root of a negative number: real in school, complex in SymPy. Such points say nothing.
        if isinstance(is_value, mpmath.mpc) and not isinstance(should_be, mpmath.mpc):
            continue
        if not is_close(should_be, is_value, digits):
            raise CannotSolve("check_failed")
        agreeing += 1
    if agreeing < (_ENOUGH if letters else 1):
        raise CannotSolve("check_failed")
    return agreeing


def value_of_tree(tree: Node) -> Value:
    """Return the function that gives a tree's value: real if it is, else complex."""

    def value(values: dict[str, Any]) -> Any:
        try:
            return evaluate(tree, values)
        except Undefined:
            return evaluate(tree, values, real=False)

    return value


def residual(relation: Node, values: Mapping[str, Any], *, real: bool) -> tuple[Any, bool]:
    """Return left minus right of an equation at given values, and whether that is zero. Raises Undefined."""
    left, right = (evaluate(side, values, real=real) for side in relation.args)
    return left - right, is_close(left, right, 20)
