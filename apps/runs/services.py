"""The doors of the coordinator: all that a face may do to runs, interactions and sessions."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, CharField, F
from django.db.models.functions import Greatest
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.audit.write import Entry, record
from apps.chat.models import ChatSession, Message, Run
from apps.common.clock import DatabaseClock, database_now, wire_time
from apps.common.errors import FieldError
from apps.common.prepared import Prepared, bound
from apps.common.text import clean_shown
from apps.events.hints import QUEUE, announce
from apps.events.log import delete_stream
from apps.interactions.events import receipt, with_owners
from apps.interactions.models import Draft, Interaction
from apps.runs.answering import Answered, answer
from apps.runs.chronicle import Chronicle
from apps.runs.closing import BY_USER, end_run
from apps.runs.config import MAX_LIFETIME
from apps.runs.erasing import erase_files
from apps.runs.errors import (
    AlreadyResolved,
    Expired,
    InteractionNotFound,
    InvalidRequest,
    NoExpiry,
    NotFound,
    NotRetryable,
    RunActive,
)
from apps.runs.expiry import expire, expire_due
from apps.runs.machine import take
from apps.runs.policies import changes_of_tools
from apps.runs.starting import NewRun, Started, create_session, start_run

__all__ = [
    "Answered",
    "NewRun",
    "Started",
    "abort",
    "answer",
    "change_session",
    "delete_session",
    "expire_due",
    "extend",
    "interaction_of",
    "make_session",
    "mark_seen",
    "mark_shown",
    "retry",
    "save_draft",
    "session_of",
    "start_run",
]


def session_of(user: User, session_id: str) -> ChatSession:
    """Return the user's own session. Raises NotFound; a foreign one is not told from an unknown one."""
    session = ChatSession.objects.filter(user=user, public_id=session_id).first()
    if session is None:
        raise NotFound(_("There is no such session."), asked_for=session_id)
    return session


def mark_seen(session: ChatSession, run: Run | None) -> None:
    """Remember that the user looks at the session, if its last run has ended since they last did."""
    if run is not None and run.ended_at is not None and run.ended_at > session.seen_at:
        ChatSession.objects.filter(pk=session.pk).update(seen_at=DatabaseClock())


_OWN = Prepared(lambda: with_owners().filter(user=bound("user", BigIntegerField()), public_id=bound("request", CharField())))


def interaction_of(user: User, request_id: str) -> Interaction:
    """Return the user's own interaction with the rows around it. Raises InteractionNotFound."""
    row: Interaction | None = _OWN.first(user=user.pk, request=request_id)
    if row is None:
        raise InteractionNotFound(_("There is no such question."), asked_for=request_id)
    return row


def make_session(user: User, title: str = "") -> ChatSession:
    """Make an empty session."""
    with transaction.atomic():
        return create_session(user, clean_shown(title).strip()[:200])


def change_session(user: User, session_id: str, changes: Mapping[str, Any]) -> ChatSession:
    """Change title, archived or tools of a session. Raises NotFound."""
    session = session_of(user, session_id)
    fields = dict(changes)
    if "title" in fields:
        fields["title"] = clean_shown(fields["title"]).strip()[:200]
    with transaction.atomic():
        ChatSession.objects.filter(pk=session.pk).update(**fields)
        if "tools" in fields:
            whose = {"subject": "session"}
            told = Entry("settings_changed", session=session.public_id, summary={**whose, "names": ["tools"]})
            record([told, *changes_of_tools(whose, session.tools, fields["tools"], session.public_id)])
    session.refresh_from_db()
    return session


def delete_session(user: User, session_id: str) -> None:
    """Abort the session's run, end its streams, delete its rows; its audit trail stays. Raises NotFound."""
    with transaction.atomic():
        session = session_of(user, session_id)
        _abort(session)
        counts = {
            "runs": Run.objects.filter(session=session).count(),
            "messages": Message.objects.filter(run__session=session).count(),
        }
        delete_stream(session.pk)
        ChatSession.objects.filter(pk=session.pk).delete()
        transaction.on_commit(partial(erase_files, session.public_id))
        record([Entry("session_deleted", session=session.public_id, summary=counts)])


@dataclass(frozen=True, slots=True)
class Aborted:
    """The run that was stopped (None: the session was idle), and the number of the first event of the stop."""

    session: ChatSession
    run: Run | None
    first_seq: int = 0


def abort(user: User, session_id: str) -> Aborted:
    """Stop the session's active run; a new message can start at once. Raises NotFound."""
    with transaction.atomic():
        return _abort(session_of(user, session_id))


