"""Decide on a plan: the run's rows say what the decision makes of it. Only a decision ever approves."""

from dataclasses import dataclass
from typing import Any

from apps.agent.messages import ToolResult
from apps.interactions import results
from apps.interactions.answers import PlanAnswer
from apps.interactions.contract import QuestionSet
from apps.interactions.models import Interaction
from apps.interactions.plans import PlanTool
from apps.runs.chronicle import Chronicle
from apps.runs.loading import load_state
from apps.solve.plan import PlanState


@dataclass(frozen=True, slots=True)
class Decided:
    """The result of the plan's call, and the capability's memory before and after it."""

    result: ToolResult
    before: Any
    after: Any


def decide(row: Interaction, ask: QuestionSet, answer: PlanAnswer) -> Decided:
    """Return what the decision comes to; the caller holds the lock on the run. Raises InvalidAnswer."""
    row.run.session = row.session
    state = load_state(row.run)
    call, tool = state.calls[row.call.call_id], state.toolbox.tools.get(row.call.name)
    # A tool that was switched off meanwhile: the decision stands all the same.
    result = tool.decided(call, state, ask, answer) if isinstance(tool, PlanTool) else results.answered(ask, call.id, answer)
    before = state.memory
    state.add(result)
    return Decided(result, before, state.memory)


def audit_decision(chronicle: Chronicle, row: Interaction, ask: QuestionSet, answer: PlanAnswer, decided: Decided) -> None:
    """Record what was decided on which revision; of texts their lengths."""
    facts: dict[str, Any] = {"revision": ask.plan_revision}
    if isinstance(decided.after, PlanState) and decided.after is not decided.before:
        facts["steps"] = len(decided.after.plans[-1].steps)
    if answer.decision == "approve_with_edits":
        facts["own_text"] = [len("".join(answer.plan or ""))]
    elif answer.decision == "reject":
        facts = {"revision": ask.plan_revision, "reason": "user", "own_text": [len(answer.feedback)]}
    kind = {"approve": "plan_approved", "approve_with_edits": "plan_edited", "reject": "plan_rejected"}[answer.decision]
    chronicle.audit(kind, request=row.public_id, tool_call=row.call.call_id, **facts)
