"""Codes of the rows in words, in the language of the moment; an unknown code stays as it is."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from apps.audit.channels import titles
from apps.audit.verify import Fault
from apps.audit.words import INTERACTION_KINDS, MODES
from apps.runs.capabilities import all_capabilities

Words = Callable[[], Mapping[str, str | Promise]]


def interaction_statuses() -> Mapping[str, str]:
    """Return the statuses of an interaction."""
    return {
        "pending": _("waiting"),
        "answered": _("answered"),
        "cancelled": _("cancelled"),
        "expired": _("expired"),
        "aborted": _("closed with its run"),
    }


def run_statuses() -> Mapping[str, str]:
    """Return the statuses of a run."""
    return {
        "queued": _("queued"),
        "running": _("running"),
        "waiting": _("waiting"),
        "completed": _("completed"),
        "failed": _("failed"),
        "cancelled": _("cancelled"),
    }


def plan_statuses() -> Mapping[str, str]:
    """Return the statuses of a plan."""
    return {
        "proposed": _("proposed"),
        "active": _("active"),
        "rejected": _("rejected"),
        "replaced": _("replaced"),
        "done": _("done"),
    }


def step_statuses() -> Mapping[str, str]:
    """Return the statuses of a step."""
    return {"open": _("open"), "current": _("current"), "done": _("done"), "failed": _("failed"), "dropped": _("dropped")}


def interaction_kinds() -> Mapping[str, str | Promise]:
    """Return the kinds of an interaction."""
    return INTERACTION_KINDS


def modes() -> Mapping[str, str | Promise]:
    """Return the modes of a card."""
    return MODES


def channels() -> Mapping[str, str]:
    """Return the doors."""
    return titles()


def actor_kinds() -> Mapping[str, str]:
    """Return who can act."""
    return {"user": _("user"), "token": _("API token"), "agent": _("agent"), "system": _("system")}


def capabilities() -> Mapping[str, str]:
    """Return the titles of the capabilities of this installation, by name and by alias."""
    language = get_language() or ""
    return {name: each.title(language) for each in all_capabilities() for name in (each.name, *each.aliases)}


def fault(found: Fault) -> str:
    """Return what is wrong with the audit, and where."""
    return f"{_(found.sentence)}: {found.where}"


def say(words: Words, code: str) -> str:
    """Return a code in words."""
    return str(words().get(code, code))


def own_text(length: int) -> str:
    """Return what stands in the place of somebody's own text."""
    return ngettext("own text, %(count)d character", "own text, %(count)d characters", length) % {"count": length}


def agents_text(length: int) -> str:
    """Return what stands in the place of the agent's own words."""
    return ngettext("text, %(count)d character", "text, %(count)d characters", length) % {"count": length}


def seconds_between(earlier: datetime, later: datetime) -> str:
    """Return a gap as seconds with three places below a minute, else as ``h:mm:ss``."""
    gap = max(later - earlier, timedelta(0))
    if gap < timedelta(minutes=1):
        return f"{gap.total_seconds():.3f} s"
    return str(timedelta(seconds=round(gap.total_seconds())))


def spell(seconds: float) -> str:
    """Return a length of time in few characters: ``46.3 s``, ``2:28``, ``1:02:03``."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    return str(timedelta(seconds=round(seconds))).removeprefix("0:").removeprefix("0")


def counted(positions: Sequence[Sequence[int]]) -> str:
    """Return chosen options by their places, counted from 1, question by question."""
    return "; ".join(", ".join(f"#{place + 1}" for place in chosen) or "–" for chosen in positions)
