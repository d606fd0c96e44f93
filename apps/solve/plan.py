"""A run's plan: what it holds and how it changes. Pure values; the state is folded from the run's transcript."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

Review = Literal["off", "first", "every"]
REVIEWS: tuple[Review, ...] = get_args(Review)
StepStatus = Literal["open", "done", "failed", "dropped"]
PlanStatus = Literal["proposed", "active", "rejected", "replaced", "done"]

DEFAULT_REPLANS = 2
MAX_STEPS = 12
"""Steps of one version."""
MAX_REJECTIONS = 5
"""So often a rejected plan may come again revised; one more rejection ends the planning of the run."""
FINISHED: frozenset[StepStatus] = frozenset(("done", "failed"))


@dataclass(frozen=True, slots=True)
class Step:
    """One step. `id` is ``S1`` and so on over all versions; while the plan is only proposed it is its place, ``1``."""

    id: str
    goal: str
    status: StepStatus = "open"
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """One version. Its analysis and its goals never change: an edited plan is the next version."""

    version: int
    analysis: str
    steps: tuple[Step, ...]
    status: PlanStatus
    reason: str = ""
    """Why the plan before was given up."""
    is_accepted: bool = False
    """Whether it ever became the plan: only then its steps have ids."""

    @property
    def goals(self) -> tuple[str, ...]:
        """The goals in order."""
        return tuple(step.goal for step in self.steps)

    @property
    def current(self) -> Step | None:
        """The step at work: the first that is open, if the plan is the one that is carried out."""
        return next((step for step in self.steps if step.status == "open"), None) if self.status == "active" else None


@dataclass(frozen=True, slots=True)
class Proposal:
    """What the model wants to do."""

    analysis: str
    goals: tuple[str, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PlanState:
    """All that a run has planned, oldest version first, and the rules that it goes by."""

    replans_max: int = DEFAULT_REPLANS
    review: Review = "first"
    is_strict: bool = True
    plans: tuple[Plan, ...] = ()
    replans_used: int = 0
    rejections: int = 0

    @property
    def standing(self) -> Plan | None:
        """The plan that is or was carried out last; None: no plan was ever accepted."""
        return next((plan for plan in reversed(self.plans) if plan.status in ("active", "done")), None)

    @property
    def proposed(self) -> Plan | None:
        """The plan under review."""
        return self.plans[-1] if self.plans and self.plans[-1].status == "proposed" else None

    @property
    def current(self) -> Step | None:
        """The step at work."""
        return self.standing.current if self.standing else None

    @property
    def replans_left(self) -> int:
        """How often the plan may still be replaced."""
        return max(0, self.replans_max - self.replans_used)

    @property
    def next_number(self) -> int:
        """The number of the next step that gets an id: none is ever given twice."""
        return 1 + sum(len(plan.steps) for plan in self.plans if plan.is_accepted)

    @property
    def is_reviewed(self) -> bool:
        """Whether the next plan is put to the user first."""
        return self.review == "every" or (self.review == "first" and not any(plan.is_accepted for plan in self.plans))

    def steps(self) -> Iterator[Step]:
        """Yield every step that has an id."""
        for plan in self.plans:
            if plan.is_accepted:
                yield from plan.steps

    def step(self, ident: str) -> Step | None:
        """Return the step with this id that can still be meant: finished, or of the standing plan."""
        return next((step for step in self.steps() if step.id == ident and step.status != "dropped"), None)


def named(goals: Sequence[str], first: int) -> tuple[Step, ...]:
    """Return open steps with ids from ``S<first>`` on."""
    return tuple(Step(f"S{number}", goal) for number, goal in enumerate(goals, first))


# --- how it changes ------------------------------------------------------------------------------------


def proposed(state: PlanState, proposal: Proposal) -> PlanState:
    """Return the state with a plan under review: a version of its own, whose steps have no ids yet."""
    steps = tuple(Step(str(place), goal) for place, goal in enumerate(proposal.goals, 1))
    plan = Plan(len(state.plans) + 1, proposal.analysis, steps, "proposed", proposal.reason)
    return replace(state, plans=(*state.plans, plan))


def accepted(state: PlanState, proposal: Proposal, steps: tuple[Step, ...], replans_used: int) -> PlanState:
    """Return the state with a new standing plan. The one before is replaced; what is finished in it stays.

    A reviewed plan keeps its version, unless the user edited it: then what was proposed stays on record.
    """
    under_review = state.proposed
    before = tuple(map(_replaced, state.plans))
    if under_review and under_review.goals == tuple(step.goal for step in steps):
        plan = replace(under_review, steps=steps, status="active", is_accepted=True)
        return replace(state, plans=(*before[:-1], plan), replans_used=replans_used)
    plan = Plan(len(before) + 1, proposal.analysis, steps, "active", proposal.reason, is_accepted=True)
    return replace(state, plans=(*before, plan), replans_used=replans_used)


def _replaced(plan: Plan) -> Plan:
    """Return a version as it is once another stands: its open steps are dropped."""
    if plan.status not in ("proposed", "active"):
        return plan
    steps = tuple(replace(step, status="dropped") if step.status == "open" else step for step in plan.steps)
    return replace(plan, steps=steps, status="replaced")


def rejected(state: PlanState, *, is_decision: bool) -> PlanState:
    """Return the state after a plan under review was rejected, or its card closed; the plan before stands as it stood."""
    if state.proposed is None:
        return state
    plan = replace(state.proposed, status="rejected")
    return replace(state, plans=(*state.plans[:-1], plan), rejections=state.rejections + is_decision)


def finished(state: PlanState, ident: str, summary: str, outcome: Literal["done", "failed"]) -> PlanState:
    """Return the state after a step was finished; with the last one the plan is done."""
    return replace(state, plans=tuple(_with_finished(plan, ident, summary, outcome) for plan in state.plans))


def _with_finished(plan: Plan, ident: str, summary: str, outcome: StepStatus) -> Plan:
    if plan.status != "active" or all(step.id != ident for step in plan.steps):
        return plan
    steps = tuple(replace(s, status=outcome, summary=summary) if s.id == ident else s for s in plan.steps)
    is_done = all(step.status in FINISHED for step in steps)
    return replace(plan, steps=steps, status="done" if is_done else "active")


def new_state(settings: Mapping[str, Any]) -> PlanState:
    """Return the state of a run that has no plan yet; a setting that is not given or unknown is left at its default."""
    return PlanState(
        replans_max=settings.get("max_replans", DEFAULT_REPLANS),
        review=settings["plan_review"] if settings.get("plan_review") in REVIEWS else "first",
        is_strict=settings.get("enforcement") != "advisory",
    )
