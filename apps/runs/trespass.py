"""Somebody asks for what belongs to somebody else: they learn nothing, and the owner's trail says that it was tried."""

from collections.abc import Callable, Mapping
from datetime import timedelta

from django.db import transaction

from apps.audit.context import current
from apps.audit.models import AuditRecord
from apps.audit.write import Entry, record
from apps.chat.models import ChatSession
from apps.common.clock import database_now
from apps.common.text import is_storable

QUIET = timedelta(minutes=1)
LOOKED_BACK = 20


def record_trespass(user_id: int, asked_for: str) -> None:
    """Record that the present actor asked for a session, question, file or attachment of another user than `user_id`, a key.

    Called at the edge, after everything else was rolled back. Of many tries within a minute one is recorded.
    """
    if not asked_for or not is_storable(asked_for):
        return
    subject, session = _found(asked_for)
    if session is None or session.user_id == user_id or _was_just_recorded(session.public_id):
        return
    request = asked_for if subject == "interaction" else ""
    entry = Entry("access_refused", session=session.public_id, request=request, summary={"subject": subject})
    with transaction.atomic():
        record([entry])


def _found(public_id: str) -> tuple[str, ChatSession | None]:
    """Return what there is of this id, and whose session it belongs to."""
    for subject, look in _SUBJECTS.items():
        if (session := look(public_id)) is not None:
            return subject, session
    return "", None


_SUBJECTS: Mapping[str, Callable[[str], ChatSession | None]] = {
    "session": lambda public_id: ChatSession.objects.filter(public_id=public_id).first(),
    "interaction": lambda public_id: ChatSession.objects.filter(interactions__public_id=public_id).first(),
    "artifact": lambda public_id: ChatSession.objects.filter(runs__calls__artifacts__public_id=public_id).first(),
    "source": lambda public_id: ChatSession.objects.filter(sources__public_id=public_id).first(),
}


def _was_just_recorded(session_id: str) -> bool:
    actor, since = current().resolved_actor(), database_now() - QUIET
    latest = AuditRecord.objects.filter(session=session_id).order_by("-number")[:LOOKED_BACK]
    return any(r.kind == "access_refused" and r.actor_id == actor.id and r.at > since for r in latest)
