"""Statuses change by a table and one conditional UPDATE."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Model

from apps.common.rows import ALWAYS, Condition, update

Transitions = Mapping[str, tuple[frozenset[str], str]]
"""Name of the transition -> the statuses it may start from, and the status it leads to."""


def change_status(
    model: type[Model],
    table: Transitions,
    transition: str,
    where: Mapping[str, Any],
    also: Condition = ALWAYS,
    **changes: Any,
) -> bool:
    """Apply `transition` to the one row that `where` names; say whether it was there and in a status that may take it.

    The check and the change are one statement: of two that come at the same moment exactly one changes the row.
    """
    sources, target = table[transition]
    return update(model, where, {"status": target, **changes}, if_status=sorted(sources), also=also) == 1
