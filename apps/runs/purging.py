"""Retention: let go of what is older than the installation keeps it. Audit records are never let go."""

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from apps.audit.models import Retention
from apps.audit.retention import retention_days
from apps.audit.write import Entry, record
from apps.chat.models import ChatSession, Run
from apps.common.clock import database_now
from apps.events.models import Event
from apps.interactions.models import Draft, Interaction
from apps.runs.erasing import erase_answers, erase_files, forget_pages, has_files, has_own_answer, mark_erased
from apps.toolkit.models import Artifact, Source

AT_ONCE = 500
Category = Retention.Category


def purge(dry_run: bool = False) -> dict[str, int]:
    """Let go of what is over its time; return how many of each category. A dry run only counts.

    A few hundred rows a transaction, so that nobody waits long for the database.
    """
    gone = {category: _purged(category, days, dry_run) for category, days in retention_days().items() if days}
    if not dry_run and any(gone.values()):
        forget_pages()
    return gone


def _purged(category: str, days: int, dry_run: bool) -> int:
    before = database_now() - timedelta(days=days)
    if category == Category.UPLOADS:
        sessions = sum(1 for _session in _let_go_of_files(before, dry_run))
        if sessions and not dry_run:
            with transaction.atomic():
                _tell(category, {"": sessions})
        return sessions
    rows = _OVER[Category(category)](before)
    return rows.count() if dry_run else sum(_removed(Category(category), rows))


def _drafts(before: datetime) -> QuerySet[Draft]:
    closed = Interaction.objects.filter(pk=OuterRef("pk"), resolved_at__lt=before)
    return Draft.objects.filter(Exists(closed))


def _answers(before: datetime) -> QuerySet[Interaction]:
    ended = Interaction.objects.filter(resolved_at__lt=before, run__ended_at__lt=before)
    return ended.filter(has_own_answer() | Q(call__result__erased=False)).exclude(status=Interaction.Status.PENDING)


def _events(before: datetime) -> QuerySet[Event]:
    active = Run.objects.filter(pk=OuterRef("run"), ended_at=None)
    return Event.objects.filter(at__lt=before).exclude(Exists(active))


_OVER = {Category.DRAFTS: _drafts, Category.ANSWERS: _answers, Category.EVENTS: _events}


def _removed(category: Category, rows: QuerySet) -> Iterator[int]:  # type: ignore[type-arg]
    """Remove batch after batch; yield how many each was."""
    while keys := list(rows.order_by("pk").values_list("pk", flat=True)[:AT_ONCE]):
        batch = rows.model._default_manager.filter(pk__in=keys)
        with transaction.atomic():
            if category == Category.ANSWERS:
                # In the chain of each session: what went there is excused by no other record.
                sessions = Counter(batch.order_by("session").values_list("session__public_id", flat=True))
                erase_answers(batch)
                _tell(category, sessions)
            else:
                batch.delete()
                _tell(category, {"": len(keys)})
        yield len(keys)


def _tell(category: str, rows: Mapping[str, int]) -> None:
    """Record how many rows of a category went, by session; "" where no session's chain speaks of them."""
    record([Entry("data_erased", session=session, summary={"subject": category, "rows": rows[session]}) for session in rows])


def _let_go_of_files(before: datetime, dry_run: bool) -> Iterator[str]:
    """Remove files and attachments of sessions in which nothing has happened since; yield the sessions that had any."""
    for session in _resting(before).order_by("pk").iterator(chunk_size=AT_ONCE):
        if has_files(session.public_id) and (dry_run or _let_go_of_files_of(session, before)):
            yield session.public_id


def _resting(before: datetime) -> QuerySet[ChatSession]:
    active = Run.objects.filter(session=OuterRef("pk"), ended_at=None)
    return ChatSession.objects.filter(~Exists(active), updated_at__lt=before)


def _let_go_of_files_of(session: ChatSession, before: datetime) -> bool:
    """Remove the files of a session, unless somebody has come back to it meanwhile; say whether they were removed."""
    with transaction.atomic():
        # Locked: who attaches a file or starts a run changes the row of the session first.
        if _resting(before).select_for_update(of=("self",)).filter(pk=session.pk).first() is None:
            return False
        mark_erased(session)
        Artifact.objects.filter(call__run__session=session).update(erased=True)
        Source.objects.filter(session=session).delete()
    erase_files(session.public_id)
    return True
