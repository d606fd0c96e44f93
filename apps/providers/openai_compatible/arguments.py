"""Arguments of a tool call: kept byte for byte if they are JSON, else repaired where their meaning is certain."""

import json
import re
from typing import NoReturn

INVALID_ARGUMENTS = "invalidArguments"
"""Key in `ToolCall.extras`, value true: what the model sent was no JSON and could not be repaired.

The call then carries ``{}``, so that it can be sent back. The key is ours and never reaches a provider.
"""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_CONTROL = re.compile("[\x00-\x1f]")
_FENCE = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


def is_json(text: str) -> bool:
    """Say whether the text is one JSON value by the standard (no NaN, no raw control characters in strings)."""
    try:
        json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def repaired(text: str) -> str | None:
    """Return JSON text for the arguments: as received if valid. None: it cannot be repaired.

    Repairs: nothing at all becomes ``{}``; raw control characters in strings are escaped; a Markdown fence is taken
    off; of an object that was sent twice one is kept.
    """
    if is_json(text):
        return text
    if not text.strip():
        return "{}"
    fence = _FENCE.match(text)
    escaped = _STRING.sub(_escape_controls, fence[1] if fence else text)
    return escaped if is_json(escaped) else _said_twice(escaped)


def _escape_controls(string: re.Match[str]) -> str:
    return _CONTROL.sub(lambda control: json.dumps(control[0])[1:-1], string[0])


def _said_twice(text: str) -> str | None:
    """Some servers stream the arguments and then send them once more as a whole."""
    try:
        end = json.JSONDecoder().raw_decode(text.lstrip())[1]
    except (ValueError, RecursionError):
        return None
    once, again = text.lstrip()[:end], text.lstrip()[end:].strip()
    return once if once == again and is_json(once) else None


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
