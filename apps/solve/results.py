"""What the solve tools answer, as the JSON that the model reads; the same facts are what the state is folded from."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.agent.messages import ToolResult
from apps.common.text import compact_json
from apps.solve.arguments import Finished
from apps.solve.plan import PlanState, Proposal, Step, named
from apps.solve.words import say

Json = dict[str, Any]


def planned(state: PlanState, proposal: Proposal, cuts: Sequence[str], language: str) -> Json:
    """Return the content for a plan that stands from now on; over one that stood before it it counts as a replan."""
    steps = named(proposal.goals, state.next_number)
    body = {"status": "planned", "analysis": proposal.analysis, **_counts(state), "steps": list(map(_step, steps))}
    return body | _go_on(steps[0], cuts, language)


def replanned(state: PlanState, proposal: Proposal, cuts: Sequence[str], language: str) -> Json:
    """Return the content for a plan that replaces the one before."""
    steps = named(proposal.goals, state.next_number)
    body = {"status": "replanned", "reason": proposal.reason, **_counts(state), "steps": list(map(_step, steps))}
    return body | _go_on(steps[0], cuts, language)


def _counts(state: PlanState) -> Json:
    if state.standing is None:
        return {}
    return {"replans_used": state.replans_used + 1, "replans_max": state.replans_max}


def _go_on(step: Step, cuts: Sequence[str], language: str) -> Json:
    instruction = " ".join((say("do_next", language, step=step.id), *cuts))
    return {"next": _step(step), "instruction": instruction}


def step_done(after: PlanState, read: Finished, language: str) -> Json:
    """Return the content for a finished step; `after` is the state with it."""
    upcoming = after.current
    instruction = say("do_next", language, step=upcoming.id) if upcoming else _write_answer(after, language)
    return {
        "status": "step_done",
        "completed": read.step_id,
        "outcome": read.outcome,
        "next": _step(upcoming) if upcoming else None,
        "all_done": upcoming is None,
        "instruction": " ".join((instruction, *read.cuts)),
    }


def _write_answer(after: PlanState, language: str) -> str:
    failed = ", ".join(step.id for step in after.steps() if step.status == "failed")
    openly = [say("say_failed", language, steps=failed)] if failed else []
    return " ".join((say("all_done", language), *openly))


def _step(step: Step) -> Json:
    return {"id": step.id, "goal": step.goal, "done": step.status == "done"}


def budget_exhausted(call_id: str, state: PlanState, language: str) -> ToolResult:
    """Return the result of a replan beyond the budget: nothing has changed."""
    content = {
        "status": "budget_exhausted",
        "code": "BUDGET_EXHAUSTED",
        "message": say("budget_exhausted", language, limit=state.replans_max),
        "instruction": say("finish_as_is", language),
    }
    return ToolResult(call_id, compact_json(content), is_error=True, code="BUDGET_EXHAUSTED")


def plan_rejected(state: PlanState, feedback: str, language: str, *, may_revise: bool) -> Json:
    """Return the content for a plan that the user rejected."""
    stands = state.standing is not None
    key = {(True, False): "revise", (True, True): "revise_replan", (False, False): "no_more_plans", (False, True): "keep_plan"}
    return {
        "status": "plan_rejected",
        "decision": "reject",
        "feedback": feedback,
        "instruction": say(key[may_revise, stands], language),
    }


def steps_of(content: Mapping[str, Any]) -> tuple[Step, ...]:
    """Return the steps that a result made."""
    return tuple(Step(step["id"], step["goal"]) for step in content["steps"])
