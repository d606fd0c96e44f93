"""Answers: checked, consumed once, and what the run, the events and the audit then say."""

import json

import pytest

from apps.audit.models import AuditRecord
from apps.chat.models import Run, ToolResult
from apps.interactions.answers import InvalidAnswer
from apps.interactions.models import Draft, Interaction
from apps.interactions.submissions import Submission
from apps.runs import services
from apps.runs.errors import AlreadyResolved, Expired, InteractionNotFound, NotResumable, WrongSession
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, TEXT, Desk, ask, ask_questions


def test_an_answer_resumes_the_run_and_the_model_sees_it(desk: Desk) -> None:
    run = desk.asked()
    desk.answer()
    assert desk.drive(run).status == Run.Status.COMPLETED
    sent = desk.model.requests[-1].messages[-1]
    assert json.loads(sent["content"])["customInput"] == "blue"
    assert sent["tool_call_id"] == "k-c1"


def test_events_of_a_round_stand_in_the_order_of_the_contract(desk: Desk) -> None:
    run = desk.asked()
    desk.answer()
    desk.drive(run)
    assert desk.kinds() == [
        "run_started", "tool_call", "usage", "user_input_required", "run_paused",
        "user_input_resolved", "tool_result", "run_resumed", "message", "usage", "run_completed",
    ]  # fmt: skip


def test_h16_the_same_answer_again_is_refused_with_what_was_recorded(desk: Desk) -> None:
    desk.asked()
    card = desk.card()
    desk.answer(card)
    with pytest.raises(AlreadyResolved) as refused:
        desk.answer(card, Submission(custom_input="red"))
    assert refused.value.facts["receipt"]["answer"]["customInput"] == "blue"
    assert ToolResult.objects.count() == 1


def test_a_refusal_leaves_its_record_and_changes_nothing_else(desk: Desk) -> None:
    desk.asked()
    before = desk.events()
    with pytest.raises(InvalidAnswer):
        desk.answer(submission=Submission(custom_input="  "))
    assert desk.events() == before
    record = AuditRecord.objects.get(kind="submission_refused")
    assert record.summary["reason"] == "invalid"


@pytest.mark.parametrize("blank", ["", "   ", "\n", "\u200b"])
def test_h13_silence_is_never_an_answer(desk: Desk, blank: str) -> None:
    run = desk.asked()
    with pytest.raises(InvalidAnswer):
        desk.answer(submission=Submission(selections=(), custom_input=blank))
    run.refresh_from_db()
    assert run.status == Run.Status.WAITING
    desk.answer()
    assert desk.drive(run).status == Run.Status.COMPLETED


def test_h85_a_stranger_learns_nothing_and_the_try_is_on_record(desk: Desk) -> None:
    desk.asked()
    card = desk.card()
    with pytest.raises(InteractionNotFound):
        services.answer(UserFactory(), card.session.public_id, card.public_id, TEXT, "{}")
    assert AuditRecord.objects.get(kind="submission_refused").summary["reason"] == "foreign"
    assert desk.card().status == Interaction.Status.PENDING


def test_an_answer_under_another_session_is_refused_and_both_stay(desk: Desk) -> None:
    desk.asked()
    card = desk.card()
    other = services.make_session(desk.user)
    with pytest.raises(WrongSession):
        services.answer(desk.user, other.public_id, card.public_id, TEXT, "{}")
    assert desk.card() == card


def test_h17_an_answer_moves_only_the_run_that_asked(desk: Desk) -> None:
    first = desk.asked()
    old = desk.card()
    desk.session = ""
    second = desk.asked()
    new = Interaction.objects.get(run=second)
    desk.answer(new)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.status, second.status) == (Run.Status.WAITING, Run.Status.QUEUED)
    assert desk.card() == old


