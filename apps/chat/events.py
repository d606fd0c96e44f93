"""How the events of the transcript are read: their text comes from the rows that own it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apps.chat.models import Message, Run, ToolCall, ToolResult
from apps.common.prepared import ByKeys
from apps.events.catalogue import Data, register
from apps.events.models import Event
from apps.events.read import register_run_ids

_MESSAGES = ByKeys(Message.objects.all)
_CALLS = ByKeys(ToolCall.objects.all)
_RESULTS = ByKeys(lambda: ToolResult.objects.select_related("call"))
_RUNS = ByKeys(lambda: Run.objects.only("public_id"))


def _said(row: Message, key: str) -> Data:
    """Return the text of a message under this key; after an erasure null, and said so."""
    return {key: None, "erased": True} if row.erased else {key: row.text}


def _subjects(events: Sequence[Event]) -> list[int]:
    return [event.subject for event in events if event.subject is not None]


def read_started(events: Sequence[Event]) -> dict[int, Data]:
    """Read run_started: the capability and what the user wrote."""
    rows = _MESSAGES(_subjects(events))
    return {e.seq: dict(e.facts or {}) | _said(rows[e.subject], "message") for e in events if e.subject in rows}


def read_messages(events: Sequence[Event]) -> dict[int, Data]:
    """Read message: one text of the model."""
    rows = _MESSAGES(_subjects(events))
    return {e.seq: _message(rows[e.subject]) for e in events if e.subject in rows}


def _message(row: Message) -> Data:
    return {"messageId": row.public_id, "role": row.role, **_said(row, "text"), "final": row.final}


def read_completed(events: Sequence[Event]) -> dict[int, Data]:
    """Read run_completed: the final text and the outcome."""
    rows = _MESSAGES(_subjects(events))
    return {e.seq: _said(rows[e.subject], "text") | dict(e.facts or {}) for e in events if e.subject in rows}


def read_calls(events: Sequence[Event]) -> dict[int, Data]:
    """Read tool_call: what the model called, its arguments as the JSON text that goes back to it."""
    rows = _CALLS(_subjects(events))
    return {e.seq: _call(rows[e.subject]) for e in events if e.subject in rows}


def _call(row: ToolCall) -> Data:
    told = {"toolCallId": row.call_id, "name": row.name, "arguments": None if row.erased else row.arguments}
    return told | ({"erased": True} if row.erased else {})


def read_results(events: Sequence[Event]) -> dict[int, Data]:
    """Read tool_result: the call's one result."""
    rows = _RESULTS(_subjects(events))
    return {e.seq: result_data(rows[e.subject]) for e in events if e.subject in rows}


def result_data(row: ToolResult) -> dict[str, Any]:
    """Return a result as the wire shows it; `content` is the very text that the model receives."""
    told = {
        "toolCallId": row.call.call_id,
        "name": row.call.name,
        "isError": row.is_error,
        "content": None if row.erased else row.content,
        "details": None if row.erased else row.details or {},
    }
    return told | ({"erased": True} if row.erased else {})


def run_ids(keys: Iterable[int]) -> Mapping[int, str]:
    """Return the public ids of runs by their keys."""
    return {key: run.public_id for key, run in _RUNS(keys).items()}


register_run_ids(run_ids)
register("run_started", read_started)
register("message", read_messages)
register("run_completed", read_completed)
register("tool_call", read_calls)
register("tool_result", read_results)
