"""Text that arrives in pieces: characters cut in two are joined, what no database takes is dropped."""

import re
from typing import Any

from apps.common.text import clean_stored

_SURROGATE = re.compile("[\ud800-\udfff]")
_HIGH_AT_END = re.compile("[\ud800-\udbff]$")


def whole_characters(text: str) -> str:
    """Join surrogate pairs that came as two escapes in two pieces; drop unpaired ones."""
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def storable(value: Any) -> Any:
    """Return a JSON value with all its texts made storable; unchanged where they are."""
    match value:
        case str():
            return clean_stored(whole_characters(value))
        case list():
            return [storable(item) for item in value]
        case dict():
            return {storable(key): storable(item) for key, item in value.items()}
        case _:
            return value


class TextPieces:
    """A text that grows. `push` returns what may be shown; half a character is held back until its other half comes."""

    def __init__(self) -> None:
        self._shown: list[str] = []
        self._held = ""

    def push(self, piece: str) -> str:
        """Take in a piece; return what became readable."""
        piece = self._held + piece
        self._held = piece[-1:] if _HIGH_AT_END.search(piece) else ""
        readable = clean_stored(whole_characters(piece.removesuffix(self._held)))
        self._shown.append(readable)
        return readable

    @property
    def text(self) -> str:
        """Return all that was shown."""
        return "".join(self._shown)
