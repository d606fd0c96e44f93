"""Ends of a run that nobody answered: expiry, abort, supersede, retry, deletion."""

import json
import time

import pytest

from apps.audit.models import AuditRecord
from apps.chat.models import ChatSession, Message, Run, ToolResult
from apps.events.live import RunningText
from apps.events.models import Event, PartialText
from apps.events.partial import write_first
from apps.interactions.models import Interaction
from apps.providers.scripted import ScriptedModel
from apps.runs import services
from apps.runs.errors import InteractionPending, NotFound, NotRetryable, RunActive
from apps.runs.expiry import expire_due
from apps.runs.selectors import pending_of
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk, ask, ask_questions


def overdue() -> None:
    Interaction.objects.filter(status="pending").update(expires_at="2020-01-01T00:00:00Z")


def test_h14_silence_ends_the_run_and_chooses_nothing(transactional_db: None) -> None:
    options = [{"id": "safe", "label": "Safe", "recommended": True}, {"id": "x", "label": "X"}]
    desk = Desk(UserFactory(), [{"calls": [ask(mode="single", options=options)]}, DONE])
    run = desk.asked()
    overdue()
    assert expire_due() == 1
    run.refresh_from_db()
    result = json.loads(ToolResult.objects.get().content)
    assert (run.status, run.reason) == (Run.Status.CANCELLED, "timeout")
    assert (result["status"], result["selections"], result["answeredBy"]) == ("expired", [], "timeout")
    assert AuditRecord.objects.filter(kind="interaction_expired").count() == 1


def test_h20_without_a_sweep_an_overdue_question_is_not_offered(desk: Desk) -> None:
    desk.asked()
    overdue()
    assert not pending_of(desk.user).exists()
    assert Interaction.objects.get().status == Interaction.Status.PENDING


def test_expired_questions_let_the_model_go_on_by_default(transactional_db: None) -> None:
    desk = Desk(UserFactory(), [{"calls": [ask_questions()]}, DONE])
    run = desk.asked()
    overdue()
    expire_due()
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert ToolResult.objects.get().code == "ASK_EXPIRED"


def test_on_timeout_of_the_run_overrides_the_default(desk: Desk) -> None:
    desk.config = {"on_timeout": "continue"}
    run = desk.asked()
    overdue()
    expire_due()
    assert desk.drive(run).status == Run.Status.COMPLETED


def test_a_lifetime_of_zero_never_expires(desk: Desk) -> None:
    desk.config = {"ask_lifetime": 0}
    desk.asked()
    assert desk.card().expires_at is None


def test_a_new_message_after_the_deadline_does_not_meet_the_old_question(desk: Desk) -> None:
    first = desk.asked()
    overdue()
    desk.say("again [[s#k2]]")
    first.refresh_from_db()
    assert first.status == Run.Status.CANCELLED


def test_h32_a_message_while_a_question_is_open_is_refused_and_the_card_stays(desk: Desk) -> None:
    desk.asked()
    with pytest.raises(InteractionPending) as refused:
        desk.say("never mind, what is the time?")
    assert refused.value.facts["pending"] == [desk.card().public_id]


def test_h25_reply_in_chat_closes_the_question_in_one_transaction_with_the_new_run(desk: Desk) -> None:
    first = desk.asked()
    second = desk.say("let me explain [[s#k2]]", on_pending="supersede")
    first.refresh_from_db()
    assert (first.status, first.reason) == (Run.Status.CANCELLED, "superseded")
    assert json.loads(ToolResult.objects.get().content)["reason"] == "reply_in_chat"
    assert desk.kinds()[-4:] == ["user_input_resolved", "tool_result", "run_cancelled", "run_started"]
    moments = {event.at for event in Event.objects.order_by("-seq")[:4]}
    assert len(moments) == 1
    desk.drive(second)
    assert "reply_in_chat" in str(desk.model.requests[-1].messages)


def test_a_message_while_a_run_is_at_work_is_refused(desk: Desk) -> None:
    desk.say()
    with pytest.raises(RunActive):
        desk.say("again")


def test_h26_abort_closes_every_card_and_a_new_message_starts_at_once(transactional_db: None) -> None:
    desk = Desk(UserFactory(), [{"calls": [ask("r1", title="1?"), ask_questions("r2", "2?", "3?")]}, DONE])
    run = desk.asked()
    services.abort(desk.user, desk.session)
    run.refresh_from_db()
    assert (run.status, run.reason) == (Run.Status.CANCELLED, "user")
    assert [i.status for i in Interaction.objects.all()] == ["aborted", "aborted"]
    assert desk.say("next [[s#k2]]").status == Run.Status.QUEUED


