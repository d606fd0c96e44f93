"""Write audit records: in the caller's transaction, dense numbers in commit order, three statements for any count.

The head row of the chain is locked to the commit; among all locks it comes last (run, interaction, event counter,
audit head). It is locked by reading: the new value depends on the old one, so a single UPDATE cannot make it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import batched, groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection
from django.db.backends.utils import CursorWrapper

from apps.audit.catalogue import check
from apps.audit.chain import Row, own_value
from apps.audit.channels import Channel
from apps.audit.context import Actor, current
from apps.audit.keys import signing_key_id
from apps.audit.models import AuditChain, AuditRecord
from apps.common.clock import database_now
from apps.common.text import compact_json

_HEADS, _RECORDS = AuditChain._meta.db_table, AuditRecord._meta.db_table
_MAKE_HEAD = f"INSERT INTO {_HEADS} (session, number, at, value, key_id) VALUES (%s, 0, %s, %s, '') ON CONFLICT DO NOTHING"
# PostgreSQL reads its clock along with the head; SQLite's clock is this process's and needs no statement.
_READ_HEAD = {
    "sqlite": f"SELECT number, at, value FROM {_HEADS} WHERE session = %s",
    "postgresql": f"SELECT number, at, value, clock_timestamp() FROM {_HEADS} WHERE session = %s FOR UPDATE",
}
_MOVE_HEAD = f"UPDATE {_HEADS} SET number = %s, at = %s, value = %s, key_id = %s WHERE session = %s"
_INSERT = f"INSERT INTO {_RECORDS} ({', '.join(Row._fields)}) VALUES "
_PLACES = f"({', '.join(['%s'] * len(Row._fields))})"
# SQLite takes at most 32,766 parameters in a statement.
_ROWS_A_STATEMENT = 1000


class NotInTransaction(RuntimeError):
    """Audit records are written in the transaction of the change that they tell of."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One fact to record. Actor and channel not given are those said by `apps.audit.context.acting`."""

    kind: str
    session: str = ""
    run: str = ""
    request: str = ""
    tool_call: str = ""
    result: str = ""
    summary: Mapping[str, Any] = field(default_factory=dict)
    actor: Actor | None = None
    channel: Channel | None = None
    digest: str = ""
    """Of the payload, by `apps.audit.chain.commitment`: 64 hex digits."""


class _Head(NamedTuple):
    number: int
    value: bytes
    now: datetime
    """The clock, or the time of the last record if the clock has gone back: time never does in a chain."""


def record(entries: Sequence[Entry]) -> None:
    """Append the entries to their chains, in the order given.

    Raises NotInTransaction outside an atomic block, UndeclaredKind and UndeclaredFact for what the catalogue refuses;
    nothing is written then.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction
    for entry in entries:
        check(entry.kind, entry.summary)
    by_session = attrgetter("session")
    with connection.cursor() as cursor:
        rows: list[Row] = []
        # Sorted: two writers that need the same two chains lock them in the same order.
        for session, group in groupby(sorted(entries, key=by_session), key=by_session):
            continued = list(_continue(_locked_head(cursor, session), group))
            _move_head(cursor, continued[-1])
            rows += continued
        for batch in batched(rows, _ROWS_A_STATEMENT):
            _insert(cursor, batch)


def _locked_head(cursor: CursorWrapper, session: str) -> _Head:
    """Return the head of the chain, made if need be, locked until the transaction ends."""
    read = _READ_HEAD[connection.vendor]
    cursor.execute(read, [session])
    row = cursor.fetchone()
    if row is None:
        cursor.execute(_MAKE_HEAD, [session, _stored(database_now()), b""])
        cursor.execute(read, [session])
        row = cursor.fetchone()
    number, at, value, *clock = row
    return _Head(number, bytes(value), max(_moment(at), clock[0] if clock else database_now()))


def _continue(head: _Head, entries: Iterator[Entry]) -> Iterator[Row]:
    """Sign the entries one after the other."""
    said, key_id, previous = current(), signing_key_id(), head.value
    said_actor: Actor | None = None
    for number, entry in enumerate(entries, head.number + 1):
        actor = entry.actor or (said_actor := said_actor or said.resolved_actor())
        row = Row(
            session=entry.session,
            number=number,
            at=head.now,
            kind=entry.kind,
            actor_kind=actor.kind,
            actor_id=actor.id,
            channel=entry.channel or said.channel,
            run=entry.run,
            request=entry.request,
            tool_call=entry.tool_call,
            result=entry.result,
            summary=dict(entry.summary),
            digest=bytes.fromhex(entry.digest),
            http_request=said.http_request,
            previous=previous,
            key_id=key_id,
        )
        previous = own_value(row)
        yield row._replace(value=previous)


def _move_head(cursor: CursorWrapper, last: Row) -> None:
    cursor.execute(_MOVE_HEAD, [last.number, _stored(last.at), last.value, last.key_id, last.session])


def _insert(cursor: CursorWrapper, rows: Sequence[Row]) -> None:
    columns = [column for row in rows for column in _columns(row)]
    cursor.execute(_INSERT + ", ".join([_PLACES] * len(rows)), columns)


def _columns(row: Row) -> Iterable[Any]:
    """Return the columns of a record as this database stores them."""
    return {**row._asdict(), "at": _stored(row.at), "summary": compact_json(row.summary)}.values()


def _stored(moment: datetime) -> Any:
    """Return the moment as Django stores it in this database."""
    return connection.ops.adapt_datetimefield_value(moment)


def _moment(stored: datetime) -> datetime:
    """Give the zone to a moment read from SQLite, which keeps none."""
    return stored if stored.tzinfo else stored.replace(tzinfo=UTC)
