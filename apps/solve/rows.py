"""Write a run's plans: what has changed from one state to the next becomes rows and events, in the caller's transaction."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Protocol

from apps.chat.models import Run
from apps.common.clock import database_now
from apps.common.rows import insert, update
from apps.solve.models import SolvePlan, SolveStep
from apps.solve.plan import Plan, PlanState, Step


class Chronicle(Protocol):
    """Where events and audit records of the transaction are collected (apps.runs.chronicle)."""

    def event(self, kind: str, subject: int | None = None, /, **facts: Any) -> None:
        """Add an event."""
        ...

    def audit(self, kind: str, /, **summary: Any) -> None:
        """Add an audit record."""
        ...


def project(chronicle: Chronicle, run: Run, before: PlanState, after: PlanState) -> None:
    """Write the versions that are new or have changed, the oldest first, each with its event."""
    if before is after:
        return
    now, keys = database_now(), _keys(run, before)
    known = {plan.version: plan for plan in before.plans}
    for plan in after.plans:
        was = known.get(plan.version)
        if was == plan:
            continue
        key = _insert(run, plan, after, now) if was is None else _change(run, keys[plan.version], was, plan, after)
        chronicle.event("plan_updated", key, **facts_of(plan, after))
        if was is None and plan.status != "proposed":
            # Review was off for it: recorded so, and no approval.
            chronicle.audit("plan_presented", revision=plan.version, steps=len(plan.steps), review=after.review)


def facts_of(plan: Plan, state: PlanState) -> dict[str, Any]:
    """Return the small facts of a plan at this moment, by which its event reads the same ever after."""
    return {
        "version": plan.version,
        "status": plan.status,
        "first": _number(plan.steps[0]) if plan.is_accepted else None,
        "steps": list(statuses(plan)),
        "replansUsed": state.replans_used,
        "replansMax": state.replans_max,
    }


def statuses(plan: Plan) -> Iterator[str]:
    """Yield the status of each step as people see it: the one at work is current."""
    for step in plan.steps:
        yield "current" if step is plan.current else step.status


def _keys(run: Run, before: PlanState) -> dict[int, int]:
    if not before.plans:
        return {}
    return dict(SolvePlan.objects.filter(run=run).values_list("version", "pk"))


def _insert(run: Run, plan: Plan, state: PlanState, now: datetime) -> int:
    (row,) = insert(
        [
            SolvePlan(
                run=run,
                version=plan.version,
                status=plan.status,
                analysis=plan.analysis,
                reason=plan.reason,
                replans_used=state.replans_used,
                replans_max=state.replans_max,
                created_at=now,
            )
        ]
    )
    insert([_step_row(run, row, plan, place) for place in range(len(plan.steps))])
    return int(row.pk)


def _step_row(run: Run, row: SolvePlan, plan: Plan, place: int) -> SolveStep:
    step = plan.steps[place]
    return SolveStep(
        plan=row,
        run=run,
        place=place + 1,
        number=_number(step) if plan.is_accepted else None,
        goal=step.goal,
        status=step.status,
        summary=step.summary,
    )


def _number(step: Step) -> int:
    return int(step.id.removeprefix("S"))


def _change(run: Run, key: int, was: Plan, plan: Plan, state: PlanState) -> int:
    if was.status != plan.status:
        update(SolvePlan, {"id": key}, {"status": plan.status, "replans_used": state.replans_used})
    for place, (old, new) in enumerate(zip(was.steps, plan.steps, strict=True), 1):
        if old != new:
            number = _number(new) if plan.is_accepted else None
            changes = {"status": new.status, "summary": new.summary, "number": number}
            update(SolveStep, {"plan_id": key, "place": place}, changes)
    return key


def close_proposal(chronicle: Chronicle, run: Run) -> None:
    """Let the plan under review be rejected: its card was closed without a decision. The plan before stands as it stood."""
    row = SolvePlan.objects.filter(run=run, status=SolvePlan.Status.PROPOSED).first()
    if row is None:
        return
    update(SolvePlan, {"id": row.pk}, {"status": SolvePlan.Status.REJECTED})
    steps: Sequence[str] = ["open"] * SolveStep.objects.filter(plan=row).count()
    chronicle.event(
        "plan_updated",
        row.pk,
        version=row.version,
        status="rejected",
        first=None,
        steps=list(steps),
        replansUsed=row.replans_used,
        replansMax=row.replans_max,
    )
