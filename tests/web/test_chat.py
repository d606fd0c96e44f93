"""The chat page and what is sent from it."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.audit.models import AuditRecord
from apps.chat.models import ChatSession, Message, Run
from apps.interactions.models import Interaction
from apps.runs import services
from apps.web import drawing
from apps.web.chats import Dock, dock_of
from apps.web.timeline import PAGE
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted
from tests.web.conftest import HTMX, Ask, Say, address, page_of


def test_the_first_page_leads_to_the_newest_session(browser: Client, say: Say) -> None:
    started = say(DONE)
    assert browser.get("/")["Location"] == f"/s/{started.session.public_id}/"


def test_without_a_session_the_first_page_offers_three_examples(browser: Client) -> None:
    assert browser.get("/").content.decode().count('class="example"') == 3


def test_an_example_begins_a_chat(browser: Client) -> None:
    answer = browser.post("/new/", {"message": "solve x^2+1=0"})
    session = ChatSession.objects.get()
    assert (answer.status_code, answer["Location"]) == (303, f"/s/{session.public_id}/")
    assert "solve x^2+1=0" in browser.get(answer["Location"]).content.decode()


def test_a_blank_message_is_refused_in_words(browser: Client) -> None:
    answer = browser.post("/new/", {"message": " \u200b "})
    assert answer.status_code == 422
    assert "Write a message first." in answer.content.decode()


def test_the_card_stands_in_the_first_html_answer_h56(browser: Client, ask: Ask) -> None:
    row = ask(title="Which colour?")
    page = page_of(browser, row)
    assert f'data-request="{row.public_id}"' in page
    assert 'data-face="card"' in page
    assert "Waiting for your answer" in page


def test_a_run_that_pauses_while_its_page_is_drawn_never_waits_without_a_card(
    browser: Client, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = services.start_run(user, services.NewRun("Help me"))

    def look_and_let_it_pause(*given: object) -> Dock:
        dock = dock_of(*given)  # type: ignore[arg-type]
        run_to_rest(started.run, scripted(asks(ask_user())))
        return dock

    monkeypatch.setattr(drawing, "dock_of", look_and_let_it_pause)
    page = browser.get(f"/s/{started.session.public_id}/").content.decode()
    assert 'data-state="running"' in page or 'data-state="queued"' in page
    assert 'http-equiv="refresh"' in page


def test_another_session_shows_no_card_h57(browser: Client, ask: Ask, say: Say) -> None:
    row, other = ask(), say(DONE)
    assert 'class="card"' not in browser.get(f"/s/{other.session.public_id}/").content.decode()
    assert 'class="card"' in page_of(browser, row)


def test_a_message_is_sent_and_leads_back_to_the_chat(browser: Client, say: Say) -> None:
    session_id = say(DONE).session.public_id
    answer = browser.post(f"/s/{session_id}/send/", {"message": "more"})
    assert (answer.status_code, answer["Location"]) == (303, f"/s/{session_id}/#message")


def test_a_script_gets_the_new_rows_instead(browser: Client, say: Say) -> None:
    session_id = say(DONE).session.public_id
    answer = browser.post(f"/s/{session_id}/send/", {"message": "more to do"}, headers=HTMX)
    assert answer.status_code == 200
    assert answer.content.decode().startswith("<hx-partial")
    assert "more to do" in answer.content.decode()


def test_a_second_message_is_refused_while_the_agent_works(browser: Client, say: Say) -> None:
    session_id = say(DONE).session.public_id
    browser.post(f"/s/{session_id}/send/", {"message": "one"})
    answer = browser.post(f"/s/{session_id}/send/", {"message": "two"})
    assert answer.status_code == 409
    assert ">two</textarea>" in answer.content.decode()


def test_a_message_during_a_question_is_kept_and_the_way_out_is_offered_h32(browser: Client, ask: Ask) -> None:
    row = ask()
    answer = browser.post(f"/s/{row.session.public_id}/send/", {"message": "what is the time?"})
    assert answer.status_code == 409
    assert "what is the time?" in answer.content.decode()
    assert 'name="on_pending" value="supersede"' in answer.content.decode()
    row.refresh_from_db()
    assert row.status == Interaction.Status.PENDING


def test_sending_all_the_same_closes_the_question_and_starts_the_message_h32(browser: Client, ask: Ask) -> None:
    row = ask()
    browser.post(f"/s/{row.session.public_id}/send/", {"message": "never mind", "on_pending": "supersede"})
    row.refresh_from_db()
    assert (row.status, row.reason) == ("cancelled", "reply_in_chat")
    assert Message.objects.filter(text="never mind").exists()
    assert "Replied in chat" in page_of(browser, row)


def test_stop_closes_the_card_and_says_so(browser: Client, ask: Ask) -> None:
    row = ask()
    assert browser.post(f"/s/{row.session.public_id}/stop/").status_code == 303
    page = page_of(browser, row)
    assert "Stopped by you" in page
    assert "Closed with its run" in page
    assert 'data-face="composer"' in page


def test_a_failed_run_is_told_in_words_with_a_way_to_try_again(browser: Client, say: Say) -> None:
    started = say({"fault": {"kind": "status", "status": 500, "times": 9}})
    page = browser.get(f"/s/{started.session.public_id}/").content.decode()
    assert "The model server cannot be reached" in page
    assert "Try again" in page
    browser.post(f"/s/{started.session.public_id}/retry/")
    started.run.refresh_from_db()
    assert started.run.status == Run.Status.QUEUED


def test_retrying_what_did_not_fail_is_refused_in_words(browser: Client, say: Say) -> None:
    answer = browser.post(f"/s/{say(DONE).session.public_id}/retry/")
    assert answer.status_code == 409
    assert "There is no failed run" in answer.content.decode()


def test_a_tool_row_shows_arguments_and_result_escaped(browser: Client, say: Say) -> None:
    call = {"id": "c1", "name": "no_such_tool", "arguments": {"x": "<script>alert(1)</script>"}}
    session_id = say(asks(call), DONE).session.public_id
    page = browser.get(f"/s/{session_id}/").content.decode()
    assert "no_such_tool" in page
    assert "failed" in page
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_a_long_result_is_cut_and_can_be_downloaded_whole(browser: Client, say: Say) -> None:
    call = {"id": "c1", "name": "no_such_tool", "arguments": {}}
    started = say(asks(call), DONE)
    row = started.run.calls.get().result
    row.content = "x" * 5000
    row.save()
    page = browser.get(f"/s/{started.session.public_id}/").content.decode()
    path = page.split('<p><a href="')[1].split('"')[0]
    answer = browser.get(path)
    assert "x" * 4097 not in page
    assert answer.content == b"x" * 5000
    assert answer["Content-Disposition"].startswith("attachment")
    assert browser.get(path.replace("/0/", "/7/")).status_code == 404


def test_earlier_messages_come_page_by_page_and_in_order(browser: Client, say: Say) -> None:
    session_id = say(DONE, message="number 0").session.public_id
    for number in range(1, 45):
        say(DONE, session=session_id, message=f"number {number}.")
    page = browser.get(f"/s/{session_id}/").content.decode()
    assert "number 44." in page
    assert "number 2." not in page
    path = page.split('hx-get="')[1].split('"')[0]
    older = browser.get(path, headers=HTMX).content.decode()
    assert "number 2." in older
    assert "number 44." not in older
    assert older.index("number 2.") < older.index("number 3.")
    whole = browser.get(page.split('class="button quiet" href="')[1].split('"')[0]).content.decode()
    assert "number 2." in whole
    assert "Back to the newest messages" in whole


def test_a_page_costs_as_many_queries_with_forty_rows_as_with_two(browser: Client, say: Say) -> None:
    session_id = say(asks(ask_user()), message="number 0").session.public_id
    few = queries(lambda: browser.get(f"/s/{session_id}/"))
    browser.post(f"/s/{session_id}/stop/")
    for number in range(20):
        say(asks({"id": f"c{number}", "name": "no_such_tool"}), DONE, session=session_id)
        say(DONE, message=f"another {number}")
    say(asks(ask_user()), session=session_id)
    assert queries(lambda: browser.get(f"/s/{session_id}/")) == few


def test_a_thousand_rows_cost_as_many_queries_as_ten(browser: Client, say: Say) -> None:
    session_id = say(DONE).session.public_id
    where = f"/s/{session_id}/"
    _fill(session_id, 10)
    few = queries(lambda: browser.get(where))
    _fill(session_id, 1000)
    assert queries(lambda: browser.get(where)) == few
    assert browser.get(where).content.decode().count('id="m-msg_') == PAGE
    oldest = Message.objects.order_by("-id")[PAGE - 1].public_id
    assert f"?before={oldest}" in browser.get(where).content.decode()
    assert queries(lambda: browser.get(f"{where}older/?before={oldest}")) <= few


def _fill(session_id: str, rows: int) -> None:
    """Let the session's run hold so many messages."""
    run = Run.objects.get(session__public_id=session_id)
    roles = (Message.Role.USER, Message.Role.ASSISTANT)
    missing = range(run.messages.count(), rows)
    Message.objects.bulk_create(
        Message(run=run, role=roles[number % 2], text=f"Row {number}", created_at=run.created_at) for number in missing
    )


