"""The three tools of deep_solve: pure functions of the run's plan, applied at once."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from apps.agent.messages import ToolCall, ToolResult
from apps.agent.state import RunState
from apps.agent.tools import AskRequest, Refusal
from apps.common.text import compact_json
from apps.interactions.answers import PlanAnswer
from apps.interactions.contract import QuestionSet
from apps.interactions.results import PLAN_NOT_APPROVED
from apps.solve import plan, results
from apps.solve.arguments import Finished, Planned, read_finish, read_plan, read_replan
from apps.solve.memory import FINISH, PLAN, REPLAN, SOLVE_TOOLS, analysis_of
from apps.solve.plan import FINISHED, MAX_REJECTIONS, PlanState, Proposal
from apps.solve.review import edited_goals, review_of
from apps.solve.words import say

Outcome = ToolResult | AskRequest | Refusal


class SolvePlanTool:
    """`solve_plan`: commit to a plan."""

    name = PLAN
    comes_first = True
    asks = False

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        properties = {"analysis": _text("solve_plan.analysis", language), "steps": _steps("solve_plan.steps", language)}
        return _schema(self.name, properties, ("analysis", "steps"), language)

    def apply(self, call: ToolCall, state: RunState) -> Outcome:
        """Take the plan, or put it to the user."""
        read = read_plan(call, state.language)
        return _refused(state, read) or _take(call, state, read)

    def decided(self, call: ToolCall, state: RunState, ask: QuestionSet, answer: PlanAnswer) -> ToolResult:
        """Return the result of the decision. Raises InvalidAnswer."""
        return _decided(call, state, read_plan(call, state.language), answer)


class SolveReplanTool:
    """`solve_replan`: replace the open steps, a bounded number of times."""

    name = REPLAN
    comes_first = False
    asks = False

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        properties = {"reason": _text("solve_replan.reason", language), "steps": _steps("solve_replan.steps", language)}
        return _schema(self.name, properties, ("reason", "steps"), language)

    def apply(self, call: ToolCall, state: RunState) -> Outcome:
        """Take the new plan, or put it to the user."""
        read = self._read(call, state)
        return _refused(state, read, needs_plan=True) or _take(call, state, read)

    def decided(self, call: ToolCall, state: RunState, ask: QuestionSet, answer: PlanAnswer) -> ToolResult:
        """Return the result of the decision. Raises InvalidAnswer."""
        return _decided(call, state, self._read(call, state), answer)

    def _read(self, call: ToolCall, state: RunState) -> Planned | Refusal:
        analysis = analysis_of(state.memory) if isinstance(state.memory, PlanState) else ""
        return read_replan(call, analysis, state.language)


class SolveFinishStepTool:
    """`solve_finish_step`: put on record what the current step came to."""

    name = FINISH
    comes_first = False
    asks = False

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        names = ("step_id", "summary", "outcome")
        properties = {name: _text(f"{self.name}.{name}", language) for name in names}
        properties["outcome"]["enum"] = ["done", "failed"]
        return _schema(self.name, properties, ("step_id", "summary"), language)

    def apply(self, call: ToolCall, state: RunState) -> Outcome:
        """Finish the step."""
        read = read_finish(call, state.language)
        if isinstance(read, Refusal):
            return read
        return (
            _not_ready(state, needs_plan=True) or _not_current(state.memory, read, state.language) or _finish(call, state, read)
        )


OWN_TOOLS = (SolvePlanTool(), SolveFinishStepTool(), SolveReplanTool())


def is_under_review(state: RunState) -> bool:
    """Say whether a plan of the last turn waits for the user's decision."""
    return any(call in state.reviews and state.calls[call].name in SOLVE_TOOLS for call in _unanswered(state))


def _unanswered(state: RunState) -> Sequence[str]:
    return [call.id for call in state.unanswered()]


# --- a plan that is taken --------------------------------------------------------------------------------


