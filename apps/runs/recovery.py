"""What operators may do to questions and runs that are stuck: each act with a reason, in one transaction with its record."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from apps.audit.context import current
from apps.audit.reasons import keep_reason
from apps.audit.write import Entry, record
from apps.chat.models import Run, Segment
from apps.common.clock import database_now
from apps.common.errors import HandraiseError
from apps.events.hints import QUEUE, announce
from apps.interactions import results
from apps.interactions.events import receipt, with_owners
from apps.interactions.models import Interaction
from apps.runs import services
from apps.runs.chronicle import Chronicle
from apps.runs.closing import BY_OPERATOR, abort_topic, active_children, audit_closed, close, close_calls, end_run, keep_partial
from apps.runs.errors import AlreadyResolved, InteractionNotFound, NotFound, RunActive
from apps.runs.expiry import expire, go_on_if_last
from apps.runs.machine import take

FAILED = "failed_by_operator"
_FAILED_WORDS = {"en": "An administrator ended this run as failed.", "zh": "管理员将此次运行标记为失败并结束。"}


class NotRecoverable(HandraiseError):
    """The act does not fit the state that the run is in."""

    code = "not_recoverable"


def cancel_interaction(request_id: str, reason: str) -> None:
    """Close a question as if its user had closed it. Raises InteractionNotFound, AlreadyResolved, ReasonMissing."""
    with _intervening("cancel_interaction", reason) as told:
        interaction, run = _open_interaction(request_id)
        told(run, interaction)
        now, chronicle = database_now(), Chronicle(run.session, run)
        result = results.closed(interaction.kind, interaction.call.call_id, "cancelled", "", run.language)
        close(chronicle, interaction, "cancel", result, now, reason="operator", channel="admin")
        audit_closed(chronicle, interaction, "cancel", "operator")
        if interaction.cancel_stops:
            end_run(chronicle, run, BY_OPERATOR, now)
        else:
            go_on_if_last(run)
        chronicle.write()


def expire_interaction(request_id: str, reason: str) -> None:
    """Let a question's time be up now. Raises InteractionNotFound, AlreadyResolved, ReasonMissing."""
    with _intervening("expire_interaction", reason) as told:
        interaction, run = _open_interaction(request_id)
        told(run, interaction)
        Interaction.objects.filter(pk=interaction.pk).update(expires_at=database_now())
        expire(interaction.pk)


def extend_interaction(request_id: str, seconds: int, reason: str) -> None:
    """Keep a question open for so many seconds from now.

    Raises InteractionNotFound, AlreadyResolved, Expired, NoExpiry, InvalidRequest, ReasonMissing.
    """
    with _intervening("extend_interaction", reason) as told:
        interaction, run = _open_interaction(request_id)
        told(run, interaction)
        services.extend(interaction.user, request_id, seconds)


def requeue_run(run_id: str, reason: str) -> None:
    """Put a run back into the queue: one that a worker holds, one that failed, or one that waits for nothing any more.

    Raises NotFound, NotRecoverable, RunActive, ReasonMissing.
    """
    try:
        with _intervening("requeue_run", reason) as told:
            run = _locked_run(run_id)
            told(run)
            _requeue(run)
            announce(QUEUE)
    except IntegrityError:
        # The constraint on active runs: the user has gone on in the meantime.
        raise RunActive(_("Another run of this session is at work.")) from None


def fail_run(run_id: str, reason: str) -> None:
    """End a run that is queued or held by a worker as failed; its user may try it again.

    Raises NotFound, NotRecoverable, ReasonMissing.
    """
    with _intervening("fail_run", reason) as told:
        run = _locked_run(run_id)
        told(run)
        children = list(active_children(run))
        if not all(map(_fail, (run, *children))):
            raise NotRecoverable(_("Only a run that is queued or running can be ended as failed."))
        announce(abort_topic(run.pk))


