"""Facts of a summary in words: what each name means to people, and each code that has a word; other codes stay as they are."""

from collections.abc import Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Words = Mapping[str, str | Promise]

FACTS: Words = {
    "answered_by": _("answered by"),
    "attempt": _("attempt"),
    "bytes": _("bytes"),
    "capability": _("capability"),
    "closed_at": _("closed (UTC)"),
    "closed_by": _("closed by"),
    "closed_through": _("channel"),
    "code": _("code"),
    "decision": _("decision"),
    "effect": _("effect"),
    "events": _("events"),
    "fields": _("fields that were wrong"),
    "input_tokens": _("tokens read"),
    "is_error": _("is an error"),
    "kind": _("kind"),
    "lifetime_seconds": _("seconds until it expires"),
    "messages": _("messages"),
    "method": _("method"),
    "mode": _("mode"),
    "model": _("model"),
    "names": _("what was changed"),
    "on_timeout": _("when time is up"),
    "options": _("options"),
    "outcome": _("outcome"),
    "output_tokens": _("tokens written"),
    "own_text": _("own text"),
    "owner": _("session of"),
    "parts": _("parts"),
    "pending": _("open questions"),
    "policy": _("policy"),
    "positions": _("chosen"),
    "questions": _("questions"),
    "reason": _("reason"),
    "reason_length": _("characters of the reason"),
    "records": _("records"),
    "repairs": _("repairs"),
    "retryable": _("can be tried again"),
    "review": _("review"),
    "revision": _("version"),
    "rounds": _("rounds"),
    "rows": _("rows"),
    "runs": _("runs"),
    "scopes": _("scopes"),
    "seconds": _("seconds"),
    "segment": _("segment"),
    "size": _("characters"),
    "skipped": _("skipped questions"),
    "steps": _("steps"),
    "subject": _("subject"),
    "token": _("token"),
    "tool": _("tool"),
}
"""What each name of a fact means."""

INTERACTION_KINDS: Words = {
    "ask_user": _("question"),
    "questions": _("set of questions"),
    "plan_review": _("plan review"),
    "approval": _("approval"),
}
MODES: Words = {
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
REASONS: Words = {
    # why a submission was refused
    "duplicate": _("answered already"),
    "foreign": _("by somebody else"),
    "invalid": _("not valid"),
    "late": _("too late"),
    "not_resumable": _("cannot be gone on with"),
    "closed": _("its card was closed"),
    "stale_revision": _("meant an older version of the plan"),
    "wrong_session": _("named another session"),
    # why a question or a run ended
    "cancelled_card": _("its question was closed"),
    "operator": _("by the staff"),
    "reply_in_chat": _("answered by a message"),
    "superseded": _("a new message took its place"),
    "timeout": _("time was up"),
    "user": _("by the user"),
}
OUTCOMES: Words = {
    "finished": _("finished"),
    "finished_with_open_steps": _("finished with open steps"),
    "finished_without_plan": _("finished without a plan"),
    "rounds_exhausted": _("no rounds left"),
}
DECISIONS: Words = {
    "approve": _("approved"),
    "approve_with_edits": _("approved with changes"),
    "chat": _("answered by a message"),
    "deny": _("not allowed"),
    "reject": _("rejected"),
}
ON_TIMEOUT: Words = {"stop": _("the run stops"), "continue": _("the run goes on")}
_SUBJECTS: Words = {
    "answers": _("answers"),
    "apitoken": _("API tokens"),
    "artifact": _("file"),
    "auditrecord": _("audit records"),
    "cancel_interaction": _("cancelled a question"),
    "cancel_run": _("stopped a run"),
    "chatsession": _("sessions"),
    "drafts": _("drafts"),
    "events": _("events"),
    "expire_interaction": _("let a question's time be up"),
    "extend_interaction": _("extended a question's time"),
    "fail_run": _("ended a run as failed"),
    "group": _("group"),
    "installation": _("installation"),
    "interaction": _("question"),
    "requeue_run": _("queued a run again"),
    "retention": _("retention"),
    "run": _("runs"),
    "session": _("session"),
    "solveplan": _("plans"),
    "source": _("attachments"),
    "uploads": _("uploads"),
    "user": _("user"),
}
VALUES: Mapping[str, Words] = {
    "answered_by": {"user": _("the user"), "timeout": _("nobody: time was up")},
    "decision": DECISIONS,
    "effect": {
        "compute": _("computes"),
        "outside": _("reaches outside"),
        "read": _("reads"),
        "write": _("writes"),
    },
    "kind": INTERACTION_KINDS,
    "method": {"link": _("link"), "password": _("password")},
    "mode": MODES,
    "on_timeout": ON_TIMEOUT,
    "outcome": OUTCOMES,
    "policy": {
        "ask": _("asks first"),
        "default": _("as built in"),
        "never": _("works without asking"),
        "off": _("switched off"),
        "on": _("switched on"),
    },
    "reason": REASONS,
    "review": {"card": _("a card was shown"), "every": _("every plan"), "first": _("the first plan"), "off": _("off")},
    "subject": _SUBJECTS,
}
"""The words of the codes, by the name of the fact."""


def value_in_words(name: str, value: Any) -> Any:
    """Return a code in words, in the language in force; whatever has none stays as it is."""
    return str(VALUES.get(name, {}).get(value, value)) if isinstance(value, str) else value


def in_words(summary: Mapping[str, Any]) -> dict[str, Any]:
    """Return a summary with its codes in words."""
    return {name: value_in_words(name, value) for name, value in summary.items()}
