"""Rows of the transcript as entries of the loop, and as messages of later requests."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from apps.agent import folding, messages
from apps.agent.messages import Entry
from apps.chat.models import Message, Run, ToolCall, ToolResult

RUNS_AT_ONCE = 20
Row = dict[str, Any]


def entries_of(run_id: int, asked: dict[int, str]) -> Iterator[Entry]:
    """Yield a run's entries, oldest first. `asked` maps the call rows put to the user to their fingerprints."""
    rows = list(Message.objects.filter(run_id=run_id).order_by("id").values(*_MESSAGE))
    calls = _calls_by_message([run_id])
    for row in rows:
        yield from _entries(row, calls[row["id"]], asked)


def earlier_messages(run: Run, limit: int) -> list[list[folding.Message]]:
    """Return the messages of the session's earlier runs, oldest run first, as far back as `limit` characters reach."""
    found: list[list[folding.Message]] = []
    size, before = 0, run.pk
    while size <= limit and (batch := _runs_before(run.session_id, before)):
        for run_messages in _messages_of_runs(batch):
            found.append(run_messages)
            size += sum(map(folding.length, run_messages))
        before = batch[-1]
    return found[::-1]


def _runs_before(session_id: int, before: int) -> list[int]:
    rows = Run.objects.filter(session_id=session_id, pk__lt=before, parent_call__isnull=True)
    return list(rows.order_by("-id").values_list("id", flat=True)[:RUNS_AT_ONCE])


_MESSAGE = ("id", "run_id", "role", "kind", "text", "finish", "extras")
_CALL = ("id", "message_id", "call_id", "name", "arguments", "extras", "started_at")
_RESULT = ("result__content", "result__is_error", "result__code")


def _calls_by_message(run_ids: Sequence[int]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for row in ToolCall.objects.filter(run_id__in=run_ids).order_by("id").values(*_CALL, *_RESULT):
        found[row["message_id"]].append(row)
    return found


def _messages_of_runs(run_ids: Sequence[int]) -> Iterator[list[folding.Message]]:
    """Yield the messages of each run in the order given; a run is rendered as its own requests saw it."""
    by_run: dict[int, list[Row]] = defaultdict(list)
    for row in Message.objects.filter(run_id__in=run_ids).order_by("id").values(*_MESSAGE):
        by_run[row["run_id"]].append(row)
    calls = _calls_by_message(run_ids)
    for run_id in run_ids:
        yield _rendered(by_run[run_id], calls)


def _rendered(rows: Iterable[Row], calls: dict[int, list[Row]]) -> list[folding.Message]:
    view = folding.View("", (), 2**63, "en")
    for row in rows:
        for entry in _entries(row, calls[row["id"]], {}):
            match entry:
                case messages.UserMessage(text):
                    view.say("user", text)
                case messages.Turn(finish="length"):
                    view.truncated(entry)
                case messages.Turn():
                    view.turn(entry)
                case messages.ToolResult(call_id=call_id):
                    view.result(call_of(next(c for c in calls[row["id"]] if c["call_id"] == call_id)), entry)
    return view.messages[1:]


def _entries(row: Row, calls: Sequence[Row], asked: dict[int, str]) -> Iterator[Entry]:
    if row["role"] == Message.Role.USER:
        yield messages.UserMessage(row["text"])
        return
    if row["role"] == Message.Role.NOTE:
        yield messages.Note(row["kind"], row["text"])
        return
    yield messages.Turn(row["text"], tuple(map(call_of, calls)), _finish(row), row["extras"] or {})
    for call in calls:
        if call["started_at"]:
            yield messages.Started(call["call_id"])
        if call["id"] in asked:
            yield messages.Asked(call["call_id"], asked[call["id"]])
    for call in calls:
        if call["result__content"] is not None:
            yield messages.ToolResult(
                call["call_id"], call["result__content"], call["result__is_error"], code=call["result__code"]
            )


def _finish(row: Row) -> Any:
    return "length" if row["finish"] == "length" else "stop"


def call_of(row: Row) -> messages.ToolCall:
    return messages.ToolCall(row["call_id"], row["name"], row["arguments"], row["extras"] or {})


def write_result(call_row: int, result: messages.ToolResult, now: Any) -> ToolResult:
    """Return the unsaved row of a call's one result."""
    return ToolResult(
        call_id=call_row,
        content=result.content,
        is_error=result.is_error,
        code=result.code,
        details=dict(result.details) or None,
        created_at=now,
    )
