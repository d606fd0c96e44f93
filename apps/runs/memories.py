"""What a capability remembers of a run, as rows: written in the transaction of the entries that it was folded from."""

from typing import Any

from apps.chat.models import Run
from apps.runs.chronicle import Chronicle
from apps.solve.plan import PlanState
from apps.solve.rows import project


def store_memory(chronicle: Chronicle, run: Run, before: Any, after: Any) -> None:
    """Write what has changed in the capability's memory, with its events."""
    if isinstance(before, PlanState) and isinstance(after, PlanState):
        project(chronicle, run, before, after)
