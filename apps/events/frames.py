"""The form of server-sent events: one JSON object on one data line, whatever stands in it."""

from typing import Any

from apps.common.text import compact_json

HEARTBEAT = b": still here\n\n"
"""A comment: readers skip it, proxies see that the connection is alive."""

# JSON escapes CR and LF. These three end a line for readers that are less strict than the specification.
_LINE_ENDS = str.maketrans({"\x85": "\\u0085", "\u2028": "\\u2028", "\u2029": "\\u2029"})


def wire_json(value: Any) -> str:
    """Serialise as one line, for every notion of a line."""
    return compact_json(value).translate(_LINE_ENDS)


def frame(kind: str, data_json: str, seq: int | None = None) -> bytes:
    """Return one event as bytes; an event without a number has no id line, so a reader's cursor stays."""
    number = "" if seq is None else f"id: {seq}\n"
    # An unpaired surrogate cannot be UTF-8; written with a backslash it is the JSON escape of itself.
    return f"{number}event: {kind}\ndata: {data_json}\n\n".encode("utf-8", "backslashreplace")
