"""The database's clock: deadlines and event times are decided by it, not by the clock of one process."""

from datetime import UTC, datetime
from typing import Any

from django.db import connection
from django.db.models import DateTimeField, Func

from apps.common.rows import Condition


class DatabaseClock(Func):
    """The moment at which the statement runs, inside a query.

    PostgreSQL's ``now()`` is the start of the transaction: an answer that waited on a lock past its
    deadline would pass with it, so ``clock_timestamp()`` is used. SQLite runs inside this process and
    its write transactions wait before they begin, so this process's clock is the database's clock.
    """

    output_field = DateTimeField()
    template = "clock_timestamp()"

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> tuple[str, tuple[str | int, ...]]:
        """Put in the time as Django stores times in SQLite."""
        return "%s", (connection.ops.adapt_datetimefield_value(datetime.now(UTC)),)


def before_deadline(column: str) -> Condition:
    """Return the condition that the deadline in `column` has not passed at the moment at which the statement runs."""
    return _clock(f"({column} IS NULL OR {column} > {{clock}})")


def past_deadline(column: str) -> Condition:
    """Return the condition that the deadline in `column` has passed."""
    return _clock(f"{column} <= {{clock}}")


def _clock(sql: str) -> Condition:
    if connection.vendor == "postgresql":
        return Condition(sql.format(clock="clock_timestamp()"))
    return Condition(sql.format(clock="%s"), [connection.ops.adapt_datetimefield_value(datetime.now(UTC))])


def database_now() -> datetime:
    """Return the database's time, in UTC."""
    if connection.vendor != "postgresql":
        return datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        moment: datetime = cursor.fetchone()[0]
    return moment.astimezone(UTC)


def wire_time(moment: datetime | None) -> str | None:
    """Write a moment as RFC 3339 in UTC with microseconds, as on the wire; None stays None."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
