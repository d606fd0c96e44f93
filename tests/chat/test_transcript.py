"""Rows become the state they were written from, in this version and from every earlier one."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from apps.agent.machine import next_step
from apps.agent.state import SCHEMA_VERSION, is_readable
from apps.agent.steps import CallModel
from apps.chat.models import ChatSession, Message, Run, ToolCall, ToolResult, call_key
from apps.chat.transcript import earlier_messages, read_run
from apps.common.clock import database_now
from apps.runs.loading import load
from tests.factories.accounts import UserFactory

pytestmark = pytest.mark.django_db
SAMPLES = sorted(Path(__file__).with_name("samples").glob("run_v*.json"))


def stored(sample: dict[str, Any], session: ChatSession | None = None, **parts: Any) -> Run:
    """Write a sample's rows."""
    now = database_now()
    session = session or ChatSession.objects.create(user=UserFactory())
    run = Run.objects.create(session=session, state_version=sample["state_version"], **parts)
    for row in sample["messages"]:
        calls = row.get("calls", [])
        message = Message.objects.create(run=run, created_at=now, **{k: v for k, v in row.items() if k != "calls"})
        for call in calls:
            made = ToolCall.objects.create(
                run=run, message=message, key=call["call_id"], call_id=call["call_id"], name=call["name"],
                arguments=call["arguments"], extras=call.get("extras"),
            )  # fmt: skip
            ToolResult.objects.create(
                call=made, content=call["content"], is_error=call.get("is_error", False), code=call.get("code", ""),
                created_at=now,
            )  # fmt: skip
    return run


def test_there_is_a_sample_of_every_version() -> None:
    assert [int(path.stem.removeprefix("run_v")) for path in SAMPLES] == list(range(1, SCHEMA_VERSION + 1))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_h40_h43_h44_a_stored_run_reads_back_as_the_request_it_was(path: Path) -> None:
    sample = json.loads(path.read_text("utf-8"))
    state = load(stored(sample, status="running"), 1).state
    assert state.messages[1:] == sample["expected"]
    assert next_step(state) == CallModel()


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_an_earlier_run_is_shown_to_later_ones_as_it_was(path: Path) -> None:
    sample = json.loads(path.read_text("utf-8"))
    session = ChatSession.objects.create(user=UserFactory())
    stored(sample, session, status="completed")
    later = Run.objects.create(session=session)
    assert earlier_messages(later, 10_000) == [sample["expected"]]


def test_newer_forms_are_refused() -> None:
    assert is_readable(SCHEMA_VERSION)
    assert not is_readable(SCHEMA_VERSION + 1)


def test_calls_without_a_result_are_named() -> None:
    sample = json.loads(SAMPLES[0].read_text("utf-8"))
    run = stored(sample)
    ToolResult.objects.filter(call__call_id="call_2").delete()
    assert list(read_run(run.pk, {}).unanswered) == ["call_2"]


def test_earlier_runs_are_read_only_as_far_back_as_the_request_can_hold() -> None:
    session = ChatSession.objects.create(user=UserFactory())
    for _ in range(45):
        stored({"state_version": 1, "messages": [{"role": "user", "text": "x" * 100}]}, session, status="completed")
    later = Run.objects.create(session=session)
    assert len(earlier_messages(later, 1_000)) == 20
    assert len(earlier_messages(later, 10**6)) == 45


def test_h33_a_call_never_gets_a_second_result() -> None:
    run = stored(json.loads(SAMPLES[0].read_text("utf-8")))
    call = run.calls.first()
    with pytest.raises(IntegrityError), transaction.atomic():
        ToolResult.objects.create(call=call, content="{}", created_at=database_now())


def test_a_session_never_has_two_active_runs() -> None:
    run = Run.objects.create(session=ChatSession.objects.create(user=UserFactory()))
    with pytest.raises(IntegrityError), transaction.atomic():
        Run.objects.create(session=run.session)


def test_call_ids_of_any_length_are_kept_and_told_apart() -> None:
    long, other = "z" * 3000, "z" * 2999 + "y"
    assert call_key("call_1") == "call_1"
    assert call_key(long) != call_key(other)
    assert len(call_key(long)) <= 100
