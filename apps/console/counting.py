"""Count many things in one statement, each by its own range of an index."""

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import Count, QuerySet


def count_all(querysets: Sequence[QuerySet[Any]]) -> list[int]:
    """Return how many rows each queryset has: one statement for any number of them."""
    columns: list[str] = []
    params: list[Any] = []
    for rows in querysets:
        counted = rows.order_by().values_list(Count("pk")).query
        counted.group_by = None
        sql, own = counted.sql_with_params()
        columns.append(f"({sql})")
        params += own
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(columns)}", params)
        return [int(count) for count in cursor.fetchone()]
