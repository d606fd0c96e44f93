"""What operators do to questions and runs that are stuck: with a reason, in one transaction with its record."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from apps.accounts.models import User
from apps.audit.context import Actor, acting
from apps.audit.models import AuditRecord, Reason
from apps.audit.reasons import ReasonMissing
from apps.audit.verdict import audit_faults
from apps.chat.models import Run, Segment, ToolResult
from apps.common.errors import HandraiseError
from apps.events.read import read_events
from apps.interactions.models import Interaction
from apps.runs import recovery, segments, services
from tests.factories.accounts import UserFactory
from tests.factories.chat import make_card, make_run
from tests.support.runs import DONE, ask_questions, ask_user, asks, run_to_rest, scripted

WHY = "The user is away."
OPERATOR = Actor("user", "user_operator")


@pytest.fixture(autouse=True)
def operator(db: None) -> Iterator[None]:
    """Let an operator act in the console."""
    with acting(OPERATOR, "admin"):
        yield


@pytest.fixture
def user(db: None) -> User:
    """Whose questions are stuck."""
    return UserFactory.create(username="ada")


def intervention(act: str) -> AuditRecord:
    """Return the one record of an act; its reason is kept beside it."""
    record = AuditRecord.objects.get(kind="staff_intervened")
    assert (record.actor_id, record.channel, record.summary) == ("user_operator", "admin", {"subject": act, "reason_length": 17})
    assert Reason.objects.get(pk=bytes(record.digest).hex()).text == WHY
    assert audit_faults(record.session) == []
    return record


def status_of(row: Interaction) -> tuple[str, str, str]:
    row = Interaction.objects.select_related("run").get(pk=row.pk)
    return row.status, row.reason, row.run.status


def deadline(row: Interaction) -> datetime:
    until = Interaction.objects.get(pk=row.pk).expires_at
    assert until is not None
    return until


def kinds(row: Interaction) -> list[str]:
    return [event.kind for event in read_events(row.session_id, 0, 500)]


# --- questions ------------------------------------------------------------------------------------
def test_a_cancelled_question_ends_the_run_that_stops_with_it(user: User) -> None:
    card = make_card(user)
    recovery.cancel_interaction(card.public_id, WHY)
    assert status_of(card) == ("cancelled", "operator", "cancelled")
    assert kinds(card)[-3:] == ["user_input_resolved", "tool_result", "run_cancelled"]
    assert Run.objects.get(pk=card.run_id).reason == "operator"
    assert intervention("cancel_interaction").request == card.public_id


def test_a_cancelled_set_of_questions_lets_the_model_go_on(user: User) -> None:
    model = scripted(asks(ask_questions()), DONE)
    card = make_card(user, model)
    recovery.cancel_interaction(card.public_id, WHY)
    assert status_of(card) == ("cancelled", "operator", "queued")
    assert run_to_rest(card.run, model).status == Run.Status.COMPLETED


def test_with_another_question_open_the_run_goes_on_waiting(user: User) -> None:
    make_run(user)
    run = run_to_rest(Run.objects.get(), scripted(asks(ask_questions("c1"), ask_questions("c2", [{"question": "How?"}])), DONE))
    first, second = run.interactions.order_by("id")
    recovery.cancel_interaction(first.public_id, WHY)
    assert (status_of(first), status_of(second)) == (("cancelled", "operator", "waiting"), ("pending", "", "waiting"))


def test_time_can_be_let_run_out_at_once(user: User) -> None:
    card = make_card(user)
    recovery.expire_interaction(card.public_id, WHY)
    assert status_of(card) == ("expired", "", "cancelled")
    assert ToolResult.objects.get(call=card.call_id).content.startswith('{"status":"expired"')
    intervention("expire_interaction")


def test_a_question_that_never_expires_can_be_let_expire(user: User) -> None:
    card = make_card(user, config={"ask_lifetime": 0})
    recovery.expire_interaction(card.public_id, WHY)
    assert status_of(card)[0] == "expired"


def test_time_can_be_extended(user: User) -> None:
    card = make_card(user, config={"ask_lifetime": 60})
    recovery.extend_interaction(card.public_id, 3600, WHY)
    assert deadline(card) - card.created_at > timedelta(minutes=59)
    assert kinds(card)[-1] == "user_input_updated"
    intervention("extend_interaction")


@pytest.mark.parametrize("seconds", [0, -5])
def test_time_is_not_extended_by_nothing(seconds: int, user: User) -> None:
    card = make_card(user)
    with pytest.raises(HandraiseError, match="whole number"):
        recovery.extend_interaction(card.public_id, seconds, WHY)
    assert not AuditRecord.objects.filter(kind="staff_intervened").exists()


ON_A_QUESTION: list[Callable[[str, str], None]] = [
    recovery.cancel_interaction,
    recovery.expire_interaction,
    lambda ident, why: recovery.extend_interaction(ident, 60, why),
]


@pytest.mark.parametrize("act", ON_A_QUESTION)
@pytest.mark.parametrize("reason", ["", "  \n", "\u200b", "x" * 2001])
def test_nothing_is_done_without_a_reason(act: Callable[[str, str], None], reason: str, user: User) -> None:
    card = make_card(user)
    before = AuditRecord.objects.count()
    with pytest.raises(ReasonMissing):
        act(card.public_id, reason)
    assert status_of(card) == ("pending", "", "waiting")
    assert Interaction.objects.get(pk=card.pk).expires_at == card.expires_at
    assert AuditRecord.objects.count() == before


@pytest.mark.parametrize("act", ON_A_QUESTION)
def test_a_closed_question_is_left_alone(act: Callable[[str, str], None], user: User) -> None:
    card = make_card(user)
    services.abort(user, card.session.public_id)
    with pytest.raises(HandraiseError):
        act(card.public_id, WHY)
    assert status_of(card)[0] == "aborted"
    with pytest.raises(HandraiseError):
        act("ask_unknown", WHY)


# --- runs -----------------------------------------------------------------------------------------
def claimed(user: User) -> Run:
    run = make_run(user)
    assert segments.claim(run.pk, "worker-gone")
    return run


def test_a_run_that_a_worker_holds_is_queued_again_and_its_old_segment_is_over(user: User) -> None:
    run = claimed(user)
    recovery.requeue_run(run.public_id, WHY)
    run.refresh_from_db()
    assert (run.status, Segment.objects.get(run=run).ending) == ("queued", "lost")
    assert run_to_rest(run, scripted(DONE)).status == Run.Status.COMPLETED
    assert intervention("requeue_run").run == run.public_id


def test_a_failed_run_is_queued_again_even_if_it_was_not_to_be_retried(user: User) -> None:
    run = claimed(user)
    recovery.fail_run(run.public_id, WHY)
    Run.objects.filter(pk=run.pk).update(retryable=False)
    recovery.requeue_run(run.public_id, WHY)
    run.refresh_from_db()
    assert (run.status, run.error_code, run.ended_at) == ("queued", "", None)


def test_a_failed_run_is_not_queued_behind_a_later_one(user: User) -> None:
    run = claimed(user)
    recovery.fail_run(run.public_id, WHY)
    make_run(user, session=run.session)
    with pytest.raises(recovery.NotRecoverable):
        recovery.requeue_run(run.public_id, WHY)


def test_a_run_that_waits_for_an_answer_is_not_queued(user: User) -> None:
    card = make_card(user)
    with pytest.raises(recovery.NotRecoverable):
        recovery.requeue_run(card.run.public_id, WHY)
    assert status_of(card) == ("pending", "", "waiting")


def test_a_run_that_waits_for_nothing_any_more_is_queued(user: User) -> None:
    card = make_card(user)
    Interaction.objects.filter(pk=card.pk).update(status="aborted")
    recovery.requeue_run(card.run.public_id, WHY)
    assert status_of(card)[2] == "queued"


@pytest.mark.parametrize("is_held", [True, False])
def test_a_queued_or_running_run_ends_as_failed_with_a_result_for_every_call(is_held: bool, user: User) -> None:
    run = claimed(user) if is_held else make_run(user)
    recovery.fail_run(run.public_id, WHY)
    run.refresh_from_db()
    assert (run.status, run.error_code, run.retryable) == ("failed", "failed_by_operator", True)
    assert not Segment.objects.filter(run=run, ended_at=None).exists()
    assert next(reversed(read_events(run.session_id, 0, 500))).kind == "run_failed"
    intervention("fail_run")
    # Its user may try again.
    assert services.retry(user, run.session.public_id).run.status == Run.Status.QUEUED


def test_a_waiting_run_is_stopped_and_its_question_closed(user: User) -> None:
    card = make_card(user, scripted(asks(ask_user()), DONE))
    recovery.cancel_run(card.run.public_id, WHY)
    assert status_of(card) == ("aborted", "", "cancelled")
    intervention("cancel_run")


@pytest.mark.parametrize("act", [recovery.fail_run, recovery.cancel_run, recovery.requeue_run])
def test_an_ended_or_unknown_run_is_left_alone(act: Callable[[str, str], None], user: User) -> None:
    run = run_to_rest(make_run(user), scripted(DONE))
    for ident in (run.public_id, "run_unknown"):
        with pytest.raises(HandraiseError):
            act(ident, WHY)
    run.refresh_from_db()
    assert run.status == Run.Status.COMPLETED
    assert not AuditRecord.objects.filter(kind="staff_intervened").exists()