def cancel_run(run_id: str, reason: str) -> None:
    """Stop a run, whatever it waits for. Raises NotFound, NotRecoverable, ReasonMissing."""
    with _intervening("cancel_run", reason) as told:
        run = _locked_run(run_id)
        told(run)
        chronicle = Chronicle(run.session, run)
        if not end_run(chronicle, run, BY_OPERATOR, database_now()):
            raise NotRecoverable(_("This run has ended already."))
        chronicle.write()


def _fail(run: Run) -> bool:
    now, words = database_now(), _FAILED_WORDS.get(run.language, _FAILED_WORDS["en"])
    if not take(run.pk, "fail", ended_at=now, error_code=FAILED, error_message=words, retryable=True):
        return False
    _end_segment(run)
    chronicle = Chronicle(run.session, run)
    keep_partial(chronicle, run, now)
    close_calls(chronicle, run, now)
    chronicle.event("run_failed", code=FAILED, message=words, retryable=True)
    chronicle.audit("run_failed", code=FAILED, retryable=True, attempt=run.attempts)
    chronicle.write()
    return True


@contextmanager
def _intervening(act: str, reason: str) -> Iterator[Any]:
    """Open the transaction of an act; what it was done to is told inside, and recorded with the reason at its end.

    The record comes last: among all locks the head of the chain is the last one.
    """
    subjects: list[tuple[Run, Interaction | None]] = []

    def told(run: Run, interaction: Interaction | None = None) -> None:
        subjects.append((run, interaction))

    with transaction.atomic():
        yield told
        for run, interaction in subjects:
            kept = keep_reason(reason, current().resolved_actor(), run.session.public_id)
            entry = Entry(
                "staff_intervened",
                session=run.session.public_id,
                run=run.public_id,
                request=interaction.public_id if interaction else "",
                tool_call=interaction.call.call_id if interaction else "",
                summary={"subject": act, "reason_length": kept.length},
                digest=kept.digest,
            )
            record([entry])


def _open_interaction(request_id: str) -> tuple[Interaction, Run]:
    """Return a pending interaction and its run, whose row is locked first."""
    run_key = Interaction.objects.filter(public_id=request_id).values_list("run_id", flat=True).first()
    if run_key is None:
        raise InteractionNotFound(_("There is no such question."))
    run = Run.objects.select_for_update(of=("self",)).select_related("session").get(pk=run_key)
    interaction = with_owners().select_related("user").get(public_id=request_id)
    if interaction.status != Interaction.Status.PENDING:
        raise AlreadyResolved(_("This question is closed already."), facts={"receipt": receipt(interaction)})
    return interaction, run


def _locked_run(run_id: str) -> Run:
    run = Run.objects.select_for_update(of=("self",)).select_related("session").filter(public_id=run_id).first()
    if run is None:
        raise NotFound(_("There is no such run."))
    return run


def _requeue(run: Run) -> None:
    if run.parent_call_id is not None:
        raise NotRecoverable(_("A delegated run goes on with the run that it belongs to; queue that one again."))
    if take(run.pk, "requeue"):
        _end_segment(run)
        announce(abort_topic(run.pk))
        _record_requeued(run)
    elif run.status == Run.Status.FAILED and _is_last(run) and take(run.pk, "retry", **services.FORGOTTEN):
        _record_requeued(run)
    elif not go_on_if_last(run):
        raise NotRecoverable(_("Only a run that is running or failed, or waits for nothing any more, can be queued again."))


def _is_last(run: Run) -> bool:
    return not Run.objects.filter(session=run.session_id, parent_call=None, pk__gt=run.pk).exists()


def _record_requeued(run: Run) -> None:
    chronicle = Chronicle(run.session, run)
    chronicle.audit("run_requeued", attempt=run.attempts, reason="operator")
    chronicle.write()


def _end_segment(run: Run) -> None:
    Segment.objects.filter(run=run, ended_at__isnull=True).update(ended_at=database_now(), ending="lost")
