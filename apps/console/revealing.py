"""Reveal an answer: with a reason, once, in the response to the form that gave it; and on record before it is shown."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from apps.accounts.actors import actor_of
from apps.audit.models import AuditRecord
from apps.audit.reasons import ReasonMissing, keep_reason
from apps.audit.write import Entry, record
from apps.chat.models import ToolResult
from apps.console.answers import asked, own_texts
from apps.console.history import HistoryAdmin
from apps.console.rights import Right, may
from apps.interactions.approvals import KIND, shown_arguments
from apps.interactions.models import Interaction


def can_be_revealed(row: Interaction, result: ToolResult | None) -> bool:
    """Say whether there is an answer, and it was not erased. A call that was allowed has its result later."""
    has_answer = bool(row.decision) or (result is not None and not result.erased)
    return row.status == Interaction.Status.ANSWERED and has_answer


def words_of(row: Interaction) -> Mapping[str, Any]:
    """Return what a card says, with the arguments of a call that waits to be allowed; empty once it was erased."""
    if not row.payload or row.kind != KIND:
        return row.payload
    return {**row.payload, "detail": shown_arguments(row.call.arguments)}


def reveal(admin: HistoryAdmin[Any], request: HttpRequest, object_id: str) -> HttpResponse:
    """Show the answer to who gave a reason; without one ask again."""
    if not may(request, Right.REVEAL):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseRedirect(admin.address(object_id))
    row = admin.found(request, object_id)
    result = ToolResult.objects.filter(call=row.call_id).first()
    if not can_be_revealed(row, result):
        raise PermissionDenied
    try:
        _record(request, row)
    except ReasonMissing as refusal:
        context = admin.detail(request, row) | {"reveal_error": refusal.message}
        return admin.shown(request, row, admin.detail_template, context, status=422)
    return admin.shown(request, row, admin.detail_template, admin.detail(request, row) | _answer(row, result))


def _record(request: HttpRequest, row: Interaction) -> None:
    with transaction.atomic():
        kept = keep_reason(request.POST.get("reason", ""), actor_of(request.user), row.session.public_id)
        entry = Entry(
            "answer_revealed",
            session=row.session.public_id,
            run=row.run.public_id,
            request=row.public_id,
            tool_call=row.call.call_id,
            summary={"kind": row.kind, "mode": row.mode, "reason_length": kept.length},
            digest=kept.digest,
        )
        record([entry])


def _answer(row: Interaction, result: Any) -> dict[str, Any]:
    """Return what the masked page has masked."""
    answered = AuditRecord.objects.filter(request__gt="", request=row.public_id, kind="interaction_answered")
    summary = answered.values_list("summary", flat=True).first() or {}
    return {
        "asked": asked(words_of(row), summary, own_texts(row.decision or result.content)),
        "revealed": {"content": result.content if result else "", "submission": row.submission},
        "may_reveal": False,
    }
