"""Whether what records tell of is there, and is as they tell it: sessions and owners, questions and ends, results."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import batched
from typing import Any, NamedTuple

from apps.audit import verdict
from apps.audit.binding import ROWS_AT_ONCE
from apps.audit.models import AuditRecord
from apps.audit.verify import Fault, Problem
from apps.chat.models import ChatSession, ToolResult
from apps.interactions.ends import has_ended_as_told, is_asked_as_told
from apps.interactions.models import Interaction

_STARTED, _REQUESTED, _RESULT = "run_started", "interaction_requested", "tool_result_written"
_ENDS = {f"interaction_{status}": status for status in Interaction.Status.values if status != Interaction.Status.PENDING}
_TELLING = (_STARTED, _REQUESTED, _RESULT, *_ENDS)


class _Record(NamedTuple):
    session: str
    number: int
    kind: str
    run: str
    request: str
    tool_call: str
    actor_kind: str
    actor_id: str
    channel: str
    summary: Any


def belied(session: str | None = None) -> Iterator[Fault]:
    """Name, of each chain, the first record that tells of a row that is not there, or is not as it was told."""
    named: set[str] = set()
    deleted = _Deleted()
    for batch in batched(_records(session), ROWS_AT_ONCE):
        there = _There(batch)
        for record in batch:
            if record.session not in named and (problem := _problem(record, there)) and record.session not in deleted.sessions:
                named.add(record.session)
                yield Fault(problem, record.session, record.number)


def _records(session: str | None) -> Iterator[_Record]:
    rows = AuditRecord.objects.exclude(session="").order_by("session", "number")
    # Beside a session a condition on the kind would lead SQLite through all records of that kind.
    rows = rows.filter(kind__in=_TELLING) if session is None else rows.filter(session=session)
    read = map(_Record._make, rows.values_list(*_Record._fields).iterator(chunk_size=ROWS_AT_ONCE))
    return (record for record in read if record.kind in _TELLING)


def _problem(record: _Record, there: "_There") -> Problem | None:
    if record.kind == _STARTED:
        return None if there.is_owned_as_told(record) else "owner"
    if record.kind == _RESULT:
        return None if (record.run, record.tool_call) in there.results else "gone"
    row = there.questions.get(record.request)
    if row is None or row.session.public_id != record.session:
        return "gone"
    if not is_asked_as_told(row, _facts(record)):
        return "asked"
    if record.kind == _REQUESTED:
        return None if row.user_id == row.session.user_id else "owner"
    actor = (record.actor_kind, record.actor_id)
    is_sound = row.status == _ENDS[record.kind] and has_ended_as_told(row, _facts(record), actor, record.channel)
    return None if is_sound else "end"


def _facts(record: _Record) -> dict[str, Any]:
    """Return the summary; whoever alters one may have made anything of it."""
    return record.summary if isinstance(record.summary, dict) else {}


class _There:
    """The rows that a batch of records tells of, in one query for each kind of row."""

    def __init__(self, records: Sequence[_Record]) -> None:
        requests = {record.request for record in records if record.kind not in (_STARTED, _RESULT)}
        rows = Interaction.objects.select_related("session", "resolved_by").filter(public_id__in=requests)
        texts = ("payload", "repairs", "submission", "decision", "session__tools", "session__title")
        self.questions = {row.public_id: row for row in rows.defer(*texts)}
        runs = {record.run for record in records if record.kind == _RESULT}
        results = ToolResult.objects.filter(call__run__public_id__in=runs)
        self.results = set(results.values_list("call__run__public_id", "call__call_id"))
        sessions = {record.session for record in records if record.kind == _STARTED}
        owners = ChatSession.objects.filter(public_id__in=sessions).values_list("public_id", "user__public_id")
        self._owners = dict(owners)

    def is_owned_as_told(self, record: _Record) -> bool:
        """Say whether a session is whose the start of a run says; of the time before that was told, its user is the owner."""
        by_user = record.actor_id if record.actor_kind == "user" else ""
        told = _facts(record).get("owner") or by_user
        return not told or self._owners.get(record.session, told) == told


class _Deleted:
    """The sessions that were deleted, as the audit tells it: their rows went with them."""

    @cached_property
    def sessions(self) -> frozenset[str]:
        return frozenset(AuditRecord.objects.filter(kind="session_deleted").values_list("session", flat=True).iterator())


def faults(session: str | None = None) -> Iterable[Fault]:
    """Return what `belied` finds; the chain of no session tells of no row."""
    return () if session == "" else belied(session)


verdict.register(faults)
