"""Lists in pages. A cursor names the last entry of the page before, by its public id; integer keys stay inside."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.api.queries import Query
from apps.chat.models import ChatSession
from apps.runs.errors import NotFound
from apps.runs.selectors import Place, recent_sessions

DEFAULT_LIMIT, MAX_LIMIT = 50, 100


@dataclass(frozen=True, slots=True)
class Slice[T]:
    """The rows of one page, and the cursor of the next one (None: this is the last)."""

    rows: Sequence[T]
    next: str | None

    def as_json(self, entry: Callable[[T], Any]) -> dict[str, Any]:
        """Return the page in the form of every list of the API."""
        return {"results": [entry(row) for row in self.rows], "next": self.next}


@dataclass(frozen=True, slots=True)
class Asked:
    """Which page is wanted."""

    cursor: str
    limit: int

    @classmethod
    def read(cls, query: Query) -> "Asked":
        """Read it from the parameters."""
        return cls(query.text("cursor") or "", query.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT))


def slice_by_id[M: Model](rows: QuerySet[M], among: QuerySet[M], asked: Asked, *, newest_first: bool) -> Slice[M]:
    """Return a page of `rows` in the order of their keys.

    `among` are all rows that the caller may see: the entry that the cursor names need no longer be among `rows`.
    Raises NotFound if it is gone.
    """
    if asked.cursor:
        key = among.filter(public_id=asked.cursor).values_list("pk", flat=True).first()
        if key is None:
            raise NotFound(_("This page is no longer there. Begin with the first one."))
        rows = rows.filter(pk__lt=key) if newest_first else rows.filter(pk__gt=key)
    found: list[Any] = list(rows.order_by("-pk" if newest_first else "pk")[: asked.limit + 1])
    has_more = len(found) > asked.limit
    found = found[: asked.limit]
    return Slice(found, found[-1].public_id if has_more else None)


def slice_of_sessions(user: User, archived: bool | None, asked: Asked) -> Slice[ChatSession]:
    """Return a page of the user's sessions, the latest change first.

    A session moves to the front when something is said in it, so the cursor holds the time as well as the id.
    """
    place = _place(user, asked.cursor) if asked.cursor else None
    found = recent_sessions(user, archived, place, asked.limit + 1)
    has_more = len(found) > asked.limit
    found = found[: asked.limit]
    return Slice(found, _cursor(found[-1]) if has_more else None)


_EPOCH, _MICROSECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(microseconds=1)
_CURSOR = re.compile(r"([0-9]{1,17})-(\w{1,40})", re.ASCII)


def _cursor(session: ChatSession) -> str:
    return f"{(session.updated_at - _EPOCH) // _MICROSECOND}-{session.public_id}"


def _place(user: User, cursor: str) -> Place:
    found = _CURSOR.fullmatch(cursor)
    if found is None:
        raise NotFound(_("This page is no longer there. Begin with the first one."))
    key = ChatSession.objects.filter(user=user, public_id=found[2]).values_list("pk", flat=True).first()
    return Place(_EPOCH + int(found[1]) * _MICROSECOND, key or 0)
