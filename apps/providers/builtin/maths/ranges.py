"""Where to look, and sets of real numbers in writing."""

from typing import Any

import sympy

from apps.providers.builtin.maths.build import build, letter
from apps.providers.builtin.maths.checks import number_of
from apps.providers.builtin.maths.equations import N
from apps.providers.builtin.maths.inequalities import solution_set
from apps.providers.builtin.maths.outcome import CannotSolve, Outcome
from apps.providers.builtin.maths.printing import Written, decimal, latex, plain, terminates, write_solution
from apps.providers.builtin.syntax import Node, symbol

_INFINITE = Node("const", text="oo")
_LATEX_SIGNS = {"≤": r"\le", "≥": r"\ge", "<": "<", ">": ">"}


def interval_set(interval: Node | None, name: str) -> Any:
    """Return the SymPy set of ``[0, 3)`` or of a relation in the unknown; None stays None. Raises CannotSolve."""
    if interval is None:
        return None
    if interval.head != "interval":
        return solution_set(interval, name)
    low, high = (build(end) for end in interval.args)
    if not (low.is_extended_real and high.is_extended_real) or (low >= high) == sympy.true:
        raise CannotSolve("bad_interval")
    return sympy.Interval(low, high, interval.text[0] == "(", interval.text[1] == ")")


def as_relations(interval: Node, name: str) -> list[Node]:
    """Return an interval as relations in the unknown, so that it is solved and checked like any other."""
    if interval.head != "interval":
        return [interval]
    low, high = interval.args
    unknown = symbol(name)
    below = [] if low == Node("neg", (_INFINITE,)) else [Node("rel", (low, unknown), "<=" if interval.text[0] == "[" else "<")]
    above = [] if high == _INFINITE else [Node("rel", (unknown, high), "<=" if interval.text[1] == "]" else "<")]
    return below + above


def is_in(where: Any, value: Any) -> bool:
    """Say whether a number is a real one in the set."""
    return bool(value.is_real and where.contains(value) == sympy.true)


def members_in(families: list[Any], where: Any) -> list[Any]:
    """Return the members of periodic solutions that lie in a bounded interval."""
    if where is None or not families:
        return []
    if not (isinstance(where, sympy.Interval) and where.start.is_finite and where.end.is_finite):
        raise CannotSolve("periodic_interval")
    found: dict[Any, None] = {}
    for family in families:
        start, period = family.subs(N, 0), family.subs(N, 1) - family.subs(N, 0)
        edges = sorted(float(number_of((end - start) / period)) for end in (where.start, where.end))
        if edges[1] - edges[0] > 100:
            raise CannotSolve("periodic_interval")
        found |= {sympy.simplify(family.subs(N, n)): None for n in range(int(edges[0]) - 1, int(edges[1]) + 2)}
    return [value for value in found if is_in(where, value)]


def write_set(outcome: Outcome, found: Any, name: str) -> None:
    """Write a set of real numbers as the result. Raises CannotSolve."""
    if found is sympy.S.EmptySet:
        outcome.words = "no_real_solution"
        return
    if found in (sympy.S.Reals, sympy.Interval(-sympy.oo, sympy.oo)):
        outcome.words, outcome.values = "all_real", {"name": name}
        return
    parts = found.args if isinstance(found, sympy.Union) else [found]
    for part in sorted(parts, key=lambda part: float(part.inf) if part.inf.is_finite else float("-inf")):
        outcome.parts += _part(part, name)
    if found.has(sympy.Float):
        outcome.note("numeric")


def _part(part: Any, name: str) -> list[Written]:
    if isinstance(part, sympy.FiniteSet):
        return [write_solution(name, value) for value in sorted(part, key=lambda value: value.evalf())]
    if not isinstance(part, sympy.Interval):
        raise CannotSolve("not_supported")
    low, high = part.start, part.end
    if low == -sympy.oo:
        return [_chain([name, "<" if part.right_open else "≤", high])]
    if high == sympy.oo:
        return [_chain([name, ">" if part.left_open else "≥", low])]
    return [_chain([low, "<" if part.left_open else "≤", name, "<" if part.right_open else "≤", high])]


def _chain(pieces: list[Any]) -> Written:
    """Write letter, signs and ends one after the other."""
    ends = [piece for piece in pieces if not isinstance(piece, str)]
    texts = [piece if isinstance(piece, str) else decimal(piece) if piece.has(sympy.Float) else plain(piece) for piece in pieces]
    decimals = [piece if isinstance(piece, str) else decimal(piece) for piece in pieces]
    symbols = [
        latex(piece) if not isinstance(piece, str) else _LATEX_SIGNS.get(piece) or latex(letter(piece)) for piece in pieces
    ]
    has_decimals = not all(end.is_Integer for end in ends)
    return Written(
        " ".join(texts), " ".join(symbols), " ".join(decimals) if has_decimals else "", terminates=all(map(terminates, ends))
    )
