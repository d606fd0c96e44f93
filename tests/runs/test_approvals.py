"""Approvals: a tool whose policy is `ask` starts when its user has allowed this very call, and not before."""

import json
from typing import Any

import pytest

from apps.chat.models import Run, ToolResult
from apps.interactions.submissions import Submission
from apps.runs.capabilities import Chat
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk
from tests.support.tools import Sending, send

APPROVE, DENY = Submission(decision="approve"), Submission(decision="deny", feedback="Not today.")


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Mount a tool that sends."""
    made, own_tools = Sending(), Chat.tools
    monkeypatch.setattr(Chat, "tools", lambda chat: (*own_tools(chat), made))
    return made


@pytest.fixture
def desk(transactional_db: None, tool: Sending) -> Desk:
    """A user whose model sends something and then is done."""
    return Desk(UserFactory(), [{"calls": [send()]}, DONE])


def content(run: Run, ident: str = "s1") -> dict[str, Any]:
    """Return the result of a call as the model reads it."""
    return dict(json.loads(ToolResult.objects.get(call__run=run, call__call_id__endswith=ident).content))


def test_a_call_waits_for_its_user_and_the_tool_has_not_started(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    (card,) = [event.data for event in desk.events() if event.kind == "user_input_required"]
    assert (card["kind"], card["mode"], card["title"]) == ("approval", "approval", "send")
    assert json.loads(card["detail"]) == {"text": "hello"}
    assert tool.sent == []
    assert not ToolResult.objects.filter(call__run=run).exists()


def test_an_allowed_call_runs_once_and_its_result_is_the_tools_own(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    desk.answer(desk.card(), APPROVE)
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert tool.sent == ["hello"]
    assert content(run) == {"status": "sent"}
    kinds = desk.kinds()
    tail = ["user_input_resolved", "run_resumed", "tool_result", "message", "usage", "run_completed"]
    assert kinds[kinds.index("user_input_resolved") :] == tail


def test_a_denied_call_gets_the_users_words_and_the_run_goes_on(desk: Desk, tool: Sending) -> None:
    run = desk.asked()
    desk.answer(desk.card(), DENY)
    assert desk.drive(run).status == Run.Status.COMPLETED
    assert tool.sent == []
    result = content(run)
    assert (result["status"], result["code"], result["reason"]) == ("denied", "APPROVAL_DENIED", "user")
    assert result["feedback"] == "Not today."
