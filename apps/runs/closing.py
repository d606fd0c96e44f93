"""Close interactions and end runs: every call gets its one result, whatever happens.

All functions run inside the caller's transaction, which holds the lock on the run's row.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from apps.agent.asking import refused
from apps.agent.messages import ToolCall as Call
from apps.agent.messages import ToolResult
from apps.agent.tools import Refusal
from apps.agent.words import say
from apps.chat.models import Message, Run, Segment, ToolCall
from apps.chat.transcript import write_result
from apps.common.clock import before_deadline, past_deadline
from apps.common.rows import ALWAYS, Condition, delete, insert
from apps.common.transitions import change_status
from apps.events import live, partial
from apps.events.hints import announce
from apps.interactions import results
from apps.interactions.approvals import REASONS
from apps.interactions.ends import end_of
from apps.interactions.models import Draft, Interaction
from apps.runs.chronicle import Chronicle
from apps.runs.consenting import audit_denial
from apps.runs.machine import take
from apps.solve.rows import close_proposal


@dataclass(frozen=True, slots=True)
class Ending:
    """Why a run is cancelled: the run's reason, and what becomes of its other open interactions."""

    reason: str
    others: str = "abort"
    others_reason: str = ""


BY_USER = Ending("user")
BY_OPERATOR = Ending("operator")
BY_CARD = Ending("cancelled_card")
BY_TIMEOUT = Ending("timeout")
SUPERSEDED = Ending("superseded", others="cancel", others_reason="reply_in_chat")


def abort_topic(run_id: int) -> str:
    """Return the topic on which the worker of a run hears that it is over."""
    return f"abort:{run_id}"


def close(
    chronicle: Chronicle, interaction: Interaction, transition: str, result: ToolResult | None, now: datetime, **facts: Any
) -> bool:
    """Move a pending interaction along and store its call's result; say whether it was this call that closed it.

    Without a result the call was allowed, and its tool will make one. What a person submits needs a deadline that has
    not passed, an expiry one that has: the database's clock decides.
    """
    where = {"id": interaction.pk}
    if not change_status(
        Interaction, Interaction.TRANSITIONS, transition, where, _when(transition, facts), resolved_at=now, **facts
    ):
        return False
    if result is not None:
        (interaction.call.result,) = insert([write_result(interaction.call_id, result, now)])
    if transition == "answer":
        delete(Draft, {"interaction": interaction.pk})
    _show(interaction, Interaction.TRANSITIONS[transition][1], resolved_at=now, **facts)
    chronicle.event("user_input_resolved", interaction.pk)
    if result is not None:
        chronicle.event("tool_result", interaction.call_id)
    if interaction.kind == "plan_review" and transition != "answer" and chronicle.run:
        close_proposal(chronicle, chronicle.run)
    return True


def _when(transition: str, facts: Mapping[str, Any]) -> Condition:
    if transition == "expire":
        return past_deadline("expires_at")
    return before_deadline("expires_at") if "resolved_by" in facts else ALWAYS


def _show(interaction: Interaction, status: str, **facts: Any) -> None:
    """Let the object in memory show what was written."""
    for name, value in {"status": status, **facts}.items():
        setattr(interaction, name, value)


def end_run(chronicle: Chronicle, run: Run, ending: Ending, now: datetime) -> bool:
    """Cancel the run: close its open interactions, give every other call a result, keep the text streamed so far."""
    if not take(run.pk, "cancel", reason=ending.reason, ended_at=now):
        return False
    Segment.objects.filter(run_id=run.pk, ended_at__isnull=True).update(ended_at=now, ending="cancelled")
    keep_partial(chronicle, run, now)
    close_open_interactions(chronicle, run, ending, now)
    close_calls(chronicle, run, now)
    end_children(run, ending, now)
    announce(abort_topic(run.pk))
    chronicle.event("run_cancelled", reason=ending.reason)
    chronicle.audit("run_cancelled", reason=ending.reason)
    return True


def close_open_interactions(chronicle: Chronicle, run: Run, ending: Ending, now: datetime) -> None:
    """Close what is still open before the user, without an answer."""
    waiting = Interaction.objects.filter(run=run, status=Interaction.Status.PENDING).select_related("call").order_by("id")
    for interaction in waiting:
        result = results.closed(
            interaction.kind, interaction.call.call_id, _OUTCOMES[ending.others], ending.others_reason, run.language
        )
        close(chronicle, interaction, ending.others, result, now, reason=ending.others_reason)
        audit_closed(chronicle, interaction, ending.others, ending.others_reason)


def active_children(run: Run) -> QuerySet[Run]:
    """Return the runs that the run has delegated and that have not ended, locked: all before anything is written of one."""
    rows = Run.objects.filter(parent_call__run=run, status__in=Run.ACTIVE).select_related("session").order_by("id")
    return rows.select_for_update(of=("self",))


def end_children(run: Run, ending: Ending, now: datetime) -> None:
    """Cancel the runs that the run had delegated; they have nothing open before the user."""
    for child in active_children(run):
        take(child.pk, "cancel", reason=ending.reason, ended_at=now)
        chronicle = Chronicle(child.session, child)
        close_calls(chronicle, child, now)
        chronicle.event("run_cancelled", reason=ending.reason)
        chronicle.audit("run_cancelled", reason=ending.reason)
        chronicle.write()


_OUTCOMES: dict[str, results.Closed] = {"abort": "aborted", "cancel": "cancelled", "expire": "expired"}


def audit_closed(chronicle: Chronicle, interaction: Interaction, transition: str, reason: str) -> None:
    """Record that an interaction was closed without an answer, and the result that its call got."""
    call_id = interaction.call.call_id
    facts: dict[str, str] = {"kind": interaction.kind, "mode": interaction.mode, **end_of(interaction)}
    if reason and transition != "expire":
        facts["reason"] = reason
    chronicle.audit(f"interaction_{_OUTCOMES[transition]}", request=interaction.public_id, tool_call=call_id, **facts)
    if interaction.kind == "approval" and transition != "abort":
        audit_denial(chronicle, interaction, REASONS[_OUTCOMES[transition]])
    chronicle.audit_result(call_id, interaction.call.result, interaction.public_id)


def close_calls(chronicle: Chronicle, run: Run, now: datetime) -> None:
    """Give every call without a result one: what had started has an unknown outcome, the rest was aborted."""
    rows = list(ToolCall.objects.filter(run=run, result__isnull=True).order_by("id"))
    made = [_without_result(run, row) for row in rows]
    written = insert([write_result(row.pk, result, now) for row, result in zip(rows, made, strict=True)])
    for row, result in zip(rows, written, strict=True):
        chronicle.event("tool_result", row.pk)
        chronicle.audit_result(row.call_id, result)


def _without_result(run: Run, row: ToolCall) -> ToolResult:
    code = "OUTCOME_UNKNOWN" if row.started_at else "ABORTED"
    return refused(Call(row.call_id, row.name, row.arguments), Refusal(code, say(code.lower(), run.language)))


def keep_partial(chronicle: Chronicle, run: Run, now: datetime) -> None:
    """Keep the text of a round that was cut as an interrupted message."""
    running = live.current(run.session_id) or partial.read(run.session_id)
    partial.drop(run.session_id)
    if running and running.run == run.pk and running.text.strip():
        message = Message.objects.create(
            public_id=running.message_id,
            run=run,
            role=Message.Role.ASSISTANT,
            text=running.text,
            finish="interrupted",
            created_at=now,
        )
        chronicle.event("message", message.pk)
