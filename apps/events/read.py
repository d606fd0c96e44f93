"""Read events as they stand on the wire, a page at a time, in a number of queries that the page's length does not change."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from django.db.models import BigIntegerField

from apps.common.clock import wire_time
from apps.common.prepared import Prepared, bound
from apps.events import catalogue
from apps.events.frames import frame, wire_json
from apps.events.models import Event, PartialText, Stream

PAGE = 100

RunIds = Callable[[Iterable[int]], Mapping[int, str]]
"""Keys of runs -> their public ids."""


def _no_run_ids(keys: Iterable[int]) -> Mapping[int, str]:
    raise LookupError("Nobody has registered how the public ids of runs are read.")


_run_ids: RunIds = _no_run_ids


def register_run_ids(look_up: RunIds) -> None:
    """Say how the public ids of runs are read: runs lie in a layer above this one."""
    global _run_ids
    _run_ids = look_up


@dataclass(frozen=True, slots=True)
class WireEvent:
    """A stored event as it is sent: `data` holds the common keys first, then those of its kind."""

    seq: int
    kind: str
    data: Mapping[str, Any]

    @property
    def data_json(self) -> str:
        """Its data as one line of JSON: the same bytes at every replay."""
        return wire_json(self.data)

    @property
    def frame(self) -> bytes:
        """The whole event for a stream."""
        return frame(self.kind, self.data_json, self.seq)


@dataclass(frozen=True, slots=True)
class Page:
    """Events after a cursor. `last_seq` is the session's last number; a cursor beyond it is moved back to it."""

    cursor: int
    last_seq: int
    events: Sequence[WireEvent]


_STREAM = Prepared(lambda: Stream.objects.filter(pk=bound("session", BigIntegerField())))


@cache
def _events_after(limit: int) -> Prepared:
    later = Event.objects.filter(session=bound("session", BigIntegerField()), seq__gt=bound("after", BigIntegerField()))
    return Prepared(lambda: later.order_by("seq")[:limit])


def read_page(session_id: int, after: int, limit: int = PAGE) -> Page | None:
    """Return up to `limit` events after number `after`, oldest first; None if the session has no stream (any more)."""
    stream = _STREAM.first(session=session_id)
    if stream is None:
        return None
    if after >= stream.last_seq:
        return Page(stream.last_seq, stream.last_seq, ())
    rows = _events_after(limit)(session=session_id, after=after)
    return Page(after, stream.last_seq, _as_sent(stream.public_id, rows))


def read_events(session_id: int, after: int, limit: int = PAGE) -> list[WireEvent]:
    """Return up to `limit` events after number `after`, oldest first."""
    page = read_page(session_id, after, limit)
    return list(page.events) if page else []


def run_public_id(run: int) -> str | None:
    """Return the public id of a run; None if there is no such run."""
    return _run_ids([run]).get(run)


def last_numbers(sessions: Sequence[int]) -> Mapping[int, int]:
    """Return the last number of each session."""
    return dict(Stream.objects.filter(pk__in=sessions).values_list("session", "last_seq"))


def text_times(sessions: Sequence[int]) -> Mapping[int, datetime]:
    """Return when the running text of each session was last written."""
    return dict(PartialText.objects.filter(pk__in=sessions).values_list("session", "updated_at"))


def _as_sent(session_id: str, rows: Sequence[Event]) -> list[WireEvent]:
    keys = {row.run for row in rows if row.run is not None}
    run_ids = _run_ids(keys) if keys else {}
    data = catalogue.read_data(rows)
    return [WireEvent(row.seq, row.kind, _common(session_id, row, run_ids) | data[row.seq]) for row in rows]


def _common(session_id: str, row: Event, run_ids: Mapping[int, str]) -> dict[str, Any]:
    run_id = None if row.run is None else run_ids.get(row.run)
    return {"sessionId": session_id, "seq": row.seq, "at": wire_time(row.at), "runId": run_id}
