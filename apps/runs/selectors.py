"""What faces read: rows by their owner, always in a number of queries that does not grow with what there is."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from apps.accounts.models import User
from apps.chat.models import ChatSession, Message, Run, ToolCall
from apps.interactions.events import with_owners
from apps.interactions.models import Interaction, InteractionQuerySet


def sessions_of(user: User) -> QuerySet[ChatSession]:
    """Return the user's sessions, the one with the latest message first."""
    return ChatSession.objects.filter(user=user).order_by("-updated_at", "-id")


def with_state(sessions: QuerySet[ChatSession]) -> QuerySet[ChatSession]:
    """Annotate sessions with `is_waiting` and `is_running`."""
    active = Run.objects.filter(session=OuterRef("pk"), parent_call=None)
    return sessions.annotate(
        is_waiting=Exists(active.filter(status=Run.Status.WAITING)),
        is_running=Exists(active.filter(status__in=(Run.Status.QUEUED, Run.Status.RUNNING))),
    )


def pending_of(user: User, session: ChatSession | None = None) -> InteractionQuerySet:
    """Return what waits for the user at this moment, oldest first; the clock decides, nothing is written."""
    rows = with_owners().filter(user=user).open_now().order_by("id")
    return rows if session is None else rows.filter(session=session)


def pending_count(user_id: int) -> int:
    """Count what waits for the user at this moment."""
    return Interaction.objects.filter(user_id=user_id).open_now().count()


def last_run(session: ChatSession) -> Run | None:
    """Return the session's latest run."""
    return Run.objects.filter(session=session, parent_call=None).order_by("-id").first()


def messages_of(session: ChatSession) -> QuerySet[Message]:
    """Return the session's messages, oldest first."""
    return Message.objects.filter(run__session=session).select_related("run").order_by("id")


def calls_of(messages: Iterable[Message]) -> dict[int, list[ToolCall]]:
    """Return the calls with their results by the message that made them."""
    found: dict[int, list[ToolCall]] = {}
    rows = ToolCall.objects.filter(message__in=[m.pk for m in messages]).select_related("result").order_by("id")
    for row in rows:
        found.setdefault(row.message_id, []).append(row)
    return found


def interactions_of(calls: Iterable[ToolCall]) -> dict[int, Interaction]:
    """Return the latest interaction of each call."""
    rows: Any = with_owners().filter(call__in=[call.pk for call in calls]).order_by("id")
    return {row.call_id: row for row in rows}