def queries(work: Callable[[], object]) -> int:
    work()
    with CaptureQueriesContext(
        connection,
    ) as found:
        work()
    return len(found)


def test_news_hold_what_came_after_the_run_that_the_page_knows(browser: Client, say: Say) -> None:
    first = say(DONE, message="first message")
    say(asks(ask_user(title="Which colour?")), session=first.session.public_id, message="second message")
    news = browser.get(f"/s/{first.session.public_id}/live/?tail={first.run.public_id}&shown=", headers=HTMX).content.decode()
    assert "second message" in news
    assert "Which colour?" in news
    assert 'id="card-form"' in news


def test_news_never_hold_the_card_that_is_shown_already_h60(browser: Client, ask: Ask) -> None:
    row = ask()
    known = f"?tail={row.run.public_id}&shown={row.public_id}"
    news = browser.get(f"/s/{row.session.public_id}/live/{known}", headers=HTMX).content.decode()
    assert 'id="card-form"' not in news
    assert 'id="message"' not in news
    assert 'id="card-meta"' in news


def test_news_take_the_card_away_once_it_is_closed_h58(browser: Client, ask: Ask) -> None:
    row = ask()
    browser.post(address(row), {"text": "blue"})
    known = f"?tail={row.run.public_id}&shown={row.public_id}"
    news = browser.get(f"/s/{row.session.public_id}/live/{known}", headers=HTMX).content.decode()
    assert 'id="card-slot" data-shown=""' in news
    assert "Answered" in news


