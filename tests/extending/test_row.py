"""A call drawn by the row of the page."""

from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.test import Client

from apps.chat.models import ChatSession
from apps.runs.erasing import erase_session
from tests.extending.conftest import Example, block, count
from tests.support.runs import DONE, asks
from tests.web.conftest import Say

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _added(example: Example, days_between: Any, settings: LazySettings, tmp_path: Path) -> None:
    (tmp_path / "rows").mkdir()
    (tmp_path / "rows" / "_days.html").write_text(block("A timeline row", "html"), encoding="utf-8")
    (engine,) = settings.TEMPLATES
    settings.TEMPLATES = [engine | {"DIRS": [*engine["DIRS"], tmp_path]}]
    example("A timeline row")


def timeline_of(browser: Client, session: ChatSession, language: str = "en") -> str:
    page = browser.get(f"/s/{session.public_id}/", headers={"Accept-Language": language}).content.decode()
    return page.split('id="timeline"')[1].split("</ol>")[0]


@pytest.mark.parametrize(("language", "words"), [("en", "41 days"), ("zh-hans", "41 天数")])
def test_it_shows_what_the_tool_found_in_the_readers_language(browser: Client, say: Say, language: str, words: str) -> None:
    rows = timeline_of(browser, say(asks(count()), DONE).session, language)
    assert words in rows
    assert "2026-03-01" not in rows


def test_a_call_that_failed_says_so(browser: Client, say: Say) -> None:
    assert "days_between · failed" in timeline_of(browser, say(asks(count(last="soon")), DONE).session)


def test_nothing_is_left_of_it_after_an_erasure(browser: Client, say: Say) -> None:
    session = say(asks(count()), DONE).session
    erase_session(session)
    rows = timeline_of(browser, session)
    assert "Arguments and result were erased." in rows
    assert "41 " not in rows


def test_other_tools_keep_the_usual_row(browser: Client, say: Say) -> None:
    other = {"id": "t1", "name": "no_such_tool", "arguments": {"x": "shown"}}
    assert "shown" in timeline_of(browser, say(asks(other), DONE).session)
