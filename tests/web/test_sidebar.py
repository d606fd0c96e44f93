"""What the list at the side marks, and what stands in the head of a chat."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.chat.models import Message
from apps.runs import services
from apps.web import sidebar
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted
from tests.web.conftest import HTMX, Ask, Say

MARK = "is-unread"


def side(browser: Client, current: str = "") -> str:
    """Return the list at the side, as a page of the session `current` shows it."""
    return browser.get(f"/sidebar/?current={current}").content.decode()


def test_a_run_that_ended_unseen_marks_its_chat_until_it_is_opened(browser: Client, say: Say) -> None:
    session = say(DONE).session
    assert side(browser).count(MARK) == 1
    assert "New:" in side(browser)
    assert MARK not in side(browser, session.public_id)
    browser.get(f"/s/{session.public_id}/")
    assert MARK not in side(browser)
    say(DONE, session=session.public_id)
    assert MARK in side(browser)


def test_what_comes_while_a_chat_is_open_is_seen_with_its_fragments(browser: Client, say: Say) -> None:
    session = say(DONE).session
    browser.get(f"/s/{session.public_id}/live/", headers=HTMX)
    assert MARK not in side(browser)


def test_looking_at_a_chat_that_is_still_at_work_leaves_its_end_to_be_marked(browser: Client, user: User) -> None:
    started = services.start_run(user, services.NewRun("Help me"))
    browser.get(f"/s/{started.session.public_id}/")
    run_to_rest(started.run, scripted(DONE))
    assert MARK in side(browser)


def test_a_look_at_one_chat_leaves_another_marked(browser: Client, say: Say) -> None:
    first, _second = say(DONE).session, say(DONE).session
    browser.get(f"/s/{first.public_id}/")
    assert side(browser).count(MARK) == 1


def test_the_side_costs_as_many_queries_with_many_chats_as_with_one(browser: Client, say: Say) -> None:
    say(DONE)
    with CaptureQueriesContext(connection) as few:
        side(browser)
    for _chat in range(5):
        say(DONE)
    with CaptureQueriesContext(connection) as many:
        side(browser)
    assert len(many) == len(few)


def test_the_head_adds_up_the_tokens_of_all_runs(browser: Client, say: Say) -> None:
    session = say(DONE).session
    say(DONE, session=session.public_id)
    Message.objects.filter(role="assistant").update(input_tokens=1200, output_tokens=34)
    page = browser.get(f"/s/{session.public_id}/").content.decode()
    assert "2,468 tokens" in page
    assert "2,400 read, 68 written" in page
    fragments = browser.get(f"/s/{session.public_id}/live/", headers=HTMX).content.decode()
    assert 'id="session-tokens" data-revision="2468"' in fragments


def test_a_model_that_counts_no_tokens_shows_none(browser: Client, ask: Ask) -> None:
    row = ask()
    Message.objects.update(input_tokens=0, output_tokens=0)
    page = browser.get(f"/s/{row.session.public_id}/").content.decode()
    assert page.split('id="session-tokens"')[1].split(">")[0].endswith(" hidden")


# --- what needs you --------------------------------------------------------------------------------------


def needs_you(browser: Client, language: str = "en") -> list[str]:
    """Return where the links of the group lead, in their order; none of them if there is no such group."""
    page = browser.get("/sidebar/", headers={"Accept-Language": language}).content.decode()
    heading = {"en": "Needs you", "zh-hans": "需要您"}[language]
    group = page.partition(f"<h2>{heading}</h2>")[2].partition("<h2>")[0].partition("</div>")[0]
    return re.findall(r'href="([^"]*)"', group)


def test_a_chat_with_many_questions_leaves_the_others_their_places(
    browser: Client, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sidebar, "LISTED", 2)
    started = [say(asks(ask_user("a"), ask_user("b"))), say(asks(ask_user()))]
    assert set(needs_you(browser)) == {f"/s/{each.session.public_id}/" for each in started}


def test_the_chat_that_asked_last_keeps_its_place_at_the_side(browser: Client, ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sidebar, "LISTED", 2)
    rows = [ask(), ask(), ask()]
    newest_first = [f"/s/{row.session.public_id}/" for row in reversed(rows)]
    assert needs_you(browser) == [*newest_first[:2], "/inbox/"]


@pytest.mark.parametrize(("language", "words"), [("en", "More that need you"), ("zh-hans", "更多需要您的对话")])
def test_what_does_not_fit_the_side_is_one_link_away(
    browser: Client, ask: Ask, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    monkeypatch.setattr(sidebar, "LISTED", 2)
    rows = [ask(), ask()]
    with CaptureQueriesContext(connection) as few:
        assert "/inbox/" not in needs_you(browser, language)
    rows.append(ask())
    with CaptureQueriesContext(connection) as many:
        assert needs_you(browser, language)[-1] == "/inbox/"
    assert len(many) == len(few)
    assert words in browser.get("/sidebar/", headers={"Accept-Language": language}).content.decode()
    inbox = browser.get("/inbox/").content.decode()
    assert all(f"/q/{row.public_id}/" in inbox for row in rows)
