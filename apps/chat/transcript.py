"""Rows of the transcript as entries of the loop, and as messages of later requests.

A capability whose runs are not shown to later ones as their own requests saw them registers a renderer of its own.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import BigIntegerField

from apps.agent import folding, messages
from apps.agent.messages import Entry
from apps.audit.chain import new_salt
from apps.chat.models import Message, Run, ToolCall, ToolResult
from apps.common.prepared import Prepared, bound

RUNS_AT_ONCE = 20


class MessageRow(NamedTuple):
    """What is read of a message."""

    id: int
    run_id: int
    role: str
    kind: str
    text: str
    finish: str
    extras: dict[str, Any] | None
    erased: bool = False


class CallRow(NamedTuple):
    """What is read of a call and its result."""

    id: int
    message_id: int
    call_id: str
    name: str
    arguments: str
    extras: dict[str, Any] | None
    started_at: datetime | None
    content: str | None
    is_error: bool | None
    code: str | None


class AskedRow(NamedTuple):
    """What is read of a call that was put to the user. `decision` is the JSON text of one that was allowed."""

    call: int
    fingerprint: str
    is_approval: bool
    decision: str = ""


class EarlierRun(NamedTuple):
    """What is read of an earlier run."""

    id: int
    capability: str
    language: str
    config: Mapping[str, Any]
    status: str

    @property
    def is_completed(self) -> bool:
        """Whether it came to its final text."""
        return self.status == Run.Status.COMPLETED


Renderer = Callable[[EarlierRun, Sequence[Entry]], list[folding.Message]]
"""An earlier run and its entries, oldest first -> its messages in later requests; every call answered, adjacent, in order."""

_renderers: dict[str, Renderer] = {}


def register_renderer(capability: str, render: Renderer) -> None:
    """Say how the runs of a capability are shown to later runs: capabilities lie in layers above this one."""
    _renderers[capability] = render


_CALL_FIELDS = (*CallRow._fields[:7], "result__content", "result__is_error", "result__code")
_KEY = BigIntegerField()

_MESSAGES = Prepared(lambda: Message.objects.filter(run=bound("run", _KEY)).order_by("id").values_list(*MessageRow._fields))
_CALLS = Prepared(lambda: ToolCall.objects.filter(run=bound("run", _KEY)).order_by("id").values_list(*_CALL_FIELDS))


def _between(prefix: str) -> dict[str, Any]:
    """Return the filter for the rows of a session's own runs from one run up to another, which is not among them."""
    return {
        f"{prefix}__session": bound("session", _KEY),
        f"{prefix}__gte": bound("since", _KEY),
        f"{prefix}__lt": bound("before", _KEY),
        f"{prefix}__parent_call__isnull": True,
    }


_EARLIER_MESSAGES = Prepared(lambda: Message.objects.filter(**_between("run")).order_by("id").values_list(*MessageRow._fields))
_EARLIER_CALLS = Prepared(lambda: ToolCall.objects.filter(**_between("run")).order_by("id").values_list(*_CALL_FIELDS))
_RUNS_BEFORE = Prepared(
    lambda: (
        Run.objects.filter(session=bound("session", _KEY), pk__lt=bound("before", _KEY), parent_call__isnull=True)
        .order_by("-id")
        .values_list(*EarlierRun._fields)[:RUNS_AT_ONCE]
    )
)


@dataclass
class RunRows:
    """A run as it was read: its entries, oldest first, and the keys of the calls that have no result yet."""

    entries: list[Entry] = field(default_factory=list)
    unanswered: dict[str, int] = field(default_factory=dict)


def read_run(run_id: int, asked: Iterable[AskedRow]) -> RunRows:
    """Read a run. `asked` are its calls that were put to the user, in the order of asking."""
    calls, asked_by_call = _by_message(_CALLS(run=run_id)), defaultdict(list)
    for each in asked:
        asked_by_call[each.call].append(each)
    read = RunRows()
    for row in map(MessageRow._make, _MESSAGES(run=run_id)):
        read.entries.extend(_entries(row, calls[row.id], asked_by_call))
    for row_calls in calls.values():
        read.unanswered.update((call.call_id, call.id) for call in row_calls if call.content is None)
    return read


