"""Statuses, outcomes, doors, errors and durations in words, in the language of the moment."""

from datetime import timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.audit.channels import phrase_of
from apps.chat.models import Run


def state_words(state: str) -> str:
    """Return what a session's pill says; `state` is the status of its last run, or empty."""
    return {
        "": _("New"),
        Run.Status.QUEUED: _("Working"),
        Run.Status.RUNNING: _("Working"),
        Run.Status.WAITING: _("Waiting for you"),
        Run.Status.COMPLETED: _("Done"),
        Run.Status.FAILED: _("Failed"),
        Run.Status.CANCELLED: _("Stopped"),
    }[state]


def run_words(status: str) -> str:
    """Return what a receipt says of its run."""
    return {
        Run.Status.WAITING: _("the run waits for another answer"),
        Run.Status.COMPLETED: _("the run is finished"),
        Run.Status.FAILED: _("the run has failed"),
        Run.Status.CANCELLED: _("the run was stopped"),
    }.get(Run.Status(status), _("the run goes on"))


def outcome_words(outcome: str) -> str:
    """Return how a completed run ended."""
    return {
        "finished": _("Done"),
        "finished_with_open_steps": _("Done, with steps left open"),
        "finished_without_plan": _("Done, without a plan"),
        "rounds_exhausted": _("Ended: its rounds were used up"),
    }.get(outcome, _("Done"))


def reason_words(reason: str) -> str:
    """Return why a run was stopped."""
    return {
        "user": _("Stopped by you"),
        "cancelled_card": _("Stopped: the question was closed without an answer"),
        "timeout": _("Stopped: the question expired"),
        "superseded": _("Ended: you went on in the chat"),
        "operator": _("Stopped by an administrator"),
    }.get(reason, _("Stopped"))


def channel_words(channel: str) -> str:
    """Return through which door something came."""
    return phrase_of(channel)


def error_words(code: str, message: str) -> str:
    """Return why a run failed, in the reader's language; `message` is in that of the run."""
    return {
        "model_unavailable": _("The model server cannot be reached or reports an error of its own. Try again in a moment."),
        "model_timeout": _("The model server did not answer in time. Try again in a moment."),
        "model_rate_limited": _("The model server takes no more requests for now. Try again later."),
        "model_interrupted": _("The model's answer broke off every time. Try again in a moment."),
        "model_protocol": _("The model server's answer is not a chat completion. An administrator should check its address."),
        "model_quota_spent": _("The account at the model's provider has no quota left. An administrator must raise it."),
        "model_denied": _("The model server refused the key. An administrator must set another one."),
        "model_not_found": _("The model server knows no such model or address. An administrator must correct the settings."),
        "model_not_configured": _("The model is not set up. An administrator must do so."),
        "model_context_too_long": _("This conversation is longer than the model can read. Begin a new one."),
        "context_too_long": _("This run has grown longer than the model's limit allows."),
        "ask_loop": _("The model asked a question again and again that was already settled; the run was ended."),
        "lost_too_often": _("The service stopped again and again while this run was at work. It can be tried again."),
        "not_resumable": _("The service was updated and cannot go on from here; start the task anew."),
        "internal": _("The service met an error of its own; the run was ended. It can be tried again."),
    }.get(code, message)


def spell_duration(duration: timedelta) -> str:
    """Return a length of time in its largest unit, whole."""
    seconds = int(duration.total_seconds())
    if seconds < 60:
        return ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds}
    if seconds < 3600:
        return ngettext("%(count)d minute", "%(count)d minutes", seconds // 60) % {"count": seconds // 60}
    if seconds < 86400:
        return ngettext("%(count)d hour", "%(count)d hours", seconds // 3600) % {"count": seconds // 3600}
    return ngettext("%(count)d day", "%(count)d days", seconds // 86400) % {"count": seconds // 86400}


def model_words() -> str:
    """Return which model answers, as people are told."""
    kind, _colon, name = settings.MODEL.partition(":")
    if kind == "builtin":
        return _("built-in symbolic solver (no language model)")
    return name if kind == "openai" else _("scripted model (replays a script)")
