"""The raw events of a session, with null for every text; one that somebody has altered to nonsense is named."""

from collections.abc import Sequence
from typing import NamedTuple

from apps.audit.verdict import NONSENSE
from apps.common.text import compact_json
from apps.events.catalogue import check_facts, stored_kind
from apps.events.models import Event
from apps.events.read import WireEvent, read_events
from apps.runs.masking import masked_event

EVENTS = 100
"""Events of one page."""


class ShownEvent(NamedTuple):
    """One event. `data` is JSON; None: it was altered and cannot be read."""

    number: int
    kind: str
    data: str | None


def events_after(session: int, after: int) -> tuple[Sequence[ShownEvent], int | None]:
    """Return a page of events, and the number behind which there are more."""
    stored = Event.objects.filter(session=session, seq__gt=after).order_by("seq")
    numbers = list(stored.values_list("seq", flat=True)[: EVENTS + 1])
    more = numbers[EVENTS - 1] if len(numbers) > EVENTS else None
    try:
        return list(map(_shown, read_events(session, after, EVENTS))), more
    except NONSENSE:
        altered = {number for number in numbers[:EVENTS] if _is_nonsense(session, number)}
        if not altered:
            raise
        return [_one(session, number, is_altered=number in altered) for number in numbers[:EVENTS]], more


def _shown(event: WireEvent) -> ShownEvent:
    return ShownEvent(event.seq, event.kind, compact_json(masked_event(event.kind, event.data)))


def _one(session: int, number: int, *, is_altered: bool) -> ShownEvent:
    return ShownEvent(number, "", None) if is_altered else _shown(read_events(session, number - 1, 1)[0])


def _is_nonsense(session: int, number: int) -> bool:
    """Say whether the event itself cannot be read, whatever is the matter with the row that owns its text."""
    try:
        event = Event.objects.get(session=session, seq=number)
        check_facts(stored_kind(event.kind), event.facts)
    except NONSENSE:
        return True
    return not isinstance(event.facts, dict | None)