def test_h18_with_two_open_questions_the_run_waits_for_both(transactional_db: None) -> None:
    desk = Desk(UserFactory(), [{"calls": [ask("r1", title="First?"), ask("r2", title="Second?")]}, DONE])
    run = desk.asked()
    first, second = Interaction.objects.order_by("id")
    assert not desk.answer(second).is_last
    assert desk.drive(run).status == Run.Status.WAITING
    assert list(services.interaction_of(desk.user, first.public_id).call.call_id) == list("k-r1")
    assert desk.answer(first).is_last
    assert desk.drive(run).status == Run.Status.COMPLETED
    results = [m["tool_call_id"] for m in desk.model.requests[-1].messages if m["role"] == "tool"]
    assert results == ["k-r1", "k-r2"]


def test_h34_cancelling_a_question_stops_the_run_and_the_model_is_not_called_again(desk: Desk) -> None:
    run = desk.asked()
    desk.answer(submission=Submission(cancelled=True))
    run.refresh_from_db()
    assert (run.status, run.reason) == (Run.Status.CANCELLED, "cancelled_card")
    assert len(desk.model.requests) == 1
    assert json.loads(ToolResult.objects.get().content)["cancelled"] is True


def test_closing_a_set_of_questions_lets_the_model_go_on(transactional_db: None) -> None:
    desk = Desk(UserFactory(), [{"calls": [ask_questions()]}, DONE])
    run = desk.asked()
    desk.answer(submission=Submission(cancelled=True))
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert ToolResult.objects.get().code == "ASK_CANCELLED"


def test_cancelling_one_of_two_questions_closes_the_other_and_keeps_given_answers(transactional_db: None) -> None:
    desk = Desk(UserFactory(), [{"calls": [ask(f"r{n}", title=f"{n}?") for n in (1, 2, 3)]}, DONE])
    desk.asked()
    first, second, third = Interaction.objects.order_by("id")
    desk.answer(first)
    desk.answer(second, Submission(cancelled=True))
    assert [i.status for i in Interaction.objects.order_by("id")] == ["answered", "cancelled", "aborted"]
    assert ToolResult.objects.count() == 3
    assert third.pk


def test_a_draft_goes_with_the_answer(desk: Desk) -> None:
    desk.asked()
    services.save_draft(desk.user, desk.card().public_id, {"customInput": "bl"})
    desk.answer()
    assert not Draft.objects.exists()


def test_a_run_of_a_newer_version_is_not_resumable(desk: Desk) -> None:
    run = desk.asked()
    Run.objects.filter(pk=run.pk).update(state_version=999)
    with pytest.raises(NotResumable):
        desk.answer()
    assert desk.card().status == Interaction.Status.PENDING


def test_an_expired_question_answers_410_with_a_receipt(desk: Desk) -> None:
    desk.asked()
    card = desk.card()
    Interaction.objects.update(expires_at=card.created_at)
    with pytest.raises(Expired) as late:
        desk.answer(card)
    assert late.value.facts["receipt"]["status"] == "expired"


def test_the_audit_tells_who_answered_and_nothing_of_what(desk: Desk) -> None:
    desk.asked()
    desk.answer(submission=Submission(custom_input="token sk-test-1234567890"))
    record = AuditRecord.objects.get(kind="interaction_answered")
    assert record.summary["own_text"] == [24]
    assert "sk-test" not in json.dumps([r.summary for r in AuditRecord.objects.all()])
    assert record.digest


def test_the_accepted_body_is_kept_as_it_was_received(desk: Desk) -> None:
    desk.asked()
    card = desk.card()
    services.answer(desk.user, card.session.public_id, card.public_id, TEXT, '{"customInput":  "blue"}')
    card.refresh_from_db()
    assert card.submission == '{"customInput":  "blue"}'


def test_an_extended_question_stays_open_and_never_gets_shorter(desk: Desk) -> None:
    desk.config = {"ask_lifetime": 600}
    desk.asked()
    before = desk.card().expires_at
    services.extend(desk.user, desk.card().public_id, 60)
    assert desk.card().expires_at == before
    services.extend(desk.user, desk.card().public_id, 3600)
    after = desk.card().expires_at
    assert before is not None
    assert after is not None
    assert after > before
    assert desk.kinds()[-1] == "user_input_updated"
