"""Segments: claim a queued run, keep the lease, give lost runs back to the queue a bounded number of times."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import BigIntegerField

from apps.agent.words import say
from apps.chat.models import Run, Segment
from apps.common.clock import database_now
from apps.common.prepared import Prepared, bound
from apps.common.rows import insert
from apps.events.hints import QUEUE, announce
from apps.runs.chronicle import Chronicle
from apps.runs.closing import active_children, close_calls
from apps.runs.machine import take

LEASE = timedelta(seconds=30)
HEARTBEAT_SECONDS = 10.0
MAX_ATTEMPTS = 5


_QUEUED = Prepared(
    lambda: (
        Run.objects.select_related("session")
        .filter(pk=bound("run", BigIntegerField()), status=Run.Status.QUEUED)
        .select_for_update(of=("self",))
    )
)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A run that this worker may drive, under this fence."""

    run: Run
    fence: int


def queued_runs(limit: int) -> list[int]:
    """Return the keys of the runs that wait for a worker, oldest first."""
    rows = Run.objects.filter(status=Run.Status.QUEUED).order_by("id")
    return list(rows.values_list("id", flat=True)[:limit])


def claim(run_id: int, owner: str) -> Claimed | None:
    """Take a queued run: one conditional UPDATE, so of two workers one gets it; None: it was not this one."""
    with transaction.atomic():
        run: Run | None = _QUEUED.first(run=run_id)
        if run is None or not take(run_id, "claim", fence=run.fence + 1, attempts=run.attempts + 1):
            return None
        run.status, run.fence, run.attempts = Run.Status.RUNNING, run.fence + 1, run.attempts + 1
        now = database_now()
        insert([Segment(run=run, number=run.fence, owner=owner, started_at=now, lease_until=now + LEASE)])
        if run.fence > 1:
            chronicle = Chronicle(run.session, run)
            chronicle.event("run_resumed", segment=run.fence)
            chronicle.audit("run_resumed", segment=run.fence, attempt=run.attempts)
            chronicle.write()
        return Claimed(run, run.fence)


def renew(owner: str, runs: Collection[int]) -> set[int]:
    """Renew the owner's leases on these runs; return the keys of those that it still holds."""
    rows = Segment.objects.filter(owner=owner, run__in=runs, ended_at__isnull=True)
    rows.update(lease_until=database_now() + LEASE)
    return set(rows.values_list("run_id", flat=True))


def lost_segments(dead_owners: Collection[str]) -> Sequence[Segment]:
    """Return the open segments whose worker is gone: its lock file is free, or its lease has run out."""
    expired = Segment.objects.filter(ended_at__isnull=True, lease_until__lt=database_now())
    dead = Segment.objects.filter(ended_at__isnull=True, owner__in=dead_owners)
    return list((expired | dead).select_related("run__session"))


def open_owners() -> set[str]:
    """Return who holds open segments."""
    return set(Segment.objects.filter(ended_at__isnull=True).values_list("owner", flat=True))


def requeue(segment: Segment) -> bool:
    """Put a lost run back into the queue, or fail it once it has been lost too often. Nothing is executed here."""
    with transaction.atomic():
        run = Run.objects.select_for_update(of=("self",)).select_related("session").get(pk=segment.run_id)
        if run.fence != segment.number or run.status != Run.Status.RUNNING:
            return False
        if run.attempts >= MAX_ATTEMPTS:
            return _give_up(run, segment)
        take(run.pk, "requeue")
        _end(segment)
        chronicle = Chronicle(run.session, run)
        chronicle.audit("run_requeued", attempt=run.attempts)
        chronicle.write()
        announce(QUEUE)
        return True


def _give_up(run: Run, segment: Segment) -> bool:
    for each in (*active_children(run), run):
        _fail_lost(each)
    _end(segment)
    return True


def _fail_lost(run: Run) -> None:
    now = database_now()
    words = say("lost_too_often", run.language)
    take(run.pk, "fail", ended_at=now, error_code="worker_lost", error_message=words, retryable=True)
    chronicle = Chronicle(run.session, run)
    close_calls(chronicle, run, now)
    chronicle.event("run_failed", code="worker_lost", message=words, retryable=True)
    chronicle.audit("run_failed", code="worker_lost", retryable=True, attempt=run.attempts)
    chronicle.write()


def _end(segment: Segment) -> None:
    Segment.objects.filter(pk=segment.pk).update(ended_at=database_now(), ending="lost")
