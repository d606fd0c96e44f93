"""What a page says where words were erased: that they were."""

from django.test import Client

from apps.chat.models import ChatSession
from apps.interactions.models import Interaction
from apps.runs.erasing import erase_answers, erase_session
from tests.factories.accounts import UserFactory
from tests.support.runs import DONE, ask_questions, asks
from tests.web.conftest import HTMX, Ask, Say, address, page_of

TOOL = {"id": "t1", "name": "no_such_tool", "arguments": {"x": "secret"}}


def timeline_of(browser: Client, session: ChatSession) -> str:
    """Return the rows of a chat's page."""
    page = browser.get(f"/s/{session.public_id}/").content.decode()
    return page.split('id="timeline"')[1].split("</ol>")[0]


def test_an_erased_message_stays_as_a_row_that_says_so(browser: Client, say: Say) -> None:
    session = say(DONE, message="my secret").session
    erase_session(session)
    rows = timeline_of(browser, session)
    assert rows.count("This message was erased.") == 2
    assert "secret" not in rows


def test_an_erased_tool_says_so_in_place_of_arguments_and_result(browser: Client, say: Say) -> None:
    session = say(asks(TOOL), DONE).session
    assert "secret" in timeline_of(browser, session)
    erase_session(session)
    rows = timeline_of(browser, session)
    assert "Arguments and result were erased." in rows
    assert "secret" not in rows
    assert '"status"' not in rows
    assert rows.count("This message was erased.") == 2


def test_a_receipt_whose_answer_was_erased_calls_no_option_unchosen(browser: Client, say: Say) -> None:
    question = {"id": "how", "question": "How?", "options": [{"label": "Fast"}, {"label": "Careful"}]}
    started = say(asks(ask_questions(questions=[question])), DONE)
    row = Interaction.objects.get(run=started.run)
    browser.post(address(row), {"q0-choice": "0"})
    assert "Not chosen:" in timeline_of(browser, started.session)
    erase_answers(Interaction.objects.filter(pk=row.pk))
    rows = timeline_of(browser, started.session)
    assert "The answer was erased." in rows
    assert "Fast" in rows
    assert "hosen:" not in rows


def test_a_receipt_without_its_question_says_so(browser: Client, ask: Ask) -> None:
    row = ask(title="Which secret?")
    browser.post(address(row), {"text": "blue"})
    erase_session(row.session)
    page = page_of(browser, row)
    assert "The words of this question were erased." in page
    assert "Question and answer were erased." in page
    assert "secret" not in page


def test_a_page_that_knows_words_which_were_erased_since_is_told_that_they_are_gone(browser: Client, say: Say) -> None:
    session = say(DONE).session
    where = f"/s/{session.public_id}/live/"
    assert 'data-erased="0"' in browser.get(f"/s/{session.public_id}/").content.decode()
    assert browser.get(where, {"erased": "0"}).status_code == 200
    erase_session(session)
    assert browser.get(where, {"erased": "0"}).status_code == 410
    assert browser.get(where, {"erased": "1"}).status_code == 200


def test_an_older_page_asks_only_whether_its_words_are_still_there(browser: Client, say: Say) -> None:
    session = say(DONE).session
    where = f"/s/{session.public_id}/words/?erased=0"
    assert f'data-words="{where}"' in browser.get(f"/s/{session.public_id}/", {"before": "x"}).content.decode()
    answer = browser.get(where)
    assert (answer.status_code, answer.content) == (204, b"")
    erase_session(session)
    assert browser.get(where).status_code == 410


def test_the_page_of_a_question_asks_whether_its_words_are_still_there(browser: Client, ask: Ask) -> None:
    row = ask(title="Which?")
    browser.post(address(row), {"text": "blue"})
    where = f"/q/{row.public_id}/words/?erased=0"
    assert f'data-words="{where}"' in browser.get(f"/q/{row.public_id}/").content.decode()
    assert browser.get(where).status_code == 204
    erase_answers(Interaction.objects.filter(pk=row.pk))
    assert browser.get(where).status_code == 410
    assert browser.get(f"/q/{row.public_id}/words/?erased=1").status_code == 204
    erase_session(row.session)
    assert browser.get(f"/q/{row.public_id}/words/?erased=1").status_code == 410


def test_whether_words_are_still_there_is_told_to_their_owner_alone(ask: Ask, browser: Client) -> None:
    row, stranger = ask(title="Which?"), Client()
    stranger.force_login(UserFactory.create())
    for where in (f"/q/{row.public_id}/words/", f"/s/{row.session.public_id}/words/"):
        assert stranger.get(where).status_code == 404
        assert Client().get(where, headers=HTMX).status_code == 401
        assert browser.post(where).status_code == 405