def test_abort_of_an_idle_session_does_nothing(desk: Desk) -> None:
    session = services.make_session(desk.user)
    assert services.abort(desk.user, session.public_id).run is None


def test_a_lost_segment_writes_nothing_after_an_abort(desk: Desk) -> None:
    from apps.runs import segments

    run = desk.say()
    claimed = segments.claim(run.pk, "w")
    services.abort(desk.user, desk.session)
    before = Message.objects.count()
    import asyncio

    from tests.runs.conftest import _execute

    assert claimed is not None
    asyncio.run(_execute(claimed, desk.model))
    assert Message.objects.count() == before
    run.refresh_from_db()
    assert run.status == Run.Status.CANCELLED


def test_text_streamed_before_an_abort_is_kept_as_an_interrupted_message(desk: Desk) -> None:
    run = desk.say()
    from apps.runs import segments

    segments.claim(run.pk, "w")
    session = ChatSession.objects.get()
    write_first(session.pk, RunningText(run.pk, "msg_x", "Half a sen"))
    services.abort(desk.user, desk.session)
    kept = Message.objects.get(public_id="msg_x")
    assert (kept.text, kept.finish, kept.final) == ("Half a sen", "interrupted", False)
    assert not PartialText.objects.exists()


def test_a_failed_run_that_may_pass_goes_on_from_its_rows(transactional_db: None) -> None:
    fault = {"kind": "status", "status": 503, "times": 1}
    desk = Desk(UserFactory(), [{"calls": [ask()]}, DONE | {"fault": fault}])
    run = desk.asked()
    desk.answer()
    desk.drive(run)
    if run.status == Run.Status.COMPLETED:  # this script's model does not play faults: fail it by hand
        Run.objects.filter(pk=run.pk).update(status="failed", retryable=True)
    assert services.retry(desk.user, desk.session).run.status == Run.Status.QUEUED
    assert AuditRecord.objects.get(kind="run_retried").run == run.public_id
    assert ToolResult.objects.count() == 1


def test_a_run_that_did_not_fail_is_not_retried(desk: Desk) -> None:
    desk.drive(desk.say())
    desk.answer()
    desk.drive(Run.objects.get())
    with pytest.raises(NotRetryable):
        services.retry(desk.user, desk.session)


def test_a_deleted_session_leaves_its_trail_and_nothing_else(desk: Desk) -> None:
    desk.asked()
    services.delete_session(desk.user, desk.session)
    assert not ChatSession.objects.exists()
    assert not Event.objects.exists()
    kinds = set(AuditRecord.objects.values_list("kind", flat=True))
    assert {"run_started", "interaction_requested", "run_cancelled", "session_deleted"} <= kinds
    with pytest.raises(NotFound):
        services.session_of(desk.user, desk.session)


def test_a_model_that_fails_fails_the_run_with_a_code(transactional_db: None) -> None:
    from collections.abc import AsyncGenerator
    from typing import Any

    from apps.agent.model import ModelError

    class Dead(ScriptedModel):
        async def stream(self, request: Any) -> AsyncGenerator[Any]:
            raise ModelError("model_denied", "The model refused the key.", retryable=False)
            yield

    desk = Desk(UserFactory())
    desk.model = Dead({"s": [DONE]})
    run = desk.drive(desk.say())
    assert (run.status, run.error_code, run.retryable) == (Run.Status.FAILED, "model_denied", False)
    assert desk.events()[-1].data["code"] == "model_denied"


def test_a_fault_of_ours_ends_the_run_with_a_reason_and_no_text_in_the_log(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    from collections.abc import AsyncGenerator
    from typing import Any

    class Broken(ScriptedModel):
        async def stream(self, request: Any) -> AsyncGenerator[Any]:
            raise ZeroDivisionError("MY-SECRET-42")
            yield

    desk.model = Broken({"s": [DONE]})
    run = desk.drive(desk.say())
    assert (run.status, run.error_code) == (Run.Status.FAILED, "internal")
    assert "MY-SECRET-42" not in caplog.text


def test_expiry_is_the_clocks_and_not_the_sweeps(desk: Desk) -> None:
    desk.config = {"ask_lifetime": 1}
    desk.asked()
    time.sleep(1.05)
    from apps.runs.errors import Expired

    with pytest.raises(Expired):
        desk.answer(Interaction.objects.select_related("session").get())