def test_showing_a_card_is_recorded_once_a_channel(browser: Client, ask: Ask) -> None:
    row = ask()
    for _look in range(3):
        page_of(browser, row)
    shown = AuditRecord.objects.filter(kind="interaction_shown", request=row.public_id)
    assert shown.count() == 1
    assert shown.get().channel == "web"


def test_the_state_of_the_agent_refreshes_without_scripts(browser: Client, say: Say) -> None:
    session_id = say(DONE).session.public_id
    assert "http-equiv" not in browser.get(f"/s/{session_id}/").content.decode()
    browser.post(f"/s/{session_id}/send/", {"message": "go"})
    assert '<noscript><meta http-equiv="refresh"' in browser.get(f"/s/{session_id}/").content.decode()


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_everybody_reads_the_own_language_h72(language: str, browser: Client, ask: Ask) -> None:
    row = ask()
    row.user.language = language
    row.user.save()
    page, refused = page_of(browser, row), browser.post(address(row), {"text": " "}).content.decode()
    is_english = language == "en"
    assert ("Question from the agent" in page) is is_english
    assert ("Write an answer." in refused) is is_english


def test_a_model_that_speaks_through_scripted_html_stays_text_h88(browser: Client, say: Say) -> None:
    hostile = "<img src=x onerror=alert(1)> <svg/onload=alert(1)> [x](javascript:alert(1)) <hx-partial hx-target='#card'>"
    started = say({"text": hostile}, message=hostile, model=scripted({"text": hostile}))
    page = browser.get(f"/s/{started.session.public_id}/").content.decode()
    assert "<img" not in page
    assert "<svg/onload" not in page
    assert 'href="javascript' not in page
    assert "<hx-partial" not in page
