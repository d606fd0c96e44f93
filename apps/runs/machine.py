"""The statuses of a run and how they change: one table, one conditional UPDATE."""

from typing import Any

from apps.chat.models import Run
from apps.common.errors import HandraiseError
from apps.common.rows import ALWAYS, Condition, update
from apps.common.transitions import Transitions, change_status

S = Run.Status

TRANSITIONS: Transitions = {
    "claim": (frozenset({S.QUEUED}), S.RUNNING),
    "pause": (frozenset({S.RUNNING}), S.WAITING),
    "resume": (frozenset({S.WAITING}), S.QUEUED),
    "requeue": (frozenset({S.RUNNING}), S.QUEUED),
    "complete": (frozenset({S.RUNNING}), S.COMPLETED),
    "fail": (frozenset({S.QUEUED, S.RUNNING}), S.FAILED),
    "cancel": (frozenset({S.QUEUED, S.RUNNING, S.WAITING}), S.CANCELLED),
    "retry": (frozenset({S.FAILED}), S.QUEUED),
}


class FenceLost(HandraiseError):
    """The run is no longer this segment's: it was cancelled, or another worker has taken it."""

    code = "fence_lost"


def take(run_id: int, transition: str, also: Condition = ALWAYS, **changes: Any) -> bool:
    """Move one run along; say whether it was this call that moved it."""
    return change_status(Run, TRANSITIONS, transition, {"id": run_id}, also, **changes)


def keep(run_id: int, fence: int) -> None:
    """Lock the run's row for this transaction and make sure that the segment with this fence still holds it.

    Raises FenceLost.
    """
    if update(Run, {"id": run_id, "fence": fence}, {"fence": fence}, if_status=(S.RUNNING,)) != 1:
        raise FenceLost("The run is no longer held by this segment.")


def take_fenced(run_id: int, fence: int, transition: str, **changes: Any) -> None:
    """Move the run along as the segment with this fence. Raises FenceLost."""
    if not change_status(Run, TRANSITIONS, transition, {"id": run_id, "fence": fence}, **changes):
        raise FenceLost("The run is no longer held by this segment.")
