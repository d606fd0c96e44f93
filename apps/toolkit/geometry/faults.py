"""What can be wrong with a line: a key of words.py and the parts that fill it."""

from typing import Any

_SHOWN = 40
"""So much of what a model wrote is quoted."""


class Fault(Exception):
    """A line cannot be read or computed. `key` names the words for it, `parts` fill them."""

    def __init__(self, key: str, **parts: Any) -> None:
        super().__init__(key)
        self.key, self.parts = key, parts


def quoted(text: str) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