def _abort(session: ChatSession) -> Aborted:
    run = Run.objects.select_for_update().filter(session=session, status__in=Run.ACTIVE, parent_call=None).first()
    if run is None:
        return Aborted(session, None)
    run.session = session
    chronicle = Chronicle(session, run)
    end_run(chronicle, run, BY_USER, database_now())
    first = chronicle.write()
    run.refresh_from_db()
    return Aborted(session, run, first)


def retry(user: User, session_id: str) -> Started:
    """Let the session's last run go on from its rows, if it failed in a way that may pass.

    Raises NotFound, RunActive, NotRetryable.
    """
    with transaction.atomic():
        session = session_of(user, session_id)
        run = Run.objects.select_for_update().filter(session=session, parent_call=None).order_by("-id").first()
        if run is not None and run.status in Run.ACTIVE:
            raise RunActive(_("A run of this session is at work."))
        if run is None or not run.retryable or not take(run.pk, "retry", **FORGOTTEN):
            raise NotRetryable(_("There is no failed run that could be tried again."))
        run.session = session
        chronicle = Chronicle(session, run)
        chronicle.audit("run_retried", attempt=run.attempts)
        chronicle.write()
        announce(QUEUE)
        run.refresh_from_db()
        return Started(session, run, last_seq(session) + 1)


FORGOTTEN: Mapping[str, Any] = {
    "error_code": "",
    "error_message": "",
    "retryable": False,
    "ended_at": None,
    "attempts": 0,
}
"""What a run that is tried again no longer says of its failure."""


def last_seq(session: ChatSession) -> int:
    """Return the number of the session's last event (0: it has none)."""
    from apps.events.models import Stream

    return Stream.objects.filter(pk=session.pk).values_list("last_seq", flat=True).first() or 0


def extend(user: User, request_id: str, seconds: Any) -> Interaction:
    """Keep a question open: it expires `seconds` from now, never earlier than it would have, in 30 days at the latest.

    Raises InvalidRequest, InteractionNotFound, NoExpiry, AlreadyResolved, Expired.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int) or seconds < 1:
        message = _("Give a whole number of seconds, 1 or more.")
        raise InvalidRequest(message, errors=[FieldError("seconds", message)])
    try:
        with transaction.atomic():
            return _extend(user, request_id, min(seconds, MAX_LIFETIME))
    except Expired:
        row = interaction_of(user, request_id)
        expire(row.pk)
        raise Expired(_("This question has expired."), facts={"receipt": receipt(interaction_of(user, request_id))}) from None


def _extend(user: User, request_id: str, seconds: int) -> Interaction:
    row = interaction_of(user, request_id)
    Run.objects.select_for_update().only("pk").get(pk=row.run_id)
    if row.status == Interaction.Status.PENDING and row.expires_at is None:
        raise NoExpiry(_("This question does not expire."))
    until = database_now() + timedelta(seconds=seconds)
    if not Interaction.objects.filter(pk=row.pk).open_now().update(expires_at=Greatest(F("expires_at"), until)):
        _raise_closed(row)
    row = interaction_of(user, request_id)
    chronicle = Chronicle(row.session, row.run)
    chronicle.event("user_input_updated", row.pk, id=row.public_id, expiresAt=wire_time(row.expires_at))
    facts: dict[str, Any] = {"kind": row.kind, "mode": row.mode, "seconds": seconds}
    chronicle.audit("interaction_extended", request=row.public_id, tool_call=row.call.call_id, **facts)
    chronicle.write()
    return row


def _raise_closed(row: Interaction) -> None:
    if row.status in (Interaction.Status.PENDING, Interaction.Status.EXPIRED):
        raise Expired(_("This question has expired."), facts={"receipt": receipt(row)})
    raise AlreadyResolved(_("This question is closed already."), facts={"receipt": receipt(row)})


def save_draft(user: User, request_id: str, body: Any) -> None:
    """Keep what has been filled in so far; the last write wins. It is never an answer.

    Raises InteractionNotFound, AlreadyResolved, Expired.
    """
    with transaction.atomic():
        row = interaction_of(user, request_id)
        if row.status != Interaction.Status.PENDING:
            _raise_closed(row)
        Draft.objects.update_or_create(interaction=row, defaults={"body": body})


def mark_shown(row: Interaction, channel: str) -> None:
    """Record, once an interaction and channel, that a card was shown. Called after the response was sent."""
    summary = {"kind": row.kind, "mode": row.mode}
    with transaction.atomic():
        if not Interaction.objects.filter(pk=row.pk).exclude(shown__contains=channel).exists():
            return
        marked = Interaction.objects.filter(pk=row.pk, shown=row.shown).update(shown=f"{row.shown} {channel}".strip())
        if marked:
            session, run = row.session.public_id, row.run.public_id
            record([Entry("interaction_shown", session, run, row.public_id, row.call.call_id, summary=summary)])
