"""The numbers of the dashboard: what waits now, what happened day by day, how long people took."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from math import ceil
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.audit.models import AuditRecord
from apps.audit.words import value_in_words
from apps.common.clock import database_now
from apps.console import words
from apps.console.charts import Bars, Spans, bars, spans
from apps.console.counting import count_all
from apps.interactions.models import Interaction

DAYS = 14
WAITING_SHOWN = 10_000
ANSWERS = 5_000
REFUSALS = 1_000

BY_DAY = (
    "interaction_requested",
    "interaction_answered",
    "interaction_cancelled",
    "interaction_expired",
    "interaction_aborted",
    "submission_refused",
    "run_failed",
)
DECISIONS = ("plan_approved", "plan_edited", "plan_rejected", "approval_granted", "approval_denied")


@dataclass(frozen=True, slots=True)
class Day:
    """One day (UTC): how many records of each kind of `BY_DAY`."""

    day: date
    counts: Mapping[str, int]

    @property
    def listed(self) -> Sequence[int]:
        """The counts in the order of the columns."""
        return [self.counts[kind] for kind in BY_DAY]


@dataclass(frozen=True, slots=True)
class Times:
    """How long the answered questions of one kind waited, in seconds."""

    kind: str
    count: int
    p50: float
    p90: float
    p99: float

    @property
    def listed(self) -> Sequence[str]:
        """The three percentiles as times."""
        return [words.spell(seconds) for seconds in (self.p50, self.p90, self.p99)]


@dataclass(frozen=True, slots=True)
class Dashboard:
    """Everything that is drawn."""

    waiting: str
    oldest: Interaction | None
    days: Sequence[Day]
    columns: Sequence[str]
    totals: Sequence[int]
    times: Sequence[Times]
    decisions: Sequence[tuple[str, int]]
    refusals: Sequence[tuple[str, int]]
    per_day: Bars
    to_answer: Spans

    @property
    def oldest_waits(self) -> str:
        """For how long the oldest open question has waited."""
        return "" if self.oldest is None else words.seconds_between(self.oldest.created_at, datetime.now(UTC))


def dashboard() -> Dashboard:
    """Read the numbers, in six statements whatever there is."""
    today = database_now().astimezone(UTC).date()
    listed = [today - timedelta(days=ago) for ago in reversed(range(DAYS))]
    since = _midnight(listed[0])
    counts = count_all([*_by_day(listed), *(_records(kind, since, None) for kind in DECISIONS)])
    per_kind = len(BY_DAY)
    days = [Day(day, dict(zip(BY_DAY, counts[n * per_kind :], strict=False))) for n, day in enumerate(listed)]
    times = _times(since)
    return Dashboard(
        waiting=_waiting(),
        oldest=_pending().select_related("user").defer("payload", "submission").order_by("created_at", "pk").first(),
        days=days,
        columns=_columns(),
        totals=[sum(day.counts[kind] for day in days) for kind in BY_DAY],
        times=times,
        decisions=list(zip(_decision_words(), counts[DAYS * per_kind :], strict=True)),
        refusals=_refusals(since),
        per_day=bars([(f"{day.day:%m-%d}", day.listed[0], day.listed[1:5]) for day in days]),
        to_answer=spans([(row.kind, row.p50, row.p90, row.p99) for row in times]),
    )


def _columns() -> list[str]:
    return [_("asked"), _("answered"), _("cancelled"), _("expired"), _("closed with run"), _("refused tries"), _("failed runs")]


def _decision_words() -> list[str]:
    return [
        _("plans approved"),
        _("plans approved with changes"),
        _("plans rejected"),
        _("calls allowed"),
        _("calls not allowed"),
    ]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _records(kind: str, since: datetime, until: datetime | None) -> QuerySet[AuditRecord]:
    rows = AuditRecord.objects.filter(kind=kind, at__gte=since)
    return rows if until is None else rows.filter(at__lt=until)


def _by_day(days: Sequence[date]) -> list[QuerySet[AuditRecord]]:
    return [_records(kind, _midnight(day), _midnight(day) + timedelta(days=1)) for day in days for kind in BY_DAY]


def _pending() -> QuerySet[Interaction]:
    return Interaction.objects.filter(status=Interaction.Status.PENDING)


def _waiting() -> str:
    """Count what waits, up to a number that says enough."""
    count = _pending().values("pk")[: WAITING_SHOWN + 1].count()
    return f"{WAITING_SHOWN}+" if count > WAITING_SHOWN else str(count)


def _times(since: datetime) -> list[Times]:
    """Return how long the latest answered questions waited, by kind."""
    answered = Interaction.objects.filter(status=Interaction.Status.ANSWERED, created_at__gte=since)
    waits: dict[str, list[float]] = {}
    latest: Any = answered.order_by("-created_at", "-pk").values_list("kind", "created_at", "resolved_at")[:ANSWERS]
    for kind, asked, closed in latest:
        waits.setdefault(kind, []).append((closed - asked).total_seconds())
    return [
        Times(words.say(words.interaction_kinds, kind), len(each), *(percentile(each, part) for part in (50, 90, 99)))
        for kind, each in sorted(waits.items())
    ]


def percentile(values: Sequence[float], part: int) -> float:
    """Return the nearest-rank percentile."""
    return sorted(values)[max(ceil(len(values) * part / 100) - 1, 0)]


def _refusals(since: datetime) -> list[tuple[str, int]]:
    """Return how often a submission was refused for what, among the latest refusals."""
    summaries: Any = _records("submission_refused", since, None).order_by("-at", "-pk").values_list("summary", flat=True)
    return Counter(value_in_words("reason", summary.get("reason", "–")) for summary in summaries[:REFUSALS]).most_common()
