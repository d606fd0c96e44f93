"""A delegated run in the timeline: nested below its call, in a number of queries that does not grow."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.chat.models import ChatSession
from apps.providers.scripted import ScriptedModel
from apps.runs.capabilities import Chat
from apps.web import timeline
from tests.support.loop import Counting
from tests.support.runs import DONE, asks
from tests.web.conftest import Say

pytestmark = pytest.mark.django_db


def give_away(number: int) -> dict[str, object]:
    return {"id": f"d{number}", "name": "delegate", "arguments": {"task": f"Do it. [[child#{number}]]"}}


@pytest.fixture
def said(say: Say, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Return a function that gives so many tasks away; each works once, tries to ask, and is done."""
    own_tools = Chat.tools
    monkeypatch.setattr(Chat, "tools", lambda chat: (*own_tools(chat), Counting()))
    child = [
        asks(
            {"id": "w", "name": "count", "arguments": {}},
            {"id": "q", "name": "ask_user", "arguments": {"title": "Q?", "mode": "text"}},
        )
    ]

    def send(count: int) -> ChatSession:
        parent = [asks(*map(give_away, range(count))), DONE]
        model = ScriptedModel({"s": parent, "child": [*child, {"text": "The delegated text."}]})
        return say(model=model, message="Help [[s#p]]").session

    return send


def test_the_tools_of_a_delegated_run_are_nested_and_its_messages_are_no_rows(said: Say, browser: Client) -> None:
    html = browser.get(f"/s/{said(1).public_id}/").content.decode()
    nested = re.search(r'<ol class="tool-nested">(.*?)</ol>', html, re.DOTALL)
    assert nested is not None
    assert "count" in nested[1]
    assert "DELEGATED_CALLER" in nested[1]
    assert html.count('class="row row-agent"') == 1


def test_many_delegated_runs_take_as_many_queries_as_one(said: Say) -> None:
    counts = []
    for session in (said(1), said(6)):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            timeline.latest(session)
        counts.append(len(queries))
    assert counts[0] == counts[1]
