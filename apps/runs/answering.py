"""Answer or cancel an interaction: checked, then consumed by one conditional UPDATE, once, on any database."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, CharField
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.agent.messages import ToolResult
from apps.agent.state import is_readable
from apps.audit.chain import commitment, new_salt
from apps.audit.context import current
from apps.audit.write import Entry, record
from apps.common.clock import database_now
from apps.common.errors import HandraiseError
from apps.common.prepared import Prepared, bound
from apps.interactions import approvals, results
from apps.interactions.answers import Answer, Cancelled, InvalidAnswer, PlanAnswer, validate
from apps.interactions.approvals import ApprovalAnswer
from apps.interactions.contract import AnyAsk, QuestionSet
from apps.interactions.ends import end_of
from apps.interactions.events import receipt, with_owners
from apps.interactions.models import Interaction
from apps.interactions.payload import read_payload
from apps.interactions.submissions import Submission
from apps.interactions.summaries import summary_of
from apps.runs.chronicle import Chronicle
from apps.runs.closing import BY_CARD, SUPERSEDED, audit_closed, close, end_run
from apps.runs.consenting import audit_denial, audit_grant
from apps.runs.deciding import audit_decision, decide
from apps.runs.errors import AlreadyResolved, Expired, InteractionNotFound, NotResumable, StaleRevision, WrongSession
from apps.runs.expiry import expire, go_on_if_last
from apps.runs.memories import store_memory

# The run's row is locked with it: it is the first lock, whatever comes after.
_ASKED = Prepared(
    lambda: (
        Interaction.objects.select_related("call", "run", "session")
        .filter(public_id=bound("request", CharField()), user=bound("user", BigIntegerField()))
        .select_for_update(of=("run",))
    )
)


@dataclass(frozen=True, slots=True)
class Answered:
    """An accepted submission: the closed interaction, its transaction's events, and whether the run rests on."""

    interaction: Interaction
    first_seq: int
    last_seq: int
    is_last: bool
    """False: another ask of the turn is still open, and the run goes on waiting."""


def answer(user: User, session_id: str, request_id: str, submission: Submission, raw: str) -> Answered:
    """Consume one submission. `raw` is the body as it was received, kept as evidence.

    Raises InteractionNotFound, WrongSession, AlreadyResolved, Expired, NotResumable, StaleRevision, InvalidAnswer; a
    refusal changes nothing but the audit, and a late submission commits the expiry first.
    """
    try:
        with transaction.atomic():
            return _answer(user, session_id, request_id, submission, raw)
    except _REFUSALS as refusal:
        raise _refused(request_id, refusal) from None


_REASONS: dict[type[HandraiseError], str] = {
    InteractionNotFound: "foreign",
    WrongSession: "wrong_session",
    AlreadyResolved: "duplicate",
    Expired: "late",
    NotResumable: "not_resumable",
    StaleRevision: "stale_revision",
    InvalidAnswer: "invalid",
}
_REFUSALS = tuple(_REASONS)


def _answer(user: User, session_id: str, request_id: str, submission: Submission, raw: str) -> Answered:
    row = _find(user, session_id, request_id)
    _check_open(row)
    ask = read_payload(row.payload)
    _check_revision(ask, submission)
    given = validate(ask, submission)
    now, chronicle = database_now(), Chronicle(row.session, row.run)
    facts: dict[str, Any] = {"resolved_by": user, "channel": current().channel, "submission": raw, "salt": row.salt or new_salt()}
    if isinstance(given, Cancelled):
        is_last = _cancel(chronicle, row, given, now, facts)
    elif isinstance(given, PlanAnswer):
        is_last = _decide(chronicle, row, ask, given, now, facts)
    elif isinstance(given, ApprovalAnswer):
        is_last = _consent(chronicle, row, ask, given, now, facts)
    else:
        is_last = _take(chronicle, row, ask, given, results.answered(ask, row.call.call_id, given), now, facts)
    first = chronicle.write()
    return Answered(row, first, first + len(chronicle.events) - 1, is_last)


def _take(
    chronicle: Chronicle,
    row: Interaction,
    ask: AnyAsk,
    given: Answer,
    result: ToolResult,
    now: datetime,
    facts: dict[str, Any],
) -> bool:
    """Store an answer and its result; say whether it was the last that the run waited for."""
    _consume(chronicle, row, "answer", result, now, facts)
    _audit_answer(chronicle, row, commitment(facts["salt"], result.content), summary_of(ask, given))
    return go_on_if_last(row.run)


def _decide(chronicle: Chronicle, row: Interaction, ask: AnyAsk, given: PlanAnswer, now: datetime, facts: dict[str, Any]) -> bool:
    """Store the decision on a plan and what it makes of the run's plan."""
    # The row was read while its lock was waited for; from here on nobody changes it.
    _check_open(with_owners().get(pk=row.pk))
    assert isinstance(ask, QuestionSet)
    decided = decide(row, ask, given)
    is_last = _take(chronicle, row, ask, given, decided.result, now, facts)
    audit_decision(chronicle, row, ask, given, decided)
    store_memory(chronicle, row.run, decided.before, decided.after)
    return is_last


