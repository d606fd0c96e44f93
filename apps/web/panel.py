"""The plan panel: how far the last run has come with its plan, in words and counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.chat.models import Run
from apps.solve.capability import DeepSolve
from apps.solve.selectors import as_json, plans_of_run
from apps.web.words import outcome_words, reason_words

_TAKEN = ("active", "done", "replaced")
_FINISHED = ("done", "failed")


@dataclass(frozen=True, slots=True)
class PanelStep:
    """One step; its state is ``done``, ``failed``, ``current``, ``open`` or ``dropped``."""

    id: str
    goal: str
    state: str
    summary: str

    @property
    def words(self) -> str:
        """The state in words."""
        return {
            "done": _("done"),
            "failed": _("failed"),
            "current": _("at work"),
            "open": _("open"),
            "dropped": _("dropped"),
        }[self.state]


@dataclass(frozen=True, slots=True)
class Panel:
    """A run of deep_solve and its plan. `steps` are those that count, over all versions: finished ones and what stands.

    `dropped` are the steps that a replan has given up; `is_reviewed`: a plan waits for the user's decision.
    """

    run: Run
    steps: Sequence[PanelStep]
    dropped: Sequence[PanelStep]
    is_reviewed: bool
    was_rejected: bool
    replans_used: int
    replans_max: int

    @property
    def has_plan(self) -> bool:
        """Whether a plan was ever taken."""
        return bool(self.steps)

    @property
    def done(self) -> int:
        """How many steps are done; failed ones are not."""
        return self._count("done")

    @property
    def failed(self) -> int:
        """How many steps have failed."""
        return self._count("failed")

    @property
    def open(self) -> int:
        """How many steps are neither done nor failed."""
        return len(self.steps) - self.done - self.failed

    @property
    def words(self) -> str:
        """What is going on, or how it ended."""
        return _ENDINGS.get(self.run.status, _at_work)(self)

    @property
    def revision(self) -> str:
        """What changes when the panel in the page must be drawn anew."""
        states = "".join(step.state[0] for step in (*self.steps, *self.dropped))
        return f"{self.run.public_id}-{self.run.status}-{states}-{self.is_reviewed}-{self.was_rejected}-{self.replans_used}"

    def _count(self, state: str) -> int:
        return sum(step.state == state for step in self.steps)


def panel_of(run: Run | None) -> Panel | None:
    """Return the panel of a run; None: it is no run of deep_solve."""
    if run is None or run.capability != DeepSolve.name:
        return None
    plans = as_json(list(plans_of_run(run)))
    taken = [plan for plan in plans if plan["status"] in _TAKEN and not _was_only_proposed(plan)]
    is_over = run.status not in Run.ACTIVE
    steps = [_step(step, is_over=is_over) for plan in taken for step in plan["steps"]]
    return Panel(
        run=run,
        steps=[step for step in steps if step.state != "dropped"],
        dropped=[step for step in steps if step.state == "dropped"],
        is_reviewed=bool(plans) and plans[-1]["status"] == "proposed",
        was_rejected=bool(plans) and plans[-1]["status"] == "rejected",
        replans_used=max((plan["replansUsed"] for plan in plans), default=0),
        replans_max=max((plan["replansMax"] for plan in plans), default=0),
    )


def _was_only_proposed(plan: Mapping[str, Any]) -> bool:
    """Say whether the steps never got ids: the user took an edited plan in the place of this one."""
    return not any(step["id"].startswith("S") for step in plan["steps"])


def _step(step: Mapping[str, Any], *, is_over: bool) -> PanelStep:
    state = "open" if is_over and step["status"] == "current" else step["status"]
    goal = _("The words of this step were erased.") if step["goal"] is None else step["goal"]
    return PanelStep(step["id"], goal, state, step["summary"] or "")


# --- in words ----------------------------------------------------------------------------------------------


def _at_work(panel: Panel) -> str:
    if panel.is_reviewed:
        return _("The plan waits for your decision.")
    if panel.run.status == Run.Status.WAITING:
        return _("Waiting for your answer.")
    if not panel.has_plan:
        return _("You rejected the plan; it is being revised.") if panel.was_rejected else _("There is no plan yet.")
    current = next((step.id for step in panel.steps if step.state == "current"), "")
    return _("Working on %(step)s.") % {"step": current} if current else _("All steps are finished; the answer is being written.")


def _completed(panel: Panel) -> str:
    if panel.run.outcome == "finished_without_plan" or not panel.has_plan:
        return _("Ended without a plan.")
    if panel.run.outcome == "finished" and not panel.failed:
        return _("All steps are done.")
    return " ".join([_ended(panel.run.outcome), *_counted(panel)])


def _ended(outcome: str) -> str:
    return {
        "finished": _("All steps are finished."),
        "finished_with_open_steps": _("The answer came before all steps were finished."),
        "rounds_exhausted": _("The rounds of this run were used up."),
    }.get(outcome, outcome_words(outcome))


def _counted(panel: Panel) -> Sequence[str]:
    failed = ngettext("%(count)d step failed.", "%(count)d steps failed.", panel.failed) % {"count": panel.failed}
    left = ngettext("%(count)d step was left open.", "%(count)d steps were left open.", panel.open) % {"count": panel.open}
    return [words for words, count in ((failed, panel.failed), (left, panel.open)) if count]


def _failed(panel: Panel) -> str:
    return " ".join([_("The run has failed."), *_counted(panel)])


def _cancelled(panel: Panel) -> str:
    if not panel.has_plan:
        return _("The plan was not approved; no step was started.") if panel.was_rejected else reason_words(panel.run.reason)
    return " · ".join([reason_words(panel.run.reason), *_counted(panel)])


_ENDINGS: Mapping[str, Callable[[Panel], str]] = {
    Run.Status.COMPLETED: _completed,
    Run.Status.FAILED: _failed,
    Run.Status.CANCELLED: _cancelled,
}
