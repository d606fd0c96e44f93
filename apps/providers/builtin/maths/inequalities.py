"""Inequalities in one unknown over the real numbers: find every point where the truth can change, test between them."""

from itertools import pairwise
from typing import Any

import mpmath
import sympy

from apps.providers.builtin.maths.checks import is_close, number_of
from apps.providers.builtin.maths.equations import divisors, solve_equation
from apps.providers.builtin.maths.numeric import Undefined, evaluate
from apps.providers.builtin.maths.outcome import CannotSolve
from apps.providers.builtin.names import TRIGONOMETRIC
from apps.providers.builtin.syntax import Node, letters, number, walk

SAMPLES = 61


def solution_set(relation: Node, name: str) -> Any:
    """Return the real solutions of a relation, or of a chain of them, as a SymPy set. Raises CannotSolve."""
    if any(part.head == "call" and part.text in TRIGONOMETRIC for part in walk(relation)):
        raise CannotSolve("periodic_inequality")
    found: Any = sympy.S.Reals
    for pair in pairs(relation):
        found = found.intersect(_pair_set(pair, name))
    return found


def pairs(relation: Node) -> list[Node]:
    """Return the links of a chain: 1 < x < 2 is 1 < x and x < 2."""
    signs = relation.text.split(",")
    return [Node("rel", sides, sign) for sides, sign in zip(pairwise(relation.args), signs, strict=True)]


def holds(relation: Node, values: dict[str, Any]) -> bool:
    """Say whether a relation is true at given values; where it is undefined it is not."""
    try:
        return all(_holds(pair.text, *(evaluate(side, values) for side in pair.args)) for pair in pairs(relation))
    except Undefined:
        return False


def _holds(sign: str, left: Any, right: Any) -> bool:
    if is_close(left, right, 20):
        return sign in ("=", "<=", ">=")
    return bool({"=": False, "!=": True, "<": left < right, "<=": left < right, ">": left > right, ">=": left > right}[sign])


def _pair_set(pair: Node, name: str) -> Any:
    borders = _borders(pair, name)
    found: Any = sympy.S.EmptySet
    for border in borders:
        if holds(pair, {name: number_of(border)}):
            found = found.union(sympy.FiniteSet(border))
    ends = [-sympy.oo, *borders, sympy.oo]
    for low, high in pairwise(ends):
        if holds(pair, {name: number_of(_between(low, high))}):
            found = found.union(sympy.Interval.open(low, high))
    return found


def _borders(pair: Node, name: str) -> list[Any]:
    """Return the points at which the truth can change: equality, zero denominators, edges of roots and logarithms."""
    if name not in letters(pair):
        return []
    left, right = pair.args
    found = _zeros(Node("sub", (left, right)), name)
    for edge in [*divisors(pair), *edges(pair)]:
        found += _zeros(edge, name)
    borders: list[Any] = []
    for value in sorted(found, key=lambda value: value.evalf()):
        if not borders or not is_close(number_of(borders[-1]), number_of(value), 18):
            borders.append(value)
    return borders


def _zeros(node: Node, name: str) -> list[Any]:
    if name not in letters(node):
        return []
    roots = solve_equation(Node("rel", (node, number(0)), "="), name, "real")
    if roots.families or (roots.is_numeric and roots.way == "scan"):
        raise CannotSolve("no_closed_form")
    return list(roots.values)


def edges(node: Node) -> list[Node]:
    """Return what must be positive: under roots, in logarithms, under powers that are no whole numbers."""
    found = [edge for part in node.args for edge in edges(part)]
    if node.head == "call" and node.text in ("sqrt", "root", "ln", "log"):
        found += node.args
    if node.head == "call" and node.text in ("asin", "acos"):
        found += [Node("sub", (node.args[0], number(1))), Node("add", (node.args[0], number(1)))]
    if node.head == "pow" and node.args[1].head not in ("num", "neg"):
        found.append(node.args[0])
    return found


def _between(low: Any, high: Any) -> Any:
    if low == -sympy.oo and high == sympy.oo:
        return sympy.Rational(1, 3)
    if low == -sympy.oo:
        return high - sympy.Rational(7, 3)
    return low + sympy.Rational(7, 3) if high == sympy.oo else (low + high) / 2


def count_agreeing(relations: list[Node], name: str, found: Any) -> int:
    """Compare the set with the relations as they were read at 61 points; return 61, or raise CannotSolve."""
    centre, spread = _window(found)
    for step in range(SAMPLES):
        point = centre + spread * (mpmath.mpf(2 * step - SAMPLES + 1) / (SAMPLES - 1) + mpmath.mpf("0.00137"))
        is_inside = _contains(found, point)
        if is_inside != all(holds(relation, {name: point}) for relation in relations):
            raise CannotSolve("check_failed")
    return SAMPLES


def _contains(found: Any, point: Any) -> bool:
    """Look a number up in a set by numbers only."""
    for part in found.args if isinstance(found, sympy.Union) else [found]:
        if isinstance(part, sympy.Interval):
            low, high = (number_of(end) if end.is_finite else end for end in (part.start, part.end))
            above = low == -sympy.oo or point > low
            if above and (high == sympy.oo or point < high):
                return True
        elif part == sympy.S.Reals:
            return True
    return False


def _window(found: Any) -> tuple[Any, Any]:
    """Return centre and half width of an interval that holds every border."""
    ends = [number_of(end) for end in found.boundary if end.is_finite] if found is not sympy.S.Reals else []
    if not ends:
        return mpmath.mpf(0), mpmath.mpf(10)
    return (min(ends) + max(ends)) / 2, (max(ends) - min(ends)) / 2 + 5
