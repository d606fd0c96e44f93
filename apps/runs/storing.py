"""One commit of a segment: entries, events, audit records and the run's next status in one transaction."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F

from apps.agent.messages import ApprovalAsked, Asked, Entry, Note, Started, ToolResult, Turn
from apps.agent.state import RunState
from apps.agent.steps import Ask, Fail, Finish, Step
from apps.audit.chain import new_salt
from apps.audit.fields import as_code
from apps.chat.models import Message, Run, Segment, ToolCall, call_key
from apps.chat.transcript import write_result
from apps.common.clock import database_now
from apps.common.rows import insert, update
from apps.events import partial
from apps.interactions.binding import question_digest
from apps.interactions.models import Interaction
from apps.runs.chronicle import Chronicle
from apps.runs.machine import keep, take_fenced
from apps.runs.memories import store_memory
from apps.toolkit.files.made import artifacts_of

_NO_CODE = re.compile(r"[^A-Za-z0-9_.:/@+-]+")


@dataclass
class Segmented:
    """What a segment keeps in memory between its commits. `call_rows` are the keys of the calls without a result.

    `memory` is the capability's memory as it was last stored; that of `state` holds what is to be stored now.
    """

    run: Run
    fence: int
    call_rows: dict[str, int] = field(default_factory=dict)
    round: int = 0
    open_interactions: list[str] = field(default_factory=list)
    last_message: Message | None = None
    state: RunState | None = None
    memory: Any = None


def store(segment: Segmented, entries: Sequence[Entry], following: Step, message_id: str, has_partial: bool = False) -> None:
    """Write the entries and what follows from them. `message_id` is the public id of the round's message.

    `has_partial` says that the round's text so far was written to its row, which the turn now replaces.

    Raises FenceLost, and then nothing is written.
    """
    with transaction.atomic():
        now = database_now()
        _hold(segment, following, now)
        chronicle = Chronicle(segment.run.session, segment.run)
        for entry in entries:
            if isinstance(entry, Turn):
                _store_turn(segment, chronicle, entry, following, message_id, now)
                if has_partial:
                    partial.drop(segment.run.session_id)
            elif isinstance(entry, Note):
                _store_note(segment, entry, now)
        _store_started(segment, [e.call_id for e in entries if isinstance(e, Started)], now)
        _store_results(segment, chronicle, [e for e in entries if isinstance(e, ToolResult)], now)
        memory = segment.state.memory if segment.state else segment.memory
        store_memory(chronicle, segment.run, segment.memory, memory)
        _store_asks(segment, chronicle, [e for e in entries if isinstance(e, Asked | ApprovalAsked)], now)
        _rest(segment, chronicle, following, now)
        chronicle.write()
    segment.memory = memory


def _hold(segment: Segmented, following: Step, now: datetime) -> None:
    """Take or keep the run's row first of all: it is the first lock, and the fence is checked on it."""
    run, fence = segment.run.pk, segment.fence
    match following:
        case Ask():
            take_fenced(run, fence, "pause")
        case Finish(outcome=outcome):
            take_fenced(run, fence, "complete", outcome=outcome, ended_at=now)
        case Fail(code=code, message=message, retryable=retryable):
            facts = {"error_code": code, "error_message": message[:500], "retryable": retryable}
            take_fenced(run, fence, "fail", ended_at=now, **facts)
        case _:
            keep(run, fence)
            return
    update(Segment, {"run": run, "number": fence}, {"ended_at": now, "ending": _ENDINGS[type(following)]})


_ENDINGS: dict[type, str] = {Ask: "paused", Finish: "completed", Fail: "failed"}


def _store_turn(segment: Segmented, chronicle: Chronicle, turn: Turn, following: Step, message_id: str, now: datetime) -> None:
    segment.round += 1
    message = Message(
        public_id=message_id,
        run=segment.run,
        role=Message.Role.ASSISTANT,
        text=turn.text,
        final=isinstance(following, Finish) and following.text == turn.text,
        finish=turn.finish,
        extras=dict(turn.extras) or None,
        input_tokens=turn.input_tokens,
        output_tokens=turn.output_tokens,
        created_at=now,
    )
    insert([message])
    segment.last_message = message
    if turn.text and (message.final or turn.finish != "length"):
        chronicle.event("message", message.pk)
    rows = [_call_row(segment.run, message, call) for call in turn.calls]
    for row in insert(rows):
        segment.call_rows[row.call_id] = row.pk
        chronicle.event("tool_call", row.pk)
    chronicle.event("usage", inputTokens=turn.input_tokens, outputTokens=turn.output_tokens, round=segment.round)


def _call_row(run: Run, message: Message, call: Any) -> ToolCall:
    return ToolCall(
        run=run,
        message=message,
        call_id=call.id,
        key=call_key(call.id),
        name=call.name[:200],
        arguments=call.arguments,
        extras=dict(call.extras) or None,
    )