def earlier_messages(run: Run, limit: int) -> list[list[folding.Message]]:
    """Return the messages of the session's earlier runs, oldest run first, as far back as `limit` characters reach."""
    found: list[list[folding.Message]] = []
    size, before = 0, run.pk
    while size <= limit and (batch := _earlier_runs(run.session_id, before)):
        for run_messages in _messages_of_runs(run.session_id, batch, before):
            found.append(run_messages)
            size += sum(map(folding.length, run_messages))
        before = batch[-1].id
    return found[::-1]


def _earlier_runs(session: int, before: int) -> list[EarlierRun]:
    return [EarlierRun._make(row) for row in _RUNS_BEFORE(session=session, before=before)]


def _by_message(rows: Iterable[Any]) -> dict[int, list[CallRow]]:
    found: dict[int, list[CallRow]] = defaultdict(list)
    for row in map(CallRow._make, rows):
        found[row.message_id].append(row)
    return found


def _messages_of_runs(session: int, runs: Sequence[EarlierRun], before: int) -> Iterator[list[folding.Message]]:
    """Yield the messages of each run in the order given; of one whose words were erased there are none."""
    span = {"session": session, "since": runs[-1].id, "before": before}
    by_run: dict[int, list[MessageRow]] = defaultdict(list)
    for row in map(MessageRow._make, _EARLIER_MESSAGES(**span)):
        by_run[row.run_id].append(row)
    calls = _by_message(_EARLIER_CALLS(**span))
    for run in runs:
        # Retention empties notes of a run whose words stand.
        rows = [] if any(row.erased and row.role != Message.Role.NOTE for row in by_run[run.id]) else by_run[run.id]
        entries = [entry for row in rows for entry in _entries(row, calls[row.id], {})]
        yield _renderers.get(run.capability, _as_it_was)(run, entries)


def _as_it_was(run: EarlierRun, entries: Sequence[Entry]) -> list[folding.Message]:
    """Render a run as its own requests saw it, but for the engine's notes."""
    view = folding.View("", (), 2**63, "en")
    made: dict[str, messages.ToolCall] = {}
    for entry in entries:
        match entry:
            case messages.UserMessage(text):
                view.say(text)
            case messages.Turn(finish="length"):
                view.truncated(entry)
            case messages.Turn(calls=calls):
                made |= {call.id: call for call in calls}
                view.turn(entry)
            case messages.ToolResult(call_id=call_id):
                view.result(made[call_id], entry)
    return view.messages[1:]


def _entries(row: MessageRow, calls: Sequence[CallRow], asked: Mapping[int, Sequence[AskedRow]]) -> Iterator[Entry]:
    if row.role == Message.Role.USER:
        yield messages.UserMessage(row.text)
    elif row.role == Message.Role.NOTE:
        yield messages.Note(row.kind, row.text)
    else:
        finish: Any = "length" if row.finish == "length" else "stop"
        yield messages.Turn(row.text, tuple(map(call_of, calls)), finish, row.extras or {})
        yield from _entries_of_calls(calls, asked)


def _entries_of_calls(calls: Sequence[CallRow], asked: Mapping[int, Sequence[AskedRow]]) -> Iterator[Entry]:
    for call in calls:
        if call.started_at:
            yield messages.Started(call.call_id)
        for row in asked.get(call.id, ()):
            yield from _entries_of_ask(call.call_id, row)
    for call in calls:
        if call.content is not None:
            yield messages.ToolResult(call.call_id, call.content, bool(call.is_error), code=call.code or "")


def _entries_of_ask(call_id: str, row: AskedRow) -> Iterator[Entry]:
    if not row.is_approval:
        yield messages.Asked(call_id, row.fingerprint)
        return
    yield messages.ApprovalAsked(call_id, row.fingerprint)
    if row.decision:
        yield messages.Approved(call_id, row.fingerprint, str(json.loads(row.decision)["feedback"]))


def call_of(row: CallRow) -> messages.ToolCall:
    """Return a call as the loop knows it."""
    return messages.ToolCall(row.call_id, row.name, row.arguments, row.extras or {})


def write_result(call_row: int, result: messages.ToolResult, now: datetime) -> ToolResult:
    """Return the unsaved row of a call's one result."""
    return ToolResult(
        call_id=call_row,
        content=result.content,
        is_error=result.is_error,
        code=result.code,
        details=dict(result.details) or None,
        salt=new_salt(),
        created_at=now,
    )
