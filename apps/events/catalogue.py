"""The kinds of events (contracts.md 7): their keys on the wire, which of them are people's text, and who reads them.

A kind is declared here before it is written. The apps above register how the data of their kinds is read.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.events.models import Event

Data = dict[str, Any]
Reader = Callable[[Sequence[Event]], Mapping[int, Data]]
"""Events of one kind and one session -> the wire data of each by its `seq`, in a constant number of queries."""


class UndeclaredKind(LookupError):
    """An event kind is used that the catalogue does not declare, or that is never stored."""


class WrongData(LookupError):
    """An event's data lacks a key that the catalogue declares."""


@dataclass(frozen=True, slots=True)
class EventKind:
    """One kind: the keys of its data, and those of them that hold free text of people or of the model."""

    name: str
    keys: tuple[str, ...]
    personal: tuple[str, ...] = ()
    stored: bool = True


_CARD = "id toolCallId kind title mode description options allowCustom submitLabel questions detail intent planRevision"
_DECLARED = (
    EventKind("run_started", ("capability", "message"), ("message",)),
    EventKind("run_resumed", ("segment",)),
    EventKind("message_delta", ("messageId", "text"), ("text",), stored=False),
    EventKind("message_snapshot", ("messageId", "text"), ("text",), stored=False),
    EventKind("message", ("messageId", "role", "text", "final"), ("text",)),
    EventKind("tool_call", ("toolCallId", "name", "arguments"), ("arguments",)),
    EventKind("tool_result", ("toolCallId", "name", "isError", "content", "details"), ("content", "details")),
    EventKind(
        "user_input_required",
        (*_CARD.split(), "createdAt", "expiresAt", "resumable"),
        ("title", "description", "options", "submitLabel", "questions", "detail", "intent"),
    ),
    EventKind("user_input_updated", ("id", "expiresAt")),
    EventKind("user_input_resolved", ("id", "toolCallId", "status", "reason", "answer", "resolvedAt", "channel"), ("answer",)),
    EventKind("plan_updated", ("plan",), ("plan",)),
    EventKind("usage", ("inputTokens", "outputTokens", "round")),
    EventKind("run_paused", ("pending",)),
    EventKind("run_completed", ("text", "outcome"), ("text",)),
    EventKind("run_failed", ("code", "message", "retryable"), ("message",)),
    EventKind("run_cancelled", ("reason",)),
)
KINDS: Mapping[str, EventKind] = {kind.name: kind for kind in _DECLARED}

RESTS = frozenset({"run_paused", "run_completed", "run_failed", "run_cancelled"})
"""A run rests after these: nothing follows until somebody acts."""


def read_facts(events: Sequence[Event]) -> dict[int, Data]:
    """Read events whose data is their facts and nothing else."""
    return {event.seq: dict(event.facts or {}) for event in events}


_IN_FACTS = ("run_resumed", "user_input_updated", "usage", "run_paused", "run_failed", "run_cancelled")
READERS: dict[str, Reader] = dict.fromkeys(_IN_FACTS, read_facts)


def stored_kind(name: str) -> EventKind:
    """Return the declared kind of an event that may be stored. Raises UndeclaredKind."""
    kind = KINDS.get(name)
    if kind is None or not kind.stored:
        raise UndeclaredKind(f"{name!r} is no kind of stored event.")
    return kind


def register(kind: str, reader: Reader) -> None:
    """Say how the data of a kind is read. Raises UndeclaredKind."""
    READERS[stored_kind(kind).name] = reader


def check_facts(kind: EventKind, facts: Mapping[str, Any] | None) -> None:
    """Refuse, before it is written, an event that could not be read. Raises WrongData."""
    if READERS.get(kind.name) is read_facts:
        _check_keys(kind, facts or {})


def read_data(events: Iterable[Event]) -> dict[int, Data]:
    """Return the wire data of a session's events by `seq`: one call of a reader for each kind among them.

    Raises WrongData where a reader leaves out a declared key. After an erasure a reader gives null for a
    personal key and adds ``"erased": true``. Where the row of an event has gone, which only a hand in the database can
    do, every key is null beside ``"missing": true``.
    """
    by_kind: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        by_kind[event.kind].append(event)
    found: dict[int, Data] = {}
    for name, same_kind in by_kind.items():
        found.update(READERS[name](same_kind))
        for event in same_kind:
            if event.seq not in found and event.subject is not None:
                found[event.seq] = dict.fromkeys(KINDS[name].keys) | {"missing": True}
            _check_keys(KINDS[name], found.get(event.seq, {}))
    return found


def _check_keys(kind: EventKind, data: Mapping[str, Any]) -> None:
    missing = [key for key in kind.keys if key not in data]
    if missing:
        raise WrongData(f"The data of {kind.name} lacks {', '.join(missing)}.")
