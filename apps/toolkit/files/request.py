"""A call of `exec`, read field by field: what cannot be used is refused by its name, with the right form."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.agent.messages import ToolCall
from apps.agent.tools import Refusal
from apps.common.text import clean_shown, is_blank
from apps.interactions.arguments import parsed
from apps.toolkit.files.kinds import MEDIA_TYPES, ending_of
from apps.toolkit.files.words import say

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "pdf": ("pdf",),
    "csv": ("csv",),
    "xlsx": ("xlsx",),
    "markdown": ("md", "markdown"),
    "text": ("txt",),
}
"""The kinds of files, with the endings that their names may have; the first one is added where there is none."""
TABLES, TEXTS = ("csv", "xlsx"), ("markdown", "text")
MAX_NAME = 100
MAX_NAME_BYTES = 240
MAX_CONTENT = 200_000
"""Characters; of rows those of all cells together."""

_NO_NAME = re.compile(r'[/\\:*?"<>|\n\t]')


@dataclass(frozen=True, slots=True)
class Wanted:
    """A file that can be made."""

    kind: str
    name: str
    content: str | list[Any]


def read(call: ToolCall, language: str) -> Wanted | Refusal:
    """Read a call. The order of the checks: the object, kind, name, content."""
    source = None if call.extras.get("invalidArguments") else parsed(call.arguments)
    source = parsed(source) if isinstance(source, str) else source
    if not isinstance(source, dict):
        return _bad("arguments", "not_an_object", language)
    kind = source.get("kind")
    if not isinstance(kind, str) or kind not in ENDINGS:
        return _bad("kind", "bad_kind", language)
    name = _name(source.get("name"), kind, language)
    if isinstance(name, Refusal):
        return name
    content = (_table if kind in TABLES else _text)(source.get("content"), language)
    return content if isinstance(content, Refusal) else Wanted(kind, name, content)


def _bad(field: str, key: str, language: str, **parts: object) -> Refusal:
    return Refusal("BAD_ARGUMENT", say(key, language, **parts), field)


def _name(given: Any, kind: str, language: str) -> str | Refusal:
    name = given.strip() if isinstance(given, str) else ""
    if not _is_plain(name):
        return _bad("name", "bad_name", language, limit=MAX_NAME)
    ending, endings = ending_of(name), ENDINGS[kind]
    if ending in endings:
        return name
    if ending in MEDIA_TYPES:
        return _bad("name", "other_ending", language, ending=ending, kind=kind, right=endings[0])
    return f"{name}.{endings[0]}"


def _is_plain(name: str) -> bool:
    """Say whether it is one name, which every system takes, and which looks like what it is."""
    is_short = len(name) <= MAX_NAME and len(name.encode(errors="replace")) <= MAX_NAME_BYTES
    is_shown = clean_shown(name) == name and name.isprintable() and not is_blank(name)
    return is_short and is_shown and not name.startswith(".") and not name.endswith(".") and not _NO_NAME.search(name)


def _text(given: Any, language: str) -> str | Refusal:
    if not isinstance(given, str) or is_blank(given):
        return _bad("content", "not_text", language)
    return _fitting(clean_shown(given), len(given), language)


def _table(given: Any, language: str) -> str | list[Any] | Refusal:
    """Return the rows, or the text of a CSV file. Rows that came as JSON text are rows."""
    listed = parsed(given) if isinstance(given, str) and given.lstrip().startswith("[[") else given
    if _are_rows(listed) and any(listed):
        rows = [[clean_shown(cell) if isinstance(cell, str) else cell for cell in row] for row in listed]
        return _fitting(rows, sum(len(cell) for row in rows for cell in row if isinstance(cell, str)), language)
    if isinstance(given, str) and not is_blank(given):
        return _fitting(clean_shown(given), len(given), language)
    return _bad("content", "not_table", language)


def _fitting[Content: (str, list[Any])](content: Content, length: int, language: str) -> Content | Refusal:
    if length > MAX_CONTENT:
        return _bad("content", "too_long", language, count=length, limit=MAX_CONTENT)
    return content


def _are_rows(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(row, list) and all(map(_is_cell, row)) for row in value)


def _is_cell(value: Any) -> bool:
    # JSON as Python reads it knows NaN and infinity, which no cell holds.
    is_number = isinstance(value, int | float) and value == value and abs(value) != float("inf")
    return value is None or isinstance(value, str) or is_number
