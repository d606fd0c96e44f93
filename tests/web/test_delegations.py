"""A delegated run in the timeline: nested below its call, in a number of queries that does not grow."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.chat.models import ChatSession, ToolResult
from apps.providers.scripted import ScriptedModel
from apps.runs.capabilities import Chat
from apps.runs.erasing import erase_session
from apps.web import timeline
from tests.support.loop import Counting
from tests.support.runs import DONE, asks
from tests.web.conftest import Say

pytestmark = pytest.mark.django_db


def give_away(number: int) -> dict[str, object]:
    return {"id": f"d{number}", "name": "delegate", "arguments": {"task": f"Do it. [[child#{number}]]"}}


@pytest.fixture
def said(say: Say, monkeypatch: pytest.MonkeyPatch) -> Say:
    """Return a function that gives so many tasks away; each works so many times, tries to ask, and is done."""
    own_tools = Chat.tools
    monkeypatch.setattr(Chat, "tools", lambda chat: (*own_tools(chat), Counting()))

    def send(count: int, works: int = 1, letters: int = 1) -> ChatSession:
        work = [{"id": f"w{number}", "name": "count", "arguments": {"why": "w" * letters}} for number in range(works)]
        child = [asks(*work, {"id": "q", "name": "ask_user", "arguments": {"title": "Q?", "mode": "text"}})]
        parent = [asks(*map(give_away, range(count))), DONE]
        model = ScriptedModel({"s": parent, "child": [*child, {"text": "The delegated text."}]})
        return say(model=model, message="Help [[s#p]]").session

    return send


def nested_in(html: str) -> str:
    found = re.search(r'<ol class="tool-nested">(.*?)</ol>', html, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_tools_of_a_delegated_run_are_nested_and_its_messages_are_no_rows(said: Say, browser: Client) -> None:
    html = browser.get(f"/s/{said(1).public_id}/").content.decode()
    nested = nested_in(html)
    assert "count" in nested
    assert "DELEGATED_CALLER" in nested
    assert html.count('class="row row-agent"') == 1


def test_a_nested_tool_shows_its_state_and_opened_its_arguments_and_its_result(said: Say, browser: Client) -> None:
    worked, asked = nested_in(browser.get(f"/s/{said(1).public_id}/").content.decode()).split("<li>")[1:]
    assert [re.findall(r"tool-state\">(\w+)\s*<", each) for each in (worked, asked)] == [["done"], ["failed"]]
    assert "&quot;why&quot;: &quot;w&quot;" in worked
    assert worked.count("<details") == worked.count(">Arguments<") == worked.count(">Result<") == 1


def test_a_nested_tool_with_long_arguments_shows_their_beginning_and_gives_them_out_whole(said: Say, browser: Client) -> None:
    html = nested_in(browser.get(f"/s/{said(1, letters=9000).public_id}/").content.decode())
    assert "w" * 1000 in html
    assert "w" * 9000 not in html
    address = re.search(r'href="([^"]+\?part=arguments)"', html)
    assert address is not None
    assert "w" * 9000 in browser.get(address[1]).content.decode()


def test_erased_words_of_a_nested_tool_are_gone(said: Say, browser: Client) -> None:
    session = said(1)
    erase_session(session)
    html = nested_in(browser.get(f"/s/{session.public_id}/").content.decode())
    assert html.count("Arguments and result were erased.") == 2
    assert "why" not in html


def test_a_row_is_drawn_anew_when_a_nested_tool_has_its_result(said: Say) -> None:
    session = said(1)
    (row,) = [row for row in timeline.latest(session).rows if row.kind == "tool"]
    result = ToolResult.objects.filter(call__name="count").get()
    result.delete()
    (before,) = [row for row in timeline.latest(session).rows if row.kind == "tool"]
    assert before.revision != row.revision


def test_many_delegated_runs_take_as_many_queries_as_one(said: Say) -> None:
    counts = []
    for session in (said(1), said(6, works=3)):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            timeline.latest(session)
        counts.append(len(queries))
    assert counts[0] == counts[1]
