"""The capability deep_solve: the loop is the solver; this adds three tools, a prompt and the rules that the engine holds."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.agent.capabilities import Capability
from apps.agent.messages import Asked, Note, ToolCall, ToolResult
from apps.agent.state import RunState
from apps.agent.steps import CallModel, Finish, Step
from apps.agent.tools import AnyTool, Refusal
from apps.interactions.guidance import system_text
from apps.interactions.plans import PresentPlanTool
from apps.interactions.results import PLAN_NOT_APPROVED
from apps.interactions.tools import AskUserQuestionTool, AskUserTool
from apps.solve import checkpoint
from apps.solve.memory import SOLVE_TOOLS, absorb
from apps.solve.plan import DEFAULT_REPLANS, PlanState, new_state
from apps.solve.prompts import packaged_block
from apps.solve.tools import OWN_TOOLS, is_under_review
from apps.solve.words import say

REMINDERS = 2
"""So often the model is sent back to the open steps of its plan."""


class DeepSolve(Capability):
    """Plan first, one step at a time, bounded replanning."""

    name = "deep_solve"
    aliases = ("solve",)
    titles: Mapping[str, str] = {"en": "Deep solve", "zh": "深度解题"}
    temperature = 0.3
    max_rounds = 12
    owned = frozenset(SOLVE_TOOLS)
    own_settings: Mapping[str, Any] = {"max_replans": DEFAULT_REPLANS, "plan_review": "first", "enforcement": "strict"}

    def tools(self) -> Sequence[AnyTool]:
        """Return the solve tools and the ask tools."""
        return (*OWN_TOOLS, AskUserTool(), AskUserQuestionTool(), PresentPlanTool())

    def instructions(self, language: str, block: str = "") -> str:
        """Return the system text: who the agent is, when it asks, how it solves."""
        return f"{system_text(language)}\n\n{block or packaged_block(language)}"

    def remember(self, settings: Mapping[str, Any]) -> PlanState:
        """Return the state of a run without a plan."""
        return new_state(settings)

    def absorb(self, memory: PlanState, call: ToolCall, entry: Asked | ToolResult) -> PlanState:
        """Fold what came of a call of the solve tools into the plan."""
        return absorb(memory, call, entry)

    def refuses(self, state: RunState, call: ToolCall) -> Refusal | None:
        """Let no tool work before a plan stands, or while the turn's plan is before the user."""
        plan: PlanState = state.memory
        if not plan.is_strict:
            return None
        if is_under_review(state):
            return Refusal(PLAN_NOT_APPROVED, say("under_review", state.language))
        return Refusal("PLAN_FIRST", say("plan_first", state.language)) if plan.standing is None else None

    def before_finish(self, state: RunState, text: str) -> Step | None:
        """Send the model back to what is missing, a bounded number of times; then say honestly how the run ended."""
        plan: PlanState = state.memory
        if plan.standing is None:
            return _remind(state, "plan_reminder", 1) or Finish(text, "finished_without_plan")
        still_open = ", ".join(step.id for step in plan.standing.steps if step.status == "open")
        if not still_open:
            return None
        return _remind(state, "steps_reminder", REMINDERS, steps=still_open) or Finish(text, "finished_with_open_steps")

    def checkpoint(self, state: RunState) -> str | None:
        """Fold after a turn in which a step was finished."""
        return checkpoint.checkpoint(state) if checkpoint.is_due(state) else None


def _remind(state: RunState, kind: str, limit: int, **parts: str) -> Step | None:
    """Return the reminder; None: it was given often enough, is switched off, or the rounds are used up."""
    is_spent = state.notes[kind] >= limit or state.rounds >= state.limits.max_rounds
    if is_spent or not state.memory.is_strict:
        return None
    return CallModel(note=Note(kind, say(kind, state.language, **parts)))
