"""A plan that waits for its user, as a form: what is proposed, what has changed, and the fields in which it is edited."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.chat.models import ToolCall
from apps.common.text import is_blank
from apps.interactions.contract import AnyAsk, QuestionSet
from apps.interactions.plans import read_differences
from apps.solve.plan import MAX_STEPS
from apps.solve.selectors import proposal_in
from apps.web.forms import EDITED, Body, typed_text

Errors = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True)
class StepField:
    """The field of one step; `number` counts from 1."""

    number: int
    goal: str
    errors: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class PlanChange:
    """A line that was ``removed``, ``added`` or ``moved`` since the revision before."""

    kind: str
    text: str

    @property
    def words(self) -> str:
        """What became of it, in words."""
        return {"removed": _("Removed"), "added": _("Added"), "moved": _("Moved")}[self.kind]


@dataclass(frozen=True, slots=True)
class PlanForm:
    """The part of a card that is a plan. It is edited as `steps`, one field each, or, without goals, as `text` (Markdown)."""

    revision: int | None
    plan: str
    is_revision: bool
    changes: Sequence[PlanChange]
    approve_label: str
    reject_label: str
    is_goals: bool
    steps: Sequence[StepField]
    text: str
    feedback: str
    is_edited: bool
    errors: Sequence[str] = ()

    limit = MAX_STEPS

    @property
    def is_full(self) -> bool:
        """Whether no step can be added."""
        return len(self.steps) >= MAX_STEPS

    @property
    def faults(self) -> list[tuple[str, str]]:
        """What is wrong with the edited plan: the id of the field, and the message."""
        own = [("plan-edit", message) for message in self.errors]
        return own + [(f"plan-step-{step.number}", message) for step in self.steps for message in step.errors]


def plan_form(ask: QuestionSet, call: ToolCall, body: Body, errors: Errors) -> PlanForm:
    """Return the form of a plan card, filled in with what a draft or a refused form holds."""
    proposed, labels = proposed_plan(ask, call), [option.label for option in ask.questions[0].options]
    approve = ask.intent.approve if ask.intent else ""
    edited = _edited(proposed, body.get("plan"))
    goals = [step["goal"] for step in edited] if isinstance(edited, list) else []
    return PlanForm(
        revision=ask.plan_revision,
        plan=ask.detail,
        is_revision=bool(ask.description),
        changes=_changes(ask.description),
        approve_label=approve,
        reject_label=next((label for label in labels if label != approve), ""),
        is_goals=isinstance(proposed, list),
        steps=[StepField(n, goal, errors.get(f"plan{n - 1}", ())) for n, goal in enumerate(goals, 1)],
        text=edited if isinstance(edited, str) else "",
        feedback=str(body.get("feedback") or ""),
        is_edited=edited != proposed,
        errors=errors.get("plan", ()),
    )


def proposed_plan(ask: QuestionSet, call: ToolCall) -> list[dict[str, str]] | str:
    """Return the plan as it was proposed, in the form in which it is edited: ``[{goal}]``, or Markdown."""
    proposal = proposal_in(call)
    return [{"goal": goal} for goal in proposal.goals] if proposal else ask.detail


def _edited(proposed: list[dict[str, str]] | str, plan: object) -> list[dict[str, str]] | str:
    """Return the plan as it was edited so far; a draft of another door may hold anything."""
    if isinstance(proposed, str):
        return plan if isinstance(plan, str) and plan else proposed
    goals = [step.get("goal") for step in plan if isinstance(step, dict)] if isinstance(plan, list) else []
    return [{"goal": goal} for goal in goals if isinstance(goal, str)] or proposed


def _changes(description: str) -> list[PlanChange]:
    """Return what has changed; a line that went in one place and came in another has moved."""
    lines = read_differences(description)
    moved = {text for kind, text in lines if kind == "removed"} & {text for kind, text in lines if kind == "added"}
    kept = [(kind, text) for kind, text in lines if kind == "added" or text not in moved]
    return [PlanChange("moved" if text in moved else kind, text) for kind, text in kept if not is_blank(text)]


# --- what is handed in -----------------------------------------------------------------------------------


def handed_in(ask: AnyAsk | None, call: ToolCall, body: Body) -> Body:
    """Return the body that is submitted: the edited plan belongs to one decision only.

    A plan in which nothing was changed is approved as it was proposed, whichever button said so.
    """
    if not isinstance(ask, QuestionSet) or not ask.is_plan_card:
        return body
    is_edited = body["decision"] == EDITED and body["plan"] != proposed_plan(ask, call)
    decision = "approve" if body["decision"] == EDITED and not is_edited else body["decision"]
    return {key: value for key, value in body.items() if key != "plan" or is_edited} | {"decision": decision}


def typed_into(ask: AnyAsk | None, call: ToolCall, body: Body) -> str:
    """Return everything that was typed into a card: of a plan the feedback, and the plan if it was edited."""
    texts = [typed_text(body)]
    if isinstance(ask, QuestionSet) and ask.is_plan_card and body.get("plan") != proposed_plan(ask, call):
        texts.append(as_markdown(body.get("plan")))
    return "\n\n".join(text for text in texts if text)


def arranged(body: Body, act: str) -> Body:
    """Return the body with its steps arranged anew: ``add``, ``up:2``, ``down:2`` or ``remove:2``, places from 0."""
    steps: list[Any] = list(body["plan"]) if isinstance(body.get("plan"), list) else []
    name, _colon, number = act.partition(":")
    place = int(number) if number.isascii() and number.isdecimal() and len(number) < 3 else -1
    if name == "add" and len(steps) < MAX_STEPS:
        steps.append({"goal": ""})
    elif 0 <= place < len(steps):
        _ARRANGE.get(name, _leave)(steps, place)
    return body | {"plan": steps}


def _up(steps: list[Any], place: int) -> None:
    steps.insert(max(place - 1, 0), steps.pop(place))


def _down(steps: list[Any], place: int) -> None:
    steps.insert(place + 1, steps.pop(place))


def _remove(steps: list[Any], place: int) -> None:
    if len(steps) > 1:
        steps.pop(place)


def _leave(steps: list[Any], place: int) -> None:
    """Change nothing."""


_ARRANGE = {"up": _up, "down": _down, "remove": _remove}


def as_markdown(plan: object) -> str:
    """Return a plan that stands, as Markdown: goals become a numbered list."""
    if isinstance(plan, str):
        return plan
    steps: Sequence[object] = plan if isinstance(plan, list) else ()
    goals = [step.get("goal") if isinstance(step, dict) else step for step in steps]
    return "\n".join(f"{place}. {goal}" for place, goal in enumerate(goals, 1))
