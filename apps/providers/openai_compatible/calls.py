"""Fragments of tool calls, put together however a server numbers them."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.agent.messages import ToolCall
from apps.common.text import clean_stored, compact_json
from apps.providers.openai_compatible.arguments import INVALID_ARGUMENTS, is_json, repaired
from apps.providers.openai_compatible.characters import storable, whole_characters

_OURS = ("index", "id", "function")
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]")
LONGEST_NAME = 64


@dataclass(slots=True)
class _Slot:
    """A call in the making."""

    index: int | None
    id: str = ""
    name: str = ""
    arguments: str = ""
    extras: dict[str, Any] = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return self.arguments.rstrip().endswith("}") and is_json(self.arguments)


@dataclass(frozen=True, slots=True)
class _Fragment:
    """What one delta says of one call. `index` None and empty texts: it does not say."""

    index: int | None
    id: str
    name: str
    arguments: str
    extras: Mapping[str, Any]


class CallAssembler:
    """Collects fragments and decides which call each belongs to.

    A fragment belongs to the call with its id; else to the latest call with its index; else to the latest call. It
    opens a new call if none is found, or if it brings a name or id that the found call cannot have: servers number
    all calls 0, leave numbers out, repeat id and name in every fragment, or make up a new id for each.
    `known_names` are the tools offered: they tell a name sent in pieces from two names.
    """

    def __init__(self, known_names: Collection[str] = ()) -> None:
        self._known = frozenset(known_names)
        self._slots: list[_Slot] = []

    def __bool__(self) -> bool:
        return bool(self._slots)

    @property
    def are_complete(self) -> bool:
        """Say whether every call's arguments are whole."""
        return all(slot.is_complete or not slot.arguments for slot in self._slots)

    def add(self, entries: object) -> None:
        """Take in the `tool_calls` of a delta."""
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                self._add(_fragment(entry))

    def add_whole(self, entries: object) -> None:
        """Take in the `tool_calls` of a whole message: each entry is a call, whatever its id."""
        whole = [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
        self.add([{**entry, "index": position} for position, entry in enumerate(whole)])

    def calls(self) -> tuple[ToolCall, ...]:
        """Return the calls, by index if every one has its own, else in the order in which they were opened."""
        slots = [slot for slot in self._slots if slot.name or slot.arguments.strip()]
        if len({slot.index for slot in slots if slot.index is not None}) == len(slots):
            slots.sort(key=lambda slot: slot.index or 0)
        return tuple(self._call(slot) for slot in slots)

    def _add(self, fragment: _Fragment) -> None:
        slot = self._owner(fragment)
        if slot is None:
            slot = _Slot(fragment.index)
            self._slots.append(slot)
        slot.index = fragment.index if slot.index is None else slot.index
        slot.id = slot.id or fragment.id
        if self._continues_name(slot, fragment.name):
            slot.name += fragment.name
        slot.arguments += fragment.arguments
        for key, value in fragment.extras.items():
            kept = slot.extras.get(key)
            slot.extras[key] = {**kept, **value} if isinstance(kept, dict) and isinstance(value, dict) else value

    def _owner(self, fragment: _Fragment) -> _Slot | None:
        latest_first = self._slots[::-1]
        for slot in latest_first if fragment.id else ():
            if slot.id == fragment.id and (fragment.index is None or slot.index in (None, fragment.index)):
                return slot
        candidates: Iterable[_Slot] = latest_first
        if fragment.index is not None:
            candidates = [slot for slot in latest_first if slot.index == fragment.index]
            if not candidates and not fragment.id and not fragment.name:
                candidates = latest_first
        found = next(iter(candidates), None)
        return None if found is None or self._opens_another(found, fragment) else found

    def _opens_another(self, slot: _Slot, fragment: _Fragment) -> bool:
        """Say whether the fragment cannot be of this call, whose id is another or unknown."""
        if not fragment.name or not slot.name:
            return bool(fragment.id and slot.id) and slot.is_complete
        if fragment.name != slot.name:
            return not self._continues_name(slot, fragment.name)
        if fragment.id and slot.id:
            return True
        return bool(fragment.arguments) and slot.is_complete

    def _continues_name(self, slot: _Slot, piece: str) -> bool:
        if not slot.name:
            return True
        return slot.name not in self._known and any(name.startswith(slot.name + piece) for name in self._known)

    def _call(self, slot: _Slot) -> ToolCall:
        arguments = repaired(whole_characters(slot.arguments))
        extras = storable(slot.extras)
        if arguments is None:
            arguments, extras = "{}", {**extras, INVALID_ARGUMENTS: True}
        call_id = clean_stored(whole_characters(slot.id))
        return ToolCall(call_id, clean_name(slot.name, self._known), arguments, extras)


def clean_name(raw: str, known: Collection[str] = ()) -> str:
    """Return the tool's name without what servers leak into it: colons, spaces, prefixes, special tokens.

    What is left of an unknown name still fits the form that every provider takes back.
    """
    name = raw.partition("<|")[0].strip(" \t\r\n:\"'`")
    last = re.split(r"[.:/]", name)[-1]
    if name not in known and last in known:
        return last
    return _NOT_IN_A_NAME.sub("_", name)[:LONGEST_NAME] or "unnamed"


def _fragment(entry: Mapping[str, Any]) -> _Fragment:
    function = entry.get("function")
    function = function if isinstance(function, dict) else {}
    extras = {key: value for key, value in entry.items() if key not in _OURS and value not in (None, "")}
    if extras.get("type") == "function":
        del extras["type"]
    inner = {key: value for key, value in function.items() if key not in ("name", "arguments") and value is not None}
    if inner:
        extras["function"] = inner
    return _Fragment(
        index=_index(entry.get("index")),
        id=_text(entry.get("id")),
        name=_text(function.get("name")),
        arguments=_text(function.get("arguments")),
        extras=extras,
    )


def _index(value: object) -> int | None:
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(value: object) -> str:
    """Ids may come as numbers and arguments as objects."""
    if value is None or isinstance(value, str):
        return value or ""
    return compact_json(value)
