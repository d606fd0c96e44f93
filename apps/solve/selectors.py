"""What faces read of plans, in a number of queries that does not grow with what there is."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from django.db.models import QuerySet

from apps.agent.messages import ToolCall as Call
from apps.chat.models import ChatSession, Run, ToolCall
from apps.solve.arguments import Finished, Planned, read_finish, read_plan, read_replan
from apps.solve.events import facts_now, plan_json, steps_by_plan
from apps.solve.memory import PLAN, REPLAN
from apps.solve.models import SolvePlan, SolveStep
from apps.solve.plan import Proposal


def plans_of(session: ChatSession) -> QuerySet[SolvePlan]:
    """Return the plans of the session's runs, every version, in the order in which they were made."""
    return SolvePlan.objects.filter(run__session=session).select_related("run").order_by("id")


def plans_of_run(run: Run) -> QuerySet[SolvePlan]:
    """Return the versions of a run's plan, oldest first."""
    return SolvePlan.objects.filter(run=run).select_related("run").order_by("id")


def as_json(plans: Sequence[SolvePlan]) -> list[dict[str, Any]]:
    """Return plans as the wire shows them, as they stand now; the words of an erased one are null."""
    steps = steps_by_plan([plan.pk for plan in plans])
    return [_as_json(plan, steps[plan.pk]) for plan in plans]


def _as_json(plan: SolvePlan, steps: Sequence[SolveStep]) -> dict[str, Any]:
    told = plan_json(plan, steps, facts_now(plan, steps))
    return _erased(told) if plan.erased else told


def _erased(told: dict[str, Any]) -> dict[str, Any]:
    steps = [step | {"goal": None, "summary": None} for step in told["steps"]]
    return told | {"analysis": None, "steps": steps, "erased": True}


def proposal_in(call: ToolCall) -> Proposal | None:
    """Return what a stored call proposes, for a form in which it is edited; None: it is no plan of deep_solve."""
    made = _as_made(call)
    read = read_plan(made, "en") if call.name == PLAN else read_replan(made, "", "en") if call.name == REPLAN else None
    return read.proposal if isinstance(read, Planned) else None


def summary_in(call: ToolCall) -> str:
    """Return what a stored call that finished a step says that it came to; empty: it cannot be read."""
    read = read_finish(_as_made(call), "en")
    return read.summary if isinstance(read, Finished) else ""


def _as_made(call: ToolCall) -> Call:
    return Call(call.call_id, call.name, call.arguments, call.extras or {})


class PlacedStep(NamedTuple):
    """A step's goal, and the version of the plan that it belongs to."""

    goal: str
    version: int


def steps_with_versions(runs: Collection[int]) -> dict[tuple[int, str], PlacedStep]:
    """Return the steps that ever stood by run and id, in one query; in none without runs."""
    if not runs:
        return {}
    rows = SolveStep.objects.filter(run__in=runs, number__isnull=False)
    listed = rows.values_list("run_id", "number", "goal", "plan__version")
    return {(run, f"S{number}"): PlacedStep(goal, version) for run, number, goal, version in listed}
