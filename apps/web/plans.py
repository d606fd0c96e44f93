"""A plan that waits for its user, as a form: what is proposed, and the text in which it can be edited."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.chat.models import ToolCall
from apps.interactions.contract import QuestionSet
from apps.solve.selectors import proposal_in
from apps.web.forms import Body


@dataclass(frozen=True, slots=True)
class PlanForm:
    """The part of a card that is a plan. `edited` is the text to edit: one goal a line if `is_goals`, else Markdown."""

    revision: int | None
    plan: str
    changes: str
    approve_label: str
    reject_label: str
    is_goals: bool
    edited: str
    feedback: str


def plan_form(ask: QuestionSet, call: ToolCall, body: Body) -> PlanForm:
    """Return the form of a plan card, filled in with what a draft or a refused form holds."""
    proposal = proposal_in(call)
    proposed = "\n".join(proposal.goals) if proposal else ask.detail
    labels = [option.label for option in ask.questions[0].options]
    approve = ask.intent.approve if ask.intent else ""
    return PlanForm(
        revision=ask.plan_revision,
        plan=ask.detail,
        changes=ask.description,
        approve_label=approve,
        reject_label=next((label for label in labels if label != approve), ""),
        is_goals=proposal is not None,
        edited=_edited(body.get("plan")) or proposed,
        feedback=str(body.get("feedback") or ""),
    )


def _edited(plan: object) -> str:
    """Return an edited plan as text; a draft of another door may hold anything."""
    if isinstance(plan, str):
        return plan
    goals = [step.get("goal") for step in plan if isinstance(step, dict)] if isinstance(plan, list) else []
    return "\n".join(goal for goal in goals if isinstance(goal, str))


def as_markdown(plan: object) -> str:
    """Return a plan that stands, as Markdown: goals become a numbered list."""
    if isinstance(plan, str):
        return plan
    steps: Sequence[object] = plan if isinstance(plan, list) else ()
    goals = [step.get("goal") if isinstance(step, dict) else step for step in steps]
    return "\n".join(f"{place}. {goal}" for place, goal in enumerate(goals, 1))