def _store_note(segment: Segmented, note: Note, now: datetime) -> None:
    insert([Message(run=segment.run, role=Message.Role.NOTE, kind=note.kind, text=note.text, created_at=now)])


def _store_started(segment: Segmented, call_ids: Sequence[str], now: datetime) -> None:
    if call_ids:
        rows = [segment.call_rows[call_id] for call_id in call_ids]
        ToolCall.objects.filter(pk__in=rows).update(started_at=now)


def _store_results(segment: Segmented, chronicle: Chronicle, results: Sequence[ToolResult], now: datetime) -> None:
    if not results:
        return
    _count_tokens(segment, chronicle, results)
    in_call_order = sorted(results, key=lambda result: segment.call_rows[result.call_id])
    rows = insert([write_result(segment.call_rows[r.call_id], r, now) for r in in_call_order])
    insert([row for r in in_call_order for row in artifacts_of(segment.call_rows[r.call_id], r, now)])
    for result, row in zip(in_call_order, rows, strict=True):
        chronicle.event("tool_result", segment.call_rows.pop(result.call_id))
        chronicle.audit_result(result.call_id, row)


def _count_tokens(segment: Segmented, chronicle: Chronicle, results: Sequence[ToolResult]) -> None:
    """Add what tools that asked the model have used to the turn that called them."""
    for result in results:
        used = {"input_tokens": result.input_tokens, "output_tokens": result.output_tokens}
        if any(used.values()):
            message = ToolCall.objects.values("message").filter(pk=segment.call_rows[result.call_id])
            Message.objects.filter(pk__in=message).update(**{name: F(name) + count for name, count in used.items()})
            chronicle.event("usage", inputTokens=result.input_tokens, outputTokens=result.output_tokens, round=segment.round)


def _store_asks(segment: Segmented, chronicle: Chronicle, asks: Sequence[Asked | ApprovalAsked], now: datetime) -> None:
    if not asks:
        return
    rows = insert([_interaction(segment, ask, now) for ask in asks])
    for ask, row in zip(asks, rows, strict=True):
        segment.open_interactions.append(row.public_id)
        chronicle.event("user_input_required", row.pk)
        chronicle.audit(
            "interaction_requested",
            request=row.public_id,
            tool_call=ask.call_id,
            digest=question_digest(row),
            kind=row.kind,
            mode=row.mode,
            repairs=[as_code(_NO_CODE.sub("-", repair)) for repair in row.repairs],
        )
        if row.kind == "plan_review":
            revision = row.payload["planRevision"]
            chronicle.audit("plan_presented", request=row.public_id, tool_call=ask.call_id, revision=revision, review="card")


def _interaction(segment: Segmented, ask: Asked | ApprovalAsked, now: datetime) -> Interaction:
    request, run = ask.request, segment.run
    assert request is not None
    lifetime = run.config.get("ask_lifetime", settings.ASK_LIFETIME)
    overriding = run.config.get("on_timeout") if request.kind != "approval" else None
    return Interaction(
        call_id=segment.call_rows[ask.call_id],
        run=run,
        session=run.session,
        user_id=run.session.user_id,
        kind=request.kind,
        mode=request.mode,
        payload=dict(request.payload),
        repairs=list(request.repairs),
        fingerprint=request.fingerprint,
        salt=new_salt(),
        on_timeout=overriding or request.on_timeout,
        cancel_stops=request.cancel_stops,
        created_at=now,
        expires_at=now + timedelta(seconds=lifetime) if lifetime else None,
    )


def _rest(segment: Segmented, chronicle: Chronicle, following: Step, now: datetime) -> None:
    match following:
        case Ask():
            chronicle.event("run_paused", pending=list(segment.open_interactions))
            chronicle.audit("run_paused", pending=len(segment.open_interactions))
        case Finish(text=text, outcome=outcome):
            message = _final_message(segment, chronicle, text, now)
            chronicle.event("run_completed", message.pk, outcome=outcome)
            chronicle.audit("run_completed", outcome=outcome)
        case Fail(code=code, message=words, retryable=retryable):
            chronicle.event("run_failed", code=code, message=words, retryable=retryable)
            chronicle.audit("run_failed", code=code, retryable=retryable)


def _final_message(segment: Segmented, chronicle: Chronicle, text: str, now: datetime) -> Message:
    """Return the row of the final text; the engine's fixed sentence gets a row of its own."""
    last = segment.last_message
    if last is not None and last.final:
        return last
    message = Message(run=segment.run, role=Message.Role.ASSISTANT, text=text, final=True, finish="stop", created_at=now)
    insert([message])
    chronicle.event("message", message.pk)
    return message
