"""Paused sessions by the thousand: a waiting run is nothing but rows, so copies of its rows are more of them."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import Model

from apps.accounts.models import User
from apps.chat.models import ChatSession, Message, Run, Segment, ToolCall
from apps.events.models import Event, Stream
from apps.interactions.models import Interaction

AT_ONCE = 500
"""Copies a transaction: a server that runs beside must get its turn."""


def copy_paused(session_id: str, count: int, owner: str) -> None:
    """Copy a paused session so many times, all of its rows but the audit's; the copies belong to `owner`."""
    pattern, user = ChatSession.objects.get(public_id=session_id), User.objects.get(username=owner)
    for start in range(0, count, AT_ONCE):
        with transaction.atomic():
            _copy(pattern, user, min(AT_ONCE, count - start))


def _copy(pattern: ChatSession, user: User, count: int) -> None:
    sessions = ChatSession.objects.bulk_create([_like(pattern, user=user) for _ in range(count)])
    run = Run.objects.get(session=pattern)
    runs = Run.objects.bulk_create([_like(run, session=session) for session in sessions])
    _copies(Segment.objects.filter(run=run), [{"run": each} for each in runs])
    messages = _copies(Message.objects.filter(run=run), [{"run": each} for each in runs])
    call = ToolCall.objects.get(run=run)
    asking = messages[call.message_id]
    calls = _copies([call], [{"run": r, "message": m} for r, m in zip(runs, asking, strict=True)])
    owners = [{"run": r, "session": r.session, "user": user, "call": c} for r, c in zip(runs, calls[call.pk], strict=True)]
    cards = _copies(Interaction.objects.filter(run=run), owners)
    _copy_stream(pattern, runs, {"tool_call": calls, "user_input_required": cards, "run_started": messages, "message": messages})


def _copy_stream(pattern: ChatSession, runs: list[Run], subjects: Mapping[str, Mapping[int, list[Any]]]) -> None:
    stream = Stream.objects.get(pk=pattern.pk)
    Stream.objects.bulk_create([_like(stream, session=run.session_id, public_id=run.session.public_id) for run in runs])
    for event in Event.objects.filter(session=pattern.pk):
        owners = subjects[event.kind][event.subject] if event.subject else [None] * len(runs)
        own = [{"session": r.session_id, "run": r.pk, "subject": s and s.pk} for r, s in zip(runs, owners, strict=True)]
        _copies([event], own)


def _copies[M: Model](rows: Iterable[M], changes: list[dict[str, Any]]) -> dict[int, list[M]]:
    """Copy each row once for each of the changes; return the copies by the key of their original."""
    return {row.pk: type(row)._default_manager.bulk_create([_like(row, **changed) for changed in changes]) for row in rows}


def _like[M: Model](row: M, **changed: Any) -> M:
    """Return a row with the same values, under ids of its own."""
    fields = [field for field in row._meta.concrete_fields if not field.primary_key and field.name != "public_id"]
    return type(row)(**{field.name: getattr(row, field.name) for field in fields} | changed)
