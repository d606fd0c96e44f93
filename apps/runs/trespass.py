"""Somebody asks for what belongs to somebody else: they learn nothing, and the owner's trail says that it was tried."""

from datetime import timedelta

from django.db import transaction

from apps.audit.context import current
from apps.audit.models import AuditRecord
from apps.audit.write import Entry, record
from apps.chat.models import ChatSession
from apps.common.clock import database_now
from apps.common.text import is_storable
from apps.interactions.models import Interaction

QUIET = timedelta(minutes=1)
LOOKED_BACK = 20


def record_trespass(user_id: int, asked_for: str) -> None:
    """Record that the present actor asked for a session or question of another user than `user_id`, a key.

    Called at the edge, after everything else was rolled back. Of many tries within a minute one is recorded.
    """
    if not asked_for or not is_storable(asked_for):
        return
    session = _owner_of(asked_for)
    if session is None or session.user_id == user_id or _was_just_recorded(session.public_id):
        return
    is_session = asked_for == session.public_id
    entry = Entry(
        "access_refused",
        session=session.public_id,
        request="" if is_session else asked_for,
        summary={"subject": "session" if is_session else "interaction"},
    )
    with transaction.atomic():
        record([entry])


def _owner_of(public_id: str) -> ChatSession | None:
    session = ChatSession.objects.filter(public_id=public_id).first()
    if session is not None:
        return session
    row = Interaction.objects.select_related("session").filter(public_id=public_id).first()
    return None if row is None else row.session


def _was_just_recorded(session_id: str) -> bool:
    actor, since = current().resolved_actor(), database_now() - QUIET
    latest = AuditRecord.objects.filter(session=session_id).order_by("-number")[:LOOKED_BACK]
    return any(r.kind == "access_refused" and r.actor_id == actor.id and r.at > since for r in latest)
