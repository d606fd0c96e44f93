"""How the events of interactions are read, and the receipt of a closed one."""

import json
from collections.abc import Sequence
from typing import Any

from apps.agent.state import is_readable
from apps.common.clock import wire_time
from apps.common.prepared import ByKeys
from apps.events.catalogue import Data, register
from apps.events.models import Event
from apps.interactions.approvals import DENIED, KIND, shown_arguments
from apps.interactions.models import Interaction, InteractionQuerySet
from apps.interactions.payload import card_payload


def with_owners() -> InteractionQuerySet:
    """Return interactions with the rows that a card or receipt needs, in one query."""
    return Interaction.objects.select_related("call__result", "run", "session", "resolved_by")


_BY_KEY = ByKeys(with_owners)


def card(row: Interaction) -> dict[str, Any]:
    """Return the card of an interaction: the same for event, pending list and history."""
    return card_payload(
        _words(row),
        request_id=row.public_id,
        session_id=row.session.public_id,
        run_id=row.run.public_id,
        tool_call_id=row.call.call_id,
        kind=row.kind,
        created_at=wire_time(row.created_at) or "",
        expires_at=wire_time(row.expires_at),
        resumable=is_readable(row.run.state_version),
    )


def _words(row: Interaction) -> dict[str, Any]:
    """Return what a card says; the arguments of a call that waits to be allowed are read from the call."""
    words: dict[str, Any] = row.payload
    return words | {"detail": shown_arguments(row.call.arguments)} if words and row.kind == KIND else words


def answer_of(row: Interaction) -> Any:
    """Return what the call's result says, as an object; None while there is none, or once it was erased.

    A call that was allowed gets its result later: the answer is the decision.
    """
    if row.decision:
        return json.loads(row.decision)
    result = getattr(row.call, "result", None)
    return None if result is None or is_answer_erased(row) else json.loads(result.content)


def is_answer_erased(row: Interaction) -> bool:
    """Say whether the answer was erased. A call that was allowed may have had no result to say so, or have got one since."""
    if is_result_gone(row):
        return False
    result = getattr(row.call, "result", None)
    if result is None or (row.kind == KIND and result.code != DENIED):
        is_decision_erased = row.status == Interaction.Status.ANSWERED and not row.decision
        return is_decision_erased or (result is not None and result.erased)
    return result.erased


def is_result_gone(row: Interaction) -> bool:
    """Say whether a hand in the database has removed the result of a closed question: an erasure leaves the row."""
    return row.kind != KIND and row.status != Interaction.Status.PENDING and getattr(row.call, "result", None) is None


def _erasure(row: Interaction) -> Data:
    """Return what is said of a closed interaction whose words or answer were erased."""
    return {"erased": True} if not row.payload or is_answer_erased(row) else {}


def receipt(row: Interaction) -> dict[str, Any]:
    """Return what was recorded of a closed interaction: what, by whom, when and through which door."""
    recorded = {
        "requestId": row.public_id,
        "toolCallId": row.call.call_id,
        "kind": row.kind,
        "title": row.payload["title"] if row.payload else None,
        "status": row.status,
        "reason": row.reason,
        "answer": answer_of(row),
        "answeredBy": row.resolved_by.get_username() if row.resolved_by else "",
        "channel": row.channel,
        "createdAt": wire_time(row.created_at),
        "resolvedAt": wire_time(row.resolved_at),
    }
    return recorded | _erasure(row)


def _rows(events: Sequence[Event]) -> dict[int, Interaction]:
    return _BY_KEY([event.subject for event in events if event.subject is not None])


def read_required(events: Sequence[Event]) -> dict[int, Data]:
    """Read user_input_required: the whole card."""
    rows = _rows(events)
    return {e.seq: card(rows[e.subject]) for e in events if e.subject in rows}


def read_resolved(events: Sequence[Event]) -> dict[int, Data]:
    """Read user_input_resolved: how the card was closed; `answer` is what the tool result says."""
    rows = _rows(events)
    return {e.seq: _resolved(rows[e.subject]) for e in events if e.subject in rows}


def _resolved(row: Interaction) -> Data:
    resolved = {
        "id": row.public_id,
        "toolCallId": row.call.call_id,
        "status": row.status,
        "reason": row.reason,
        "answer": answer_of(row),
        "resolvedAt": wire_time(row.resolved_at),
        "channel": row.channel,
    }
    return resolved | _erasure(row)


register("user_input_required", read_required)
register("user_input_resolved", read_resolved)
