"""Retention of what people said to a call that waited to be allowed: it goes wherever it was copied, however the run ended."""

import json
from datetime import timedelta
from typing import Any

import pytest

from apps.audit.retention import set_retention
from apps.audit.verdict import audit_faults
from apps.chat.models import Message, Run, ToolResult
from apps.common.clock import database_now
from apps.interactions.events import receipt, with_owners
from apps.interactions.models import Interaction
from apps.interactions.submissions import Submission
from apps.runs import purging, services
from apps.runs.purging import purge
from apps.runs.records import chain_keys, evidence_of
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk
from tests.runs.test_evidence import check
from tests.support.tools import Sending, mounted_in_chat, send

APPROVE = Submission(decision="approve", feedback="Secret words.")


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Mount a tool that sends."""
    return mounted_in_chat(Sending(), monkeypatch)


@pytest.fixture
def desk(transactional_db: None, tool: Sending) -> Desk:
    """A user whose model sends something; their answers are kept for sixty days."""
    set_retention("answers", 60)
    return Desk(UserFactory(), [{"calls": [send()]}, DONE])


def make_old(**changes: Any) -> None:
    """Let all that has ended have done so before the time that answers are kept."""
    ago = database_now() - timedelta(days=61)
    Run.objects.update(ended_at=ago, **changes)
    Interaction.objects.update(resolved_at=ago)


def texts() -> str:
    """Return every text that may hold what was said to a call, and what is told of it."""
    rows = [*Message.objects.values("text"), *ToolResult.objects.values("content")]
    rows += Interaction.objects.values("submission", "salt", "decision")
    return json.dumps([*rows, *map(receipt, with_owners())])


def test_feedback_goes_with_the_answer_and_the_note_that_told_the_model(desk: Desk) -> None:
    run = desk.asked()
    desk.answer(submission=APPROVE)
    desk.drive(run)
    assert texts().count("Secret words.") > 2
    make_old()
    assert purge()["answers"] == 1
    assert "Secret" not in texts()
    assert {fault.problem for fault in audit_faults()} == {"end"}  # the row was put into the past


def test_a_later_run_still_knows_what_was_written_in_one_whose_answers_went(desk: Desk) -> None:
    run = desk.asked()
    desk.answer(submission=APPROVE)
    desk.drive(run)
    make_old()
    purge()
    desk.drive(desk.say("and now? [[s#later]]"))
    written = [message["content"] for message in desk.model.requests[-1].messages if message["role"] == "user"]
    assert written == ["hello [[s#k]]", "and now? [[s#later]]"]


def test_feedback_to_a_call_whose_run_failed_before_its_result_goes_too(desk: Desk) -> None:
    desk.asked()
    desk.answer(submission=APPROVE)
    make_old(status=Run.Status.FAILED)
    assert purge()["answers"] == 1
    assert "Secret" not in texts()
    told = receipt(with_owners().get())
    assert (told["answer"], told["erased"]) == (None, True)
    assert purge()["answers"] == 0


def test_both_cards_of_one_call_go_in_whatever_batches(desk: Desk, tool: Sending, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purging, "AT_ONCE", 1)
    run = desk.asked()
    desk.answer(submission=APPROVE)
    tool.about = "Sends to everybody."
    desk.drive(run)
    desk.answer(submission=APPROVE)
    desk.drive(run)
    make_old()
    assert purge(dry_run=True)["answers"] == 2
    assert purge()["answers"] == 2
    assert "Secret" not in texts()


def test_a_run_that_is_tried_again_after_its_answers_went_leaves_the_audit_sound(desk: Desk) -> None:
    run = desk.asked()
    desk.answer(submission=APPROVE)
    closed_at = Interaction.objects.get().resolved_at
    make_old(status=Run.Status.FAILED, retryable=True)
    purge()
    Interaction.objects.update(resolved_at=closed_at)
    services.retry(desk.user, desk.session)
    desk.drive(run)
    desk.answer(desk.card(), APPROVE)
    assert desk.drive(run).status == Run.Status.COMPLETED
    first, second = map(receipt, with_owners().order_by("id"))
    assert (first["answer"], first["erased"], second["answer"]["decision"]) == (None, True, "approve")
    assert audit_faults() == []
    assert check(evidence_of(run.session), chain_keys(run.session.public_id)) == []
