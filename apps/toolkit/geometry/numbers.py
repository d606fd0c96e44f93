"""Exact numbers: integers, fractions, roots and pi, and when two of them are equal."""

from typing import Any

from sympy import Expr, Integer, Rational, pi, radsimp, sqrt, sqrtdenest

from apps.toolkit.geometry.faults import Fault
from apps.toolkit.geometry.parser import Node

LARGEST_EXPONENT, MOST_DIGITS, MOST_PARTS = 20, 120, 300
"""Of an exponent; digits and parts of an exact number."""
LARGEST, SMALLEST = 1e60, 1e-60
"""Between these is the size of every value but zero, also on the way to another: floats reach far enough to draw it."""
_DECIMALS = 40

CONSTANTS: dict[str, Expr] = {"pi": pi}


def literal(node: Node) -> Expr:
    """Return a number as it is written: 0.1 is a tenth."""
    return bounded(Rational(node.text))


def tidy(value: Expr) -> Expr:
    """Return the value in a plain form: roots out of denominators, nested roots undone. Raises Fault if it is too large."""
    value = bounded(value)
    if value.is_Rational:
        return value
    return bounded(sqrtdenest(radsimp(value.expand())))


def bounded(value: Expr) -> Expr:
    """Return the value if it can be worked with: it is short, and neither huge nor tiny. Raises Fault."""
    if value.is_Rational:
        is_small = max(abs(value.p), value.q).bit_length() <= MOST_DIGITS * 10 // 3
    else:
        is_small = value.count_ops() <= MOST_PARTS
    size = abs(approximate(value)) if is_small else LARGEST * 2
    if size > LARGEST:
        raise Fault("too_large")
    if 0 < size < SMALLEST:
        raise Fault("too_small")
    return value


def approximate(value: Expr) -> float:
    """Return the value as a float. Raises Fault if it is no real number."""
    near: Any = value.evalf(20)
    if not near.is_Number or not near.is_finite:
        raise Fault("not_real")
    # What is zero without looking so leaves a tiny rest.
    return 0.0 if is_zero(value) else float(near)


def is_zero(value: Expr) -> bool:
    """Say whether a value is zero: by its form, and where that does not tell, to forty decimals."""
    known = value.is_zero
    if known is not None:
        return bool(known)
    return abs(value.evalf(_DECIMALS + 20)) < Rational(1, 10**_DECIMALS)


def sign(value: Expr) -> int:
    """Return -1, 0 or 1."""
    if is_zero(value):
        return 0
    return 1 if value.evalf(_DECIMALS) > 0 else -1


def root(value: Expr) -> Expr:
    """Return the square root. Raises Fault for a negative number."""
    if sign(value) < 0:
        raise Fault("negative_root")
    return tidy(sqrt(value))


def quotient(left: Expr, right: Expr) -> Expr:
    """Return left / right. Raises Fault if right is zero."""
    if is_zero(right):
        raise Fault("division_by_zero")
    return tidy(left / right)


def power(base: Expr, exponent: Expr) -> Expr:
    """Return a power with a small whole exponent, or a square root. Raises Fault."""
    if exponent == Rational(1, 2):
        return root(base)
    if not exponent.is_Integer or abs(int(exponent)) > LARGEST_EXPONENT:
        raise Fault("bad_exponent", limit=LARGEST_EXPONENT)
    result: Expr = Integer(1)
    for _ in range(abs(int(exponent))):
        result = tidy(result * base)
    return result if exponent >= 0 else quotient(Integer(1), result)
