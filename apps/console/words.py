"""Codes of the rows in words, in the language of the moment; an unknown code stays as it is."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

Words = Callable[[], Mapping[str, str]]


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


def interaction_kinds() -> Mapping[str, str]:
    """Return the kinds of an interaction."""
    return {
        "ask_user": _("question"),
        "questions": _("set of questions"),
        "plan_review": _("plan review"),
        "approval": _("approval"),
    }


def modes() -> Mapping[str, str]:
    """Return the modes of a card."""
    return {
        "single": _("one choice"),
        "multiple": _("several choices"),
        "toggle": _("switches"),
        "text": _("text"),
        "number": _("number"),
        "date": _("date"),
        "directory": _("folder"),
        "form": _("form"),
        "plan_review": _("plan"),
        "approval": _("approval"),
    }


def channels() -> Mapping[str, str]:
    """Return the doors."""
    return {
        "web": _("web"),
        "api": _("API"),
        "cli": _("command line"),
        "admin": _("console"),
        "system": _("system"),
    }


def actor_kinds() -> Mapping[str, str]:
    """Return who can act."""
    return {"user": _("user"), "token": _("API token"), "agent": _("agent"), "system": _("system")}


def say(words: Words, code: str) -> str:
    """Return a code in words."""
    return words().get(code, code)


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
