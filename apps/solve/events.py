"""How plan_updated is read, and a plan as the wire shows it: small facts from the event or the row, words from the rows."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from apps.events.catalogue import Data, register
from apps.events.models import Event
from apps.solve.models import SolvePlan, SolveStep
from apps.solve.plan import FINISHED


def plan_json(row: SolvePlan, steps: Sequence[SolveStep], facts: Mapping[str, Any]) -> Data:
    """Return a plan as it stood when the facts were written; a summary shows from its step's end on."""
    return {
        "version": facts["version"],
        "status": facts["status"],
        "analysis": row.analysis,
        "steps": [
            _step(step, place, status, facts["first"])
            for place, (step, status) in enumerate(zip(steps, facts["steps"], strict=True))
        ],
        "replansUsed": facts["replansUsed"],
        "replansMax": facts["replansMax"],
    }


def _step(step: SolveStep, place: int, status: str, first: int | None) -> Data:
    ident = str(place + 1) if first is None else f"S{first + place}"
    return {"id": ident, "goal": step.goal, "status": status, "summary": step.summary if status in FINISHED else ""}


def facts_now(row: SolvePlan, steps: Sequence[SolveStep]) -> dict[str, Any]:
    """Return the facts of a plan as it stands now."""
    at_work = next((s for s in steps if s.status == "open"), None) if row.status == SolvePlan.Status.ACTIVE else None
    return {
        "version": row.version,
        "status": row.status,
        "first": steps[0].number if steps else None,
        "steps": ["current" if step is at_work else step.status for step in steps],
        "replansUsed": row.replans_used,
        "replansMax": row.replans_max,
    }


def steps_by_plan(plans: Iterable[int]) -> dict[int, list[SolveStep]]:
    """Return the steps of plans, in order, by the plan's key; one query for any number."""
    found: dict[int, list[SolveStep]] = defaultdict(list)
    for step in SolveStep.objects.filter(plan__in=plans).order_by("plan_id", "place"):
        found[step.plan_id].append(step)
    return found


def read_plan(events: Sequence[Event]) -> dict[int, Data]:
    """Read plan_updated: the plan as it stood at that moment."""
    plans = SolvePlan.objects.in_bulk([event.subject for event in events if event.subject is not None])
    steps = steps_by_plan(plans)
    return {
        e.seq: _updated(plans[e.subject], steps[e.subject], e.facts or {}) for e in events if e.subject and e.subject in plans
    }


def _updated(row: SolvePlan, steps: Sequence[SolveStep], facts: Mapping[str, Any]) -> Data:
    return {"plan": None, "erased": True} if row.erased else {"plan": plan_json(row, steps, facts)}


register("plan_updated", read_plan)
