"""Rows as the API shows them. Cards and receipts are written by apps.interactions, events by apps.events."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from apps.chat.models import ChatSession, Message, Run, ToolCall, ToolResult
from apps.common.clock import wire_time
from apps.interactions.events import card, receipt
from apps.interactions.models import Interaction

Json = dict[str, Any]


def session_json(session: ChatSession, last_run: Run | None) -> Json:
    """Return a session with its latest run."""
    is_active = last_run is not None and last_run.status in Run.ACTIVE
    return {
        "sessionId": session.public_id,
        "title": session.title,
        "archived": session.archived,
        "tools": session.tools,
        "status": last_run.status if last_run and is_active else "idle",
        "lastRun": run_json(last_run) if last_run else None,
        "createdAt": wire_time(session.created_at),
        "updatedAt": wire_time(session.updated_at),
    }


def run_json(run: Run) -> Json:
    """Return a run."""
    failure = {"code": run.error_code, "message": run.error_message, "retryable": run.retryable}
    return {
        "runId": run.public_id,
        "status": run.status,
        "capability": run.capability,
        "config": run.config,
        "language": run.language,
        "channel": run.channel,
        "model": run.model,
        "outcome": run.outcome,
        "reason": run.reason,
        "error": failure if run.error_code else None,
        "createdAt": wire_time(run.created_at),
        "endedAt": wire_time(run.ended_at),
    }


def message_json(message: Message, calls: Sequence[ToolCall], request_ids: Mapping[int, str]) -> Json:
    """Return a message with its calls. `request_ids` are the public ids of interactions by the key of their call."""
    told = {
        "messageId": message.public_id,
        "runId": message.run.public_id,
        "role": message.role,
        "kind": message.kind,
        "text": None if message.erased else message.text,
        "final": message.final,
        "finish": message.finish,
        "toolCalls": [call_json(call, request_ids.get(call.pk)) for call in calls],
        "createdAt": wire_time(message.created_at),
    }
    return told | _erasure(message)


def _erasure(row: Message | ToolCall | ToolResult) -> Json:
    """Return what is said of a row whose texts were erased."""
    return {"erased": True} if row.erased else {}


def call_json(call: ToolCall, request_id: str | None) -> Json:
    """Return a call with its result."""
    result: ToolResult | None = getattr(call, "result", None)
    told = {
        "toolCallId": call.call_id,
        "name": call.name,
        "arguments": None if call.erased else call.arguments,
        "requestId": request_id,
        "result": result and _result_json(result),
    }
    return told | _erasure(call)


def _result_json(result: ToolResult) -> Json:
    told = {
        "isError": result.is_error,
        "content": None if result.erased else result.content,
        "details": None if result.erased else result.details or {},
        "createdAt": wire_time(result.created_at),
    }
    return told | _erasure(result)


def interaction_json(row: Interaction, now: datetime) -> Json:
    """Return a card with what has become of it; the clock decides whether its time is over, swept or not."""
    status = status_at(row, now)
    is_open = status == Interaction.Status.PENDING
    return card(row) | {"status": status, "receipt": None if is_open else receipt(row) | {"status": status}}


def status_at(row: Interaction, now: datetime) -> str:
    """Return the status of an interaction at a moment."""
    is_over = row.expires_at is not None and row.expires_at <= now
    return Interaction.Status.EXPIRED if row.status == Interaction.Status.PENDING and is_over else row.status
