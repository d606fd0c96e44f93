"""SymPy's limits behind one door, with what SymPy 1.14 needs to be asked otherwise."""

from typing import Any

import sympy

from apps.providers.builtin.maths.outcome import CannotSolve


def approached(expression: Any, unknown: Any, goal: Any, side: str) -> Any:
    """Return the limit from one side (``+`` or ``-``), a number or an infinity. Raises CannotSolve."""
    if goal == -sympy.oo:
        # SymPy says that 2^(x + 10) goes to infinity there; mirrored, it knows better.
        expression, goal, side = expression.subs(unknown, -unknown), sympy.oo, "-"
    try:
        value = sympy.limit(expression, unknown, goal, side)
    except (NotImplementedError, ValueError, TypeError):
        raise CannotSolve("no_limit_found") from None
    if value.has(sympy.AccumBounds, sympy.Limit, sympy.nan, sympy.zoo):
        raise CannotSolve("no_limit_found")
    return sympy.simplify(value)
