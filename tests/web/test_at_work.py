"""A tool at work says so, marked or not; one that has to wait for something does not."""

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.chat.models import ChatSession, Message, Run, ToolCall, ToolResult
from apps.interactions.models import Interaction
from apps.runs.capabilities import Chat
from apps.web import timeline
from tests.support.loop import Counting
from tests.support.runs import DONE, asks
from tests.support.tools import Sending, mounted_in_chat, send
from tests.web.conftest import Say, address

Working = Callable[..., ChatSession]


@pytest.fixture
def working(say: Say, monkeypatch: pytest.MonkeyPatch) -> Working:
    """Return a function that begins a chat whose worker has just taken up the calls of a turn."""
    own_tools = Chat.tools
    monkeypatch.setattr(Chat, "tools", lambda chat: (*own_tools(chat), Counting(idempotent=True)))

    def begin(count: int = 1) -> ChatSession:
        calls = [{"id": f"c{n}", "name": "count", "arguments": {"n": n}} for n in range(count)]
        session = say(asks(*calls), DONE).session
        as_it_was(session)
        return session

    return begin


def as_it_was(session: ChatSession) -> None:
    """Take back what the worker has stored since it took up the turn."""
    ToolResult.objects.filter(call__run__session=session).delete()
    ToolCall.objects.filter(run__session=session).update(started_at=None)
    Message.objects.filter(run__session=session, final=True).delete()
    Run.objects.filter(session=session).update(status=Run.Status.RUNNING, ended_at=None)


def states(browser: Client, session: ChatSession) -> list[str]:
    """Return the states of the tools' rows."""
    return re.findall(r'class="tool tool-(\w+)"', browser.get(f"/s/{session.public_id}/").content.decode())


def test_a_tool_that_may_run_twice_is_seen_at_work_without_a_mark(browser: Client, working: Working) -> None:
    session = working(2)
    assert states(browser, session) == ["running", "running"]
    Run.objects.filter(session=session).update(status=Run.Status.QUEUED)
    assert states(browser, session) == ["queued", "queued"]


def test_a_tool_that_asks_first_is_not_called_running_before_it_may(browser: Client, working: Working) -> None:
    session = working()
    ChatSession.objects.filter(pk=session.pk).update(tools={"count": "ask"})
    assert states(browser, session) == ["queued"]


def test_of_what_was_allowed_one_runs_at_a_time(browser: Client, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    mounted_in_chat(Sending(), monkeypatch)
    session = say(asks(send("s1"), send("s2", "again")), DONE).session
    for card in Interaction.objects.filter(session=session):
        browser.post(address(card), {"decision": "approve"})
    as_it_was(session)
    assert states(browser, session) == ["running", "queued"]


def test_a_run_of_a_capability_that_is_gone_can_still_be_looked_at(browser: Client, working: Working) -> None:
    session = working()
    Run.objects.filter(session=session).update(capability="gone")
    assert states(browser, session) == ["queued"]


def test_many_tools_at_work_take_as_many_queries_as_one(working: Working) -> None:
    counts = []
    for session in (working(1), working(5)):
        with CaptureQueriesContext(connection) as queries:
            timeline.latest(session)
        counts.append(len(queries))
    assert counts[0] == counts[1]
