"""The bytes of an answer, cut into JSON objects: server-sent events as they really come, or one whole document."""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

Frame = dict[str, Any]

_LINE_END = re.compile(rb"\r\n|\n|\r")


class FrameParser:
    """Reads an answer piece by piece. Pieces may end anywhere, inside a character or between CR and LF.

    `done`: ``[DONE]`` was read. Comments are passed over; a frame may miss the blank line after it; a body without any
    event is read as one JSON document.
    """

    def __init__(self) -> None:
        self.done = False
        self._line: list[bytes] = []
        self._pending: list[str] = []
        self._stray: list[str] = []
        self._frames = 0

    @property
    def is_empty(self) -> bool:
        """Say whether the answer held nothing but comments and blank lines."""
        return not (self._frames or self._pending or self._stray)

    def feed(self, piece: bytes) -> Iterator[Frame]:
        """Take in a piece; yield the objects that it completes."""
        first, *rest = _LINE_END.split(piece)
        self._line.append(first)
        for following in rest:
            yield from self._end_line()
            self._line.append(following)

    def finish(self) -> Iterator[Frame]:
        """Take in the end of the answer."""
        yield from self._end_line()
        if not self._frames and self._stray:
            yield from self._parsed("\n".join(self._stray))

    def _end_line(self) -> Iterator[Frame]:
        # Invalid UTF-8 becomes replacement characters: one bad byte is no reason to lose the turn.
        line = b"".join(self._line).decode("utf-8", "replace").removeprefix("\ufeff")
        self._line.clear()
        name, colon, value = line.partition(":")
        if not line.strip():
            self._pending.clear()
        elif colon and name == "data":
            yield from self._data(value.removeprefix(" "))
        elif name not in ("", "event", "id", "retry"):
            self._stray.append(line)

    def _data(self, text: str) -> Iterator[Frame]:
        if text.strip() == "[DONE]":
            self.done = True
            return
        self._pending.append(text)
        yield from self._parsed("\n".join(self._pending))

    def _parsed(self, text: str) -> Iterator[Frame]:
        frame = _read(text)
        if isinstance(frame, dict):
            self._frames += 1
            self._pending.clear()
            yield frame


def _read(text: str) -> object:
    try:
        return json.loads(text, strict=False, parse_float=_finite, parse_constant=lambda name: None)
    except (ValueError, RecursionError):
        return None


def _finite(digits: str) -> float | None:
    """What cannot be written as JSON again becomes null."""
    number = float(digits)
    return number if math.isfinite(number) else None