def _refused(state: RunState, read: Planned | Refusal, *, needs_plan: bool = False) -> Refusal | None:
    """Refuse a plan that cannot be taken, whoever would approve it."""
    if isinstance(read, Refusal):
        return read
    if refusal := _not_ready(state, needs_plan=needs_plan):
        return refusal
    if not read.proposal.goals:
        return Refusal("NO_STEPS", say("no_steps", state.language), "steps")
    if state.memory.rejections > MAX_REJECTIONS:
        return Refusal("PLAN_LIMIT", say("plan_limit", state.language, limit=state.memory.rejections))
    return None


def _take(call: ToolCall, state: RunState, read: Planned | Refusal) -> ToolResult | AskRequest:
    assert isinstance(read, Planned)
    memory: PlanState = state.memory
    if memory.standing and not memory.replans_left:
        return results.budget_exhausted(call.id, memory, state.language)
    if memory.is_reviewed:
        return review_of(memory, read.proposal, state.language)
    return ToolResult(call.id, compact_json(_content(call, memory, read.proposal, read.cuts, state.language)))


def _content(call: ToolCall, memory: PlanState, proposal: Proposal, cuts: Sequence[str], language: str) -> dict[str, Any]:
    write = results.planned if call.name == PLAN else results.replanned
    return write(memory, proposal, cuts, language)


def _decided(call: ToolCall, state: RunState, read: Planned | Refusal, answer: PlanAnswer) -> ToolResult:
    assert isinstance(read, Planned)
    memory: PlanState = state.memory
    if answer.decision == "reject":
        may_revise = memory.rejections < MAX_REJECTIONS
        content = results.plan_rejected(memory, answer.feedback, state.language, may_revise=may_revise)
    else:
        goals = edited_goals(answer) or read.proposal.goals
        content = _content(call, memory, replace(read.proposal, goals=goals), read.cuts, state.language)
        content |= {"decision": answer.decision, "feedback": answer.feedback}
    details = {"kind": "plan_review", "mode": "plan_review", "decision": answer.decision}
    return ToolResult(call.id, compact_json(content), details=details)


# --- a step that is finished -----------------------------------------------------------------------------


def _not_ready(state: RunState, *, needs_plan: bool) -> Refusal | None:
    if not isinstance(state.memory, PlanState):
        return Refusal("NO_SOLVE_RUN", say("no_solve_run", state.language))
    if is_under_review(state):
        return Refusal(PLAN_NOT_APPROVED, say("under_review", state.language))
    if needs_plan and state.memory.standing is None:
        return Refusal("NO_PLAN", say("no_plan", state.language))
    return None


def _not_current(memory: PlanState, read: Finished, language: str) -> Refusal | None:
    step, current = memory.step(read.step_id), memory.current
    if step is None:
        return Refusal("UNKNOWN_STEP", say("unknown_step", language, step=read.step_id, steps=_valid(memory)), "step_id")
    if step.status in FINISHED:
        return Refusal("STEP_FINISHED", say("step_finished", language, step=step.id), "step_id")
    if current is None or step.id != current.id:
        message = say("not_current_step", language, step=step.id, current=current.id if current else "–")
        return Refusal("NOT_CURRENT_STEP", message, "step_id")
    return None


def _valid(memory: PlanState) -> str:
    return ", ".join(step.id for step in memory.standing.steps) if memory.standing else "–"


def _finish(call: ToolCall, state: RunState, read: Finished) -> ToolResult:
    after = plan.finished(state.memory, read.step_id, read.summary, read.outcome)
    return ToolResult(call.id, compact_json(results.step_done(after, read, state.language)))


# --- schemas ---------------------------------------------------------------------------------------------


def _schema(name: str, properties: dict[str, Any], required: Sequence[str], language: str) -> dict[str, Any]:
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
    return {"name": name, "description": say(name, language), "parameters": parameters}


def _text(key: str, language: str) -> dict[str, Any]:
    return {"type": "string", "description": say(key, language)}


def _steps(key: str, language: str) -> dict[str, Any]:
    goal = {"goal": _text("steps.goal", language)}
    step = {"type": "object", "properties": goal, "required": ["goal"], "additionalProperties": False}
    return {"type": "array", "description": say(key, language), "items": step}
