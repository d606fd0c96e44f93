"""Every kind of audit record, declared once: what its summary may hold, its sentence, and what in it is personal."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.audit.fields import FIELDS
from apps.audit.words import in_words


class UndeclaredKind(LookupError):
    """The catalogue does not know this kind of record."""


class UndeclaredFact(ValueError):
    """The summary holds a name that its kind does not declare, or a value that is no code, count, flag or position."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One declared kind."""

    name: str
    label: str | Promise
    """Its name for people."""
    sentence: str | Promise
    """For people, in their language; ``%(name)s`` stands for a fact of the summary."""
    fields: frozenset[str]
    personal: frozenset[str]
    """Columns and facts that tell about a person; everything else is about the machine."""


def _kind(name: str, label: str | Promise, sentence: str | Promise, fields: str = "", personal: str = "actor_id") -> Kind:
    return Kind(name, label, sentence, frozenset(fields.split()), frozenset(personal.split()))


_END = "closed_at closed_by closed_through"
_ANSWER = "actor_id positions own_text decision skipped"

KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        # --- questions
        _kind(
            "interaction_requested",
            _("question asked"),
            _("The agent asked: %(kind)s."),
            "kind mode questions options repairs lifetime_seconds code",
            personal="",
        ),
        _kind("interaction_shown", _("question shown"), _("The question was shown."), "kind mode"),
        _kind(
            "interaction_answered",
            _("question answered"),
            _("The question was answered."),
            f"kind mode positions own_text skipped decision answered_by repairs {_END}",
            personal=f"{_ANSWER} closed_by",
        ),
        _kind(
            "interaction_cancelled",
            _("question cancelled"),
            _("The question was cancelled (%(reason)s)."),
            f"kind mode reason {_END}",
            personal="actor_id closed_by",
        ),
        _kind(
            "interaction_expired",
            _("question expired"),
            _("The question expired."),
            f"kind mode on_timeout reason {_END}",
            personal="actor_id closed_by",
        ),
        _kind(
            "interaction_aborted",
            _("question closed with its run"),
            _("The question was closed with its run (%(reason)s)."),
            f"kind mode reason {_END}",
            personal="actor_id closed_by",
        ),
        _kind("interaction_extended", _("question extended"), _("The question's time was extended."), "kind mode seconds"),
        _kind(
            "submission_refused",
            _("submission refused"),
            _("A submission was refused (%(reason)s)."),
            "kind mode reason code fields size",
        ),
        # --- plans and approvals
        _kind("plan_presented", _("plan presented"), _("A plan was presented."), "revision steps review", personal=""),
        _kind("plan_approved", _("plan approved"), _("The plan was approved."), "revision steps"),
        _kind(
            "plan_edited", _("plan approved with changes"), _("The plan was approved with changes."), "revision steps own_text"
        ),
        _kind("plan_rejected", _("plan rejected"), _("The plan was rejected."), "revision reason own_text"),
        _kind("approval_granted", _("call allowed"), _("The call of %(tool)s was allowed."), "tool effect policy"),
        _kind(
            "approval_denied",
            _("call not allowed"),
            _("The call of %(tool)s was not allowed (%(reason)s)."),
            "tool effect policy reason own_text",
        ),
        # --- runs
        _kind(
            "tool_result_written",
            _("tool result written"),
            _("A tool result was written."),
            "tool is_error code size",
            personal="",
        ),
        _kind("run_started", _("run started"), _("A run started."), "capability model size kind owner", "actor_id owner"),
        _kind("run_paused", _("run paused"), _("The run waits for its user."), "pending rounds", personal=""),
        _kind("run_resumed", _("run resumed"), _("The run went on."), "segment attempt", personal=""),
        _kind(
            "run_completed",
            _("run completed"),
            _("The run was completed (%(outcome)s)."),
            "outcome rounds input_tokens output_tokens size",
            personal="",
        ),
        _kind("run_failed", _("run failed"), _("The run failed (%(code)s)."), "code retryable attempt rounds"),
        _kind("run_cancelled", _("run cancelled"), _("The run was cancelled (%(reason)s)."), "reason rounds"),
        _kind("run_requeued", _("run queued again"), _("The run was queued again."), "attempt reason"),
        _kind("run_retried", _("run tried again"), _("The failed run was started again."), "attempt"),
        # --- attachments
        _kind("source_added", _("attachment added"), _("A file was attached (%(kind)s)."), "kind bytes parts"),
        _kind("source_removed", _("attachment removed"), _("An attachment was removed (%(kind)s)."), "kind"),
        # --- administration
        _kind("settings_changed", _("settings changed"), _("Settings were changed."), "names capability tool policy subject"),
        _kind("staff_intervened", _("staff stepped in"), _("The staff stepped in (%(subject)s)."), "subject reason_length"),
        _kind("answer_revealed", _("answer revealed"), _("An answer was revealed to staff."), "kind mode reason_length"),
        _kind(
            "access_refused",
            _("access refused"),
            _("Somebody else asked for this session and was refused (%(subject)s)."),
            "subject",
        ),
        _kind("evidence_exported", _("evidence exported"), _("The evidence of a session was exported."), "events records"),
        _kind(
            "chain_key_exported",
            _("chain key handed out"),
            _("The key that checks a session's chain was handed out."),
            "reason_length",
        ),
        _kind("audit_exported", _("records exported"), _("Records were exported."), "subject records"),
        _kind("audit_anchored", _("chains anchored"), _("The heads of the chains were anchored."), "records", personal=""),
        _kind(
            "data_exported",
            _("data exported"),
            _("The data of a user were exported (%(subject)s)."),
            "subject records reason_length",
            personal="actor_id subject",
        ),
        _kind(
            "data_erased",
            _("data erased"),
            _("Data were erased (%(subject)s)."),
            "subject rows reason_length",
            personal="actor_id subject",
        ),
        _kind("session_deleted", _("session deleted"), _("The session was deleted."), "runs messages"),
        # --- people
        _kind("sign_in", _("sign-in"), _("Signed in."), "method"),
        _kind("sign_in_failed", _("failed sign-in"), _("A sign-in failed."), "method reason"),
        _kind("signed_out", _("sign-out"), _("Signed out.")),
        _kind(
            "token_made",
            _("token made"),
            _("An API token was made."),
            "token scopes seconds subject",
            personal="actor_id token subject",
        ),
        _kind(
            "token_revoked",
            _("token revoked"),
            _("An API token was revoked."),
            "token subject",
            personal="actor_id token subject",
        ),
    )
}


def check(kind: str, summary: Mapping[str, Any]) -> None:
    """Raise UndeclaredKind or UndeclaredFact unless the catalogue allows the record. The value itself is never quoted."""
    declared = KINDS.get(kind)
    if declared is None:
        raise UndeclaredKind(kind)
    for name, value in summary.items():
        if name not in declared.fields or not FIELDS[name](value):
            raise UndeclaredFact(f"{kind} cannot hold this as {name}.")


_ABSENT = re.compile(r"\s*[(（]–[)）]")


class _Facts(dict[str, Any]):
    """A summary in which an absent fact reads as a dash."""

    def __missing__(self, name: str) -> str:
        return "–"


def describe(kind: str, summary: Mapping[str, Any]) -> str:
    """Return the sentence of a record for people, in the language in force; brackets around an absent fact are left out.

    A kind that there is not, which somebody has put into the database, is its own sentence.
    """
    if kind not in KINDS:
        return kind
    sentence = str(KINDS[kind].sentence) % _Facts(in_words(summary))
    return _ABSENT.sub("", sentence)
