"""What is known of a function that is drawn: its zeros in the range, where they are exact."""

from apps.providers.builtin.maths.build import build
from apps.providers.builtin.maths.numeric import Undefined
from apps.providers.builtin.maths.outcome import CannotSolve, NeedsDomain, Outcome
from apps.providers.builtin.maths.solving import solve
from apps.providers.builtin.plotting import range_of
from apps.providers.builtin.syntax import Node, letters, number

_NOT_EXACT = frozenset(("numeric", "numeric_scan"))
_KEPT = frozenset(("excluded", "multiple"))
"""Notes on single zeros; the others speak of a task that was not set."""


def describe(formula: Node, name: str, low: Node | None, high: Node | None, is_numeric: bool) -> Outcome:
    """Return the zeros in the range, or nothing where they are not exact. Raises CannotSolve for a range that is none."""
    ends = range_of(low, high)
    start, end = map(build, ends)
    if not (start.is_finite and end.is_finite and start.is_real and end.is_real) or not start < end:
        raise CannotSolve("bad_range")
    # Out of time once already: the picture needs no zeros.
    if is_numeric or not letters(formula):
        return Outcome()
    try:
        found = solve([Node("rel", (formula, number(0)), "=")], [name], "real", Node("interval", ends, "[]"), False)
    except (CannotSolve, NeedsDomain, Undefined):
        return Outcome()
    if not found.checks or any(key in _NOT_EXACT for key, _ in found.notes):
        return Outcome()
    notes = [note for note in found.notes if note[0] in _KEPT]
    return Outcome(parts=found.parts, words="" if found.parts else "no_zeros", checks=found.checks, notes=notes)
