"""What faces read: rows by their owner, always in a number of queries that does not grow with what there is."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Sum

from apps.accounts.models import User
from apps.chat.models import ChatSession, Message, Run, ToolCall
from apps.common.clock import DatabaseClock
from apps.interactions.events import with_owners
from apps.interactions.models import Interaction, InteractionQuerySet
from apps.runs.prices import cost_of


def sessions_of(user: User) -> QuerySet[ChatSession]:
    """Return the user's sessions, the one with the latest message first."""
    return ChatSession.objects.filter(user=user).order_by("-updated_at", "-id")


def with_state(sessions: QuerySet[ChatSession]) -> QuerySet[ChatSession]:
    """Annotate sessions with `is_waiting`, `is_running` and `is_unread`: a run has ended since its user last looked."""
    runs = Run.objects.filter(session=OuterRef("pk"), parent_call=None)
    return sessions.annotate(
        is_waiting=Exists(runs.filter(status=Run.Status.WAITING)),
        is_running=Exists(runs.filter(status__in=(Run.Status.QUEUED, Run.Status.RUNNING))),
        is_unread=Exists(runs.filter(ended_at__gt=OuterRef("seen_at"))),
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


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a session has taken so far, in tokens of the model: those that it read, those that it wrote; and their cost."""

    input: int
    output: int
    cost: Decimal | None = None
    """None: the prices are not known."""

    @property
    def total(self) -> int:
        """Both together; 0 for a model that counts none."""
        return self.input + self.output


def tokens_of(session: ChatSession) -> Tokens:
    """Return how many tokens the session has taken, in one query; each model has its own price."""
    by_model = Message.objects.filter(run__session=session).order_by().values_list("run__model")
    sums = list(by_model.annotate(input=Sum("input_tokens"), output=Sum("output_tokens")))
    return Tokens(sum(read for _model, read, _written in sums), sum(written for *_both, written in sums), cost_of(sums))


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


def interactions_of(calls: Iterable[ToolCall]) -> dict[int, list[Interaction]]:
    """Return the interactions of each call, oldest first; a call that waits to be allowed may have several."""
    rows: Any = with_owners().filter(call__in=[call.pk for call in calls]).order_by("id")
    found: dict[int, list[Interaction]] = {}
    for row in rows:
        found.setdefault(row.call_id, []).append(row)
    return found


def request_ids_of(calls: Iterable[ToolCall]) -> dict[int, str]:
    """Return the public id of the latest interaction by the call that asked it."""
    rows = Interaction.objects.filter(call__in=[call.pk for call in calls]).order_by("id")
    return dict(rows.values_list("call_id", "public_id"))


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the list of sessions: behind those with a later time, or the same time and a higher key."""

    updated_at: datetime
    key: int


def recent_sessions(user: User, archived: bool | None, behind: Place | None, limit: int) -> list[ChatSession]:
    """Return up to `limit` sessions, the latest change first. `archived` None: both kinds.

    The index leads through one kind at a time, so both are read as far as need be, and merged.
    """
    rows = sessions_of(user)
    if behind is not None:
        later_key = Q(updated_at__lt=behind.updated_at) | Q(pk__lt=behind.key)
        rows = rows.filter(later_key, updated_at__lte=behind.updated_at)
    kinds = (False, True) if archived is None else (archived,)
    found = [session for kind in kinds for session in rows.filter(archived=kind)[:limit]]
    return sorted(found, key=lambda session: (session.updated_at, session.pk), reverse=True)[:limit]


def last_runs(sessions: Iterable[ChatSession]) -> dict[int, Run]:
    """Return the latest run of each session by the session's key; one query for any number of them."""
    latest = Run.objects.filter(session=OuterRef("pk"), parent_call=None).order_by("-id").values("pk")[:1]
    keys = ChatSession.objects.filter(pk__in=[session.pk for session in sessions]).values(latest=Subquery(latest))
    return {run.session_id: run for run in Run.objects.filter(pk__in=keys)}


def run_of(user: User, run_id: str) -> Run | None:
    """Return the user's own run with its session."""
    return Run.objects.select_related("session").filter(session__user=user, public_id=run_id).first()


def all_interactions_of(user: User) -> InteractionQuerySet:
    """Return all that was ever put to the user."""
    return with_owners().filter(user=user)


def with_status(rows: InteractionQuerySet, status: str) -> InteractionQuerySet:
    """Keep those with this status at this moment; one whose deadline has passed counts as expired, swept or not."""
    if status == Interaction.Status.PENDING:
        return rows.open_now()
    if status == Interaction.Status.EXPIRED:
        is_due = Q(status=Interaction.Status.PENDING, expires_at__lte=DatabaseClock())
        return rows.filter(Q(status=Interaction.Status.EXPIRED) | is_due)
    return rows.filter(status=status)
