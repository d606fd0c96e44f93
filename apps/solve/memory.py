"""The fold: what a call of a solve tool and its result make of a run's plan. Only stored facts count."""

import json
from typing import Any

from apps.agent.messages import Asked, ToolCall, ToolResult
from apps.solve import plan
from apps.solve.arguments import Finished, Planned, read_finish, read_plan, read_replan
from apps.solve.plan import PlanState, Proposal
from apps.solve.results import steps_of

PLAN, FINISH, REPLAN = "solve_plan", "solve_finish_step", "solve_replan"
SOLVE_TOOLS = (PLAN, FINISH, REPLAN)
_NOT_DECIDED = ("cancelled", "expired", "aborted")


def absorb(state: PlanState, call: ToolCall, entry: Asked | ToolResult) -> PlanState:
    """Return the state after the call was put to the user, or has its result; refused calls change nothing."""
    if call.name not in SOLVE_TOOLS:
        return state
    if isinstance(entry, Asked):
        return plan.proposed(state, proposal_of(state, call))
    content = json.loads(entry.content)
    match content.get("status"):
        case "planned" | "replanned":
            return _accepted(state, call, content)
        case "step_done":
            return plan.finished(state, content["completed"], _summary(call), content["outcome"])
        case "plan_rejected":
            return plan.rejected(state, is_decision=True)
        case status if status in _NOT_DECIDED:
            return plan.rejected(state, is_decision=False)
    return state


def _accepted(state: PlanState, call: ToolCall, content: dict[str, Any]) -> PlanState:
    used = content.get("replans_used", state.replans_used)
    return plan.accepted(state, proposal_of(state, call), steps_of(content), used)


def proposal_of(state: PlanState, call: ToolCall) -> Proposal:
    """Return what the call proposes; it was read without fault when it was made."""
    read = read_plan(call, "en") if call.name == PLAN else read_replan(call, analysis_of(state), "en")
    assert isinstance(read, Planned)
    return read.proposal


def analysis_of(state: PlanState) -> str:
    """Return the analysis that a replan keeps."""
    return state.standing.analysis if state.standing else ""


def _summary(call: ToolCall) -> str:
    read = read_finish(call, "en")
    assert isinstance(read, Finished)
    return read.summary
