"""What the list at the side marks, and what stands in the head of a chat."""

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.chat.models import Message
from apps.runs import services
from tests.support.runs import DONE, run_to_rest, scripted
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