def _consent(
    chronicle: Chronicle, row: Interaction, ask: AnyAsk, given: ApprovalAnswer, now: datetime, facts: dict[str, Any]
) -> bool:
    """Store whether a call may start. If it may, its result is its tool's to make."""
    if given.decision == "deny":
        result = approvals.denied(row.call.call_id, "user", row.run.language, given.feedback)
        is_last = _take(chronicle, row, ask, given, result, now, facts)
        audit_denial(chronicle, row, "user", given)
        return is_last
    decision = approvals.granted(given)
    _consume(chronicle, row, "answer", None, now, facts | {"decision": decision})
    _audit_answer(chronicle, row, commitment(facts["salt"], decision), summary_of(ask, given))
    audit_grant(chronicle, row)
    return go_on_if_last(row.run)


def _find(user: User, session_id: str, request_id: str) -> Interaction:
    row: Interaction | None = _ASKED.first(request=request_id, user=user.pk)
    if row is None:
        raise InteractionNotFound(_("There is no such question."))
    if row.session.public_id != session_id:
        raise WrongSession(_("This question belongs to another session."))
    return row


def _check_open(row: Interaction) -> None:
    if row.status != Interaction.Status.PENDING:
        row = with_owners().get(pk=row.pk)
    if row.status == Interaction.Status.EXPIRED:
        raise Expired(_("This question has expired."), facts={"receipt": receipt(row)})
    if row.status != Interaction.Status.PENDING:
        raise AlreadyResolved(_("This question is closed already."), facts={"receipt": receipt(row)})
    if row.expires_at is not None and row.expires_at <= database_now():
        raise Expired(_("This question has expired."))
    if not is_readable(row.run.state_version):
        raise NotResumable(_("The service was updated and cannot go on from here; start the task anew."))


def _check_revision(ask: AnyAsk, submission: Submission) -> None:
    """Refuse what was decided on another revision of the plan than the one on this card."""
    if not isinstance(ask, QuestionSet) or not ask.is_plan_card or submission.cancelled:
        return
    if submission.plan_revision not in (None, ask.plan_revision):
        message = _("The plan that you saw is not the one of this card. Look at it again.")
        raise StaleRevision(message, facts={"planRevision": ask.plan_revision})


def _consume(
    chronicle: Chronicle, row: Interaction, transition: str, result: ToolResult | None, now: datetime, facts: dict[str, Any]
) -> None:
    if not close(chronicle, row, transition, result, now, **facts):
        # Somebody else was first, or the deadline passed while this submission waited for its lock.
        late = with_owners().get(pk=row.pk)
        _check_open(late)
        raise Expired(_("This question has expired."))


def _cancel(chronicle: Chronicle, row: Interaction, given: Cancelled, now: datetime, facts: dict[str, Any]) -> bool:
    result = results.closed(row.kind, row.call.call_id, "cancelled", given.reason, row.run.language, given.feedback)
    _consume(chronicle, row, "cancel", result, now, facts | {"reason": given.reason})
    audit_closed(chronicle, row, "cancel", given.reason)
    if given.reason:
        return end_run(chronicle, row.run, SUPERSEDED, now)
    return end_run(chronicle, row.run, BY_CARD, now) if row.cancel_stops else go_on_if_last(row.run)


def _audit_answer(chronicle: Chronicle, row: Interaction, digest: str, summary: dict[str, Any]) -> None:
    call_id = row.call.call_id
    facts: dict[str, Any] = {"kind": row.kind, "mode": row.mode, "answered_by": "user", **summary, **end_of(row)}
    chronicle.audit("interaction_answered", request=row.public_id, tool_call=call_id, digest=digest, **facts)
    if not row.decision:
        chronicle.audit_result(call_id, row.call.result, row.public_id)


def _refused(request_id: str, refusal: HandraiseError) -> HandraiseError:
    """Commit what a refusal leaves behind, in a transaction of its own: the expiry, and the audit's record."""
    row = with_owners().filter(public_id=request_id).first()
    if row is None:
        return refusal
    if isinstance(refusal, Expired):
        expire(row.pk)
        row = with_owners().get(pk=row.pk)
        refusal.facts["receipt"] = receipt(row)
    entry = Entry(
        "submission_refused",
        session=row.session.public_id,
        run=row.run.public_id,
        request=row.public_id,
        tool_call=row.call.call_id,
        summary={"kind": row.kind, "mode": row.mode, "reason": _REASONS[type(refusal)], "fields": len(refusal.errors)},
    )
    with transaction.atomic():
        record([entry])
    return refusal
