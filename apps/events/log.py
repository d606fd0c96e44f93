"""Write events: inside the transaction of the change that they tell of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.transaction import TransactionManagementError

from apps.common.clock import database_now
from apps.common.rows import insert
from apps.events import catalogue, hints
from apps.events.models import Event, PartialText, Stream


class NoStream(LookupError):
    """The session has no counter of events: it was deleted, or never opened."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event to be written. `run` and `subject` are keys of rows; `facts` are small and hold no text of people."""

    kind: str
    run: int | None = None
    subject: int | None = None
    facts: Mapping[str, Any] | None = None


def open_stream(session_id: int, public_id: str) -> None:
    """Create the counter of a new session, in the transaction that makes the session."""
    insert([Stream(session=session_id, public_id=public_id, last_at=database_now())])


def append(session_id: int, events: Sequence[NewEvent]) -> int:
    """Append events with the next numbers; return the first of them. Readers are told at the commit.

    The counter's row stays locked until then, so the order of commits is the order of numbers. Take this
    lock after those of run and interaction. Raises UndeclaredKind, WrongData, NoStream, and
    TransactionManagementError outside of a transaction.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("Events are appended in the transaction of what they tell of.")
    for event in events:
        catalogue.check_facts(catalogue.stored_kind(event.kind), event.facts)
    last, at = _take_numbers(session_id, len(events))
    first = last - len(events) + 1
    insert(
        [
            Event(session=session_id, seq=seq, kind=new.kind, run=new.run, subject=new.subject, facts=new.facts, at=at)
            for seq, new in enumerate(events, first)
        ]
    )
    hints.announce(hints.session_topic(session_id))
    return first


def delete_stream(session_id: int) -> None:
    """Delete a session's events with everything that belongs to them; its open streams end at the commit."""
    for model in (Event, PartialText, Stream):
        model._default_manager.filter(session=session_id).delete()
    hints.announce(hints.session_topic(session_id))


_TAKE = "UPDATE {table} SET last_seq = last_seq + %s, last_at = {latest} WHERE session = %s RETURNING last_seq, last_at"


def _take_numbers(session_id: int, count: int) -> tuple[int, datetime]:
    """Take `count` numbers in one statement; return the last of them and a time that never goes back."""
    table = connection.ops.quote_name(Stream._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(_TAKE.format(table=table, latest="GREATEST(last_at, clock_timestamp())"), [count, session_id])
        else:
            # SQLite keeps times as texts that sort as the times do.
            now = connection.ops.adapt_datetimefield_value(datetime.now(UTC))
            cursor.execute(_TAKE.format(table=table, latest="max(last_at, %s)"), [count, now, session_id])
        row = cursor.fetchone()
    if row is None:
        raise NoStream("The session has no stream of events.")
    return row[0], _as_time(row[1])


def _as_time(value: datetime | str) -> datetime:
    moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)  # SQLite has no zones; Django stores UTC
