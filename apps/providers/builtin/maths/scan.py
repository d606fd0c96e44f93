"""Real zeros of an equation found by looking for changes of sign: a net under exact methods, and the numeric fallback."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import mpmath

from apps.providers.builtin.maths.numeric import Undefined, evaluate
from apps.providers.builtin.syntax import Node

NEAR, FAR = 20, 10_000
"""The scan is fine from -20 to 20 (steps of 0.02) and coarse up to ±10 000."""


def real_zeros(equation: Node, name: str) -> list[Any]:
    """Return the zeros of left minus right at which it changes its sign, to 30 digits, ascending."""
    difference = Node("sub", equation.args)
    known: list[tuple[float, float]] = []
    zeros: list[Any] = []
    for point in _grid():
        try:
            known.append((point, evaluate(difference, {name: point}, context=mpmath.fp)))
        except Undefined:
            known.append((point, mpmath.fp.nan))
    for (low, at_low), (high, at_high) in pairwise(known):
        if at_low * at_high < 0:
            zeros += _refined(difference, name, low, high)
    return zeros


def _grid() -> Iterator[float]:
    steps = [NEAR * (FAR / NEAR) ** (step / 100) for step in range(1, 101)]
    # An offset keeps the points off the whole numbers, where poles and defined-by-luck values lie.
    yield from (-step - 0.0013 for step in reversed(steps))
    yield from (-NEAR + 0.02 * step + 0.0013 for step in range(NEAR * 100))
    yield from (step + 0.0013 for step in steps)


def _refined(difference: Node, name: str, low: float, high: float) -> list[Any]:
    """Halve the interval until 30 digits stand; a pole changes its sign too, but has no value near zero."""

    def value(point: Any) -> Any:
        return evaluate(difference, {name: point})

    left, right = mpmath.mpf(low), mpmath.mpf(high)
    try:
        at_left, size = value(left), abs(value(left)) + abs(value(right))
        # Floats saw a change of sign; if it was only their rounding, there is none.
        if at_left * value(right) > 0 or size < mpmath.mpf(10) ** -25:
            return []
        for _ in range(110):
            middle = (left + right) / 2
            at_middle = value(middle)
            if at_middle * at_left > 0:
                left, at_left = middle, at_middle
            else:
                right = middle
        return [middle] if abs(at_middle) < size * mpmath.mpf(10) ** -20 else []
    except Undefined:
        return []
