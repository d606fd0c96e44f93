"""Statuses change by a table and one conditional UPDATE."""

from collections.abc import Mapping
from typing import Any

from django.db.models import QuerySet

Transitions = Mapping[str, tuple[frozenset[str], str]]
"""Name of the transition -> the statuses it may start from, and the status it leads to."""


def change_status(rows: QuerySet[Any], table: Transitions, transition: str, **changes: Any) -> int:
    """Apply `transition` to those of `rows` that may take it; return how many did.

    The check and the change are one statement: of two that come at the same moment exactly one changes the row.
    """
    sources, target = table[transition]
    return rows.filter(status__in=sources).update(status=target, **changes)
