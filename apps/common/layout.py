"""JSON as people read it: on several lines, unless it is so deep that they would hold little but indentation."""

import json
import math
from collections.abc import Iterable
from typing import Any

SHOWN = 4096
"""Characters of a long text that a page shows at first; all of it is a step away."""
LEVELS_AT_MOST = 50
INDENT = 2
INDENTATION_AT_MOST = 10
"""Times the length of the text itself: the indentation of a value grows with the square of its levels."""
INDENTATION_FREE = 10_000
"""As much of it, in characters, any text may have."""


def on_lines(text: str) -> str:
    """Return JSON on several lines; what is no JSON, or too deep for that, as the text that it is."""
    return text if (value := readable(text)) is None else indented(value)


def readable(text: str) -> Any:
    """Return the value that the text stands for; None if it is no JSON, or too deep to be read on several lines."""
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if _indentation(value) <= INDENTATION_FREE + INDENTATION_AT_MOST * len(text) else None


def indented(value: Any) -> str:
    """Return a readable value, or a part of one, on several lines."""
    return json.dumps(value, ensure_ascii=False, indent=INDENT)


def _indentation(value: Any) -> float:
    """Return how many characters of indentation the value takes; infinity if it has too many levels."""
    level, found = [value], 0
    for depth in range(LEVELS_AT_MOST):
        found += INDENT * depth * len(level)
        if not (level := [part for each in level for part in _parts(each)]):
            return found
    return math.inf


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
