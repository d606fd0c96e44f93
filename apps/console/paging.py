"""Pages of big tables, newest first: by key, never counted, never looking at more than so many rows at a time.

One condition at most leads through an index; the others are looked up on the rows that it leads to. What they leave
over may lie far back, so a page looks at a window of rows and offers to look further back.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from django.db.models import Model, Q, QuerySet

PAGE = 50
WINDOW = 20_000
"""Rows that one page looks at, at most."""


class Narrowing(NamedTuple):
    """One condition. `leads` says how well an index leads to its rows: 0 not at all; the highest leads."""

    condition: Q
    leads: int = 0


class Days(NamedTuple):
    """Whole days in UTC, both ends included; None: open."""

    since: date | None = None
    until: date | None = None

    def condition(self, field: str) -> Q:
        """Return the condition that the time in `field` lies in these days."""
        condition = Q()
        if self.since is not None:
            condition &= Q(**{f"{field}__gte": _midnight(self.since)})
        if self.until is not None:
            condition &= Q(**{f"{field}__lt": _midnight(self.until) + timedelta(days=1)})
        return condition


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


@dataclass(frozen=True, slots=True)
class Page[M: Model]:
    """Rows, newest first. `older` is the row behind which there are more; `looked_back_to` that the window ended there."""

    rows: Sequence[M]
    older: M | None = None
    looked_back_to: datetime | None = None


def read_page[M: Model](
    rows: QuerySet[M],
    field: str,
    narrowings: Sequence[Narrowing],
    days: Days,
    behind: M | None,
    size: int = PAGE,
    read: Callable[[QuerySet[M]], Sequence[M | None]] = list,
) -> Page[M]:
    """Return up to `size` rows behind the row `behind`, by the time in `field`, in at most two queries.

    An index on (field, pk) is there, and for whatever leads one on (what leads, field, pk). `read` may give None in the
    place of a row that cannot be read.
    """
    leading, others = _split(narrowings)
    reached = rows.filter(leading, days.condition(field), _behind(field, behind)).order_by(f"-{field}", "-pk")
    if not others:
        return _page(read(reached[: size + 1]), size)
    edge = next(iter(read(reached[WINDOW - 1 : WINDOW])), None)
    window = reached if edge is None else reached.filter(_beyond(field, edge, "gt", inclusive=True))
    page = _page(read(window.filter(others)[: size + 1]), size)
    if page.older is not None or edge is None:
        return page
    return Page(page.rows, edge, getattr(edge, field))


def _split(narrowings: Sequence[Narrowing]) -> tuple[Q, Q]:
    """Return the condition that leads, and all others."""
    ordered = sorted(narrowings, key=lambda narrowing: narrowing.leads, reverse=True)
    leads = bool(ordered) and ordered[0].leads > 0
    leading = ordered[0].condition if leads else Q()
    others = Q(*(narrowing.condition for narrowing in ordered[leads:]))
    return leading, others


def newest_of[M: Model](rows: QuerySet[M], field: str) -> M | None:
    """Return the row with the latest time."""
    return rows.order_by(f"-{field}", "-pk").first()


def walk[M: Model](rows: QuerySet[M], field: str, newest: M, size: int) -> Iterator[list[M]]:
    """Yield the rows up to `newest`, oldest first, a batch at a time; each begins behind the key of the last one."""
    rows = rows.filter(_beyond(field, newest, "lt", inclusive=True)).order_by(field, "pk")
    batch = list(rows[:size])
    while batch:
        yield batch
        batch = list(rows.filter(_beyond(field, batch[-1], "gt"))[:size])


def _page[M: Model](found: Sequence[M | None], size: int) -> Page[M]:
    rows = [row for row in found[:size] if row is not None]
    return Page(rows, rows[-1] if rows and len(found) > size else None)


def _behind(field: str, row: Model | None) -> Q:
    return Q() if row is None else _beyond(field, row, "lt")


def _beyond(field: str, row: Model, side: str, inclusive: bool = False) -> Q:
    """Return the condition for what lies beyond a row. The bound on the field alone is what an index is searched by."""
    at: Any = getattr(row, field)
    return Q(**{f"{field}__{side}e": at}) & (Q(**{f"{field}__{side}": at}) | Q(**{f"pk__{side}{'e' * inclusive}": row.pk}))
