"""The plan card of deep_solve: how a proposed plan is shown, and how an edited one is read."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from apps.agent.tools import AskRequest
from apps.common.errors import FieldError
from apps.common.text import clean_shown, is_blank
from apps.interactions.answers import InvalidAnswer, PlanAnswer
from apps.interactions.contract import Intent, Option, Question, QuestionSet
from apps.interactions.plans import differences, plan_request
from apps.solve.arguments import MAX_GOAL
from apps.solve.plan import MAX_STEPS, Plan, PlanState, Proposal
from apps.solve.words import say


def review_of(state: PlanState, proposal: Proposal, language: str) -> AskRequest:
    """Return the card of a plan. Its revision is the version that the plan will have."""
    title = say("card.replan_title" if state.standing else "card.title", language)
    options = (Option(say("card.approve", language)), Option(say("card.reject", language)))
    before = state.plans[-1] if state.plans else None
    ask = QuestionSet(
        questions=(Question("plan", title, options=options),),
        detail=detail_of(proposal, language),
        intent=Intent(options[0].label),
        plan_revision=len(state.plans) + 1,
        description=_changes(before, proposal, language) if before else "",
    )
    return plan_request(ask)


def detail_of(proposal: Proposal, language: str) -> str:
    """Return the plan as Markdown: why it changes, the analysis, the steps numbered from 1, for they have no ids yet."""
    reason = [say("card.reason", language, reason=proposal.reason)] if proposal.reason else []
    steps = "\n".join(f"{place}. {goal}" for place, goal in enumerate(proposal.goals, 1))
    return "\n\n".join((*reason, proposal.analysis, steps))


def _changes(before: Plan, proposal: Proposal, language: str) -> str:
    """Return what differs from the version before; what is finished in it does not come again."""
    still_open = [step.goal for step in before.steps if step.status == "open"]
    was, now = before.analysis.splitlines(), proposal.analysis.splitlines()
    return differences([*was, *still_open], [*now, *proposal.goals], language)


def edited_goals(answer: PlanAnswer) -> tuple[str, ...] | None:
    """Return the goals as the user edited them; None: the plan stands as it was proposed. Raises InvalidAnswer."""
    if answer.decision != "approve_with_edits":
        return None
    if not isinstance(answer.plan, tuple):
        raise _unusable([FieldError("plan", _("Send the steps of the plan as a list of {goal}."))])
    goals = tuple(" ".join(clean_shown(goal).split()) for goal in answer.plan if not is_blank(goal))
    if faults := list(_faults(goals)):
        raise _unusable(faults)
    return goals


def _faults(goals: tuple[str, ...]) -> Iterator[FieldError]:
    if len(goals) > MAX_STEPS:
        yield FieldError("plan", _("A plan has %(limit)d steps at most.") % {"limit": MAX_STEPS})
    for place, goal in enumerate(goals):
        if len(goal) > MAX_GOAL:
            yield FieldError(f"plan[{place}].goal", _("This is longer than %(limit)d characters.") % {"limit": MAX_GOAL})


def _unusable(faults: list[FieldError]) -> InvalidAnswer:
    return InvalidAnswer(_("The edited plan cannot be used."), errors=faults)
