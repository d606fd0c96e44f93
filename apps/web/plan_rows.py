"""The rows of the tools of deep_solve: a plan that was made or changed, a step that has ended."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.chat.models import ToolCall
from apps.common.layout import readable
from apps.solve.memory import SOLVE_TOOLS
from apps.solve.selectors import PlacedStep, steps_with_versions, summary_in


@dataclass(frozen=True, slots=True)
class PlanRow:
    """What one call made of the plan: its `face` (``planned replanned done failed``), a line, and what is folded.

    `text` is why the plan is as it is, or what the step came to; `goals` are the steps of a plan with their ids.
    """

    face: str
    words: str
    facts: str
    text: str
    goals: Sequence[tuple[str, str]] = ()

    @property
    def icon(self) -> str:
        """The template of its sign."""
        return f"icons/{_ICONS.get(self.face, 'pen')}.svg"


_ICONS = {"done": "check", "failed": "alert"}


_Steps = Mapping[tuple[int, str], PlacedStep]


def plan_rows_of(calls: Iterable[ToolCall]) -> dict[int, PlanRow]:
    """Return the rows by their call, in one query, in none where there is no plan.

    A call that was refused, rejected or erased has changed no plan that can be shown: it has no row here.
    """
    told = [(call, content) for call in calls if call.name in SOLVE_TOOLS and (content := _told_by(call))]
    steps = steps_with_versions({call.run_id for call, _content in told})
    return {call.pk: _READ[content["status"]](call, content, steps) for call, content in told}


def _told_by(call: ToolCall) -> dict[str, Any] | None:
    """Return the result of a call that changed the plan."""
    result = getattr(call, "result", None)
    content = readable(result.content) if result and not result.is_error else None
    return content if isinstance(content, dict) and content.get("status") in _READ else None


def _planned(call: ToolCall, content: Mapping[str, Any], steps: _Steps) -> PlanRow:
    goals = [(step["id"], step["goal"]) for step in content["steps"]]
    # A plan over one that stood counts as a replan, whichever tool made it.
    is_changed = "replans_used" in content
    return PlanRow(
        face="replanned" if is_changed else "planned",
        words=_("Plan changed") if is_changed else _("Plan made"),
        facts=" · ".join([*_version(steps.get((call.run_id, goals[0][0]))), _counted(len(goals))]),
        text=content.get("reason") or content.get("analysis") or "",
        goals=goals,
    )


def _version(step: PlacedStep | None) -> Sequence[str]:
    return [_("version %(version)d") % {"version": step.version}] if step else []


def _counted(count: int) -> str:
    return ngettext("%(count)d step", "%(count)d steps", count) % {"count": count}


def _ended(call: ToolCall, content: Mapping[str, Any], steps: _Steps) -> PlanRow:
    ident, outcome = content["completed"], content["outcome"]
    words = _("Step %(step)s finished") if outcome == "done" else _("Step %(step)s failed")
    step = steps.get((call.run_id, ident))
    return PlanRow(outcome, words % {"step": ident}, step.goal if step else "", summary_in(call))


_READ: Mapping[str, Callable[[ToolCall, Mapping[str, Any], _Steps], PlanRow]] = {
    "planned": _planned,
    "replanned": _planned,
    "step_done": _ended,
}
