"""Results of asks: exact shapes, told apart by fields, one JSON text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.interactions.answers import AskUserAnswer, QuestionsAnswer
from apps.interactions.contract import AskUser, Option, Question, QuestionSet
from apps.interactions.results import answered, closed
from apps.interactions.submissions import QuestionAnswer
from tests.support.questions import answer, answers_to, ask_users, bodies_for, question_sets, unhurried

CHOICE = AskUser("Q", "single", options=(Option("Analyse first", "safe"), Option("Implement", "do")))
CARD = QuestionSet((Question("q1", "?", options=(Option("A"),)), Question("q2", "?")))


def test_an_answered_ask_user_has_exactly_these_keys_in_this_order():
    result = answered(CHOICE, "c1", AskUserAnswer(("safe",)))
    assert result.content == '{"status":"answered","selections":["safe"],"customInput":"","cancelled":false,"answeredBy":"user"}'
    assert (result.call_id, result.is_error, result.code) == ("c1", False, "")
    assert result.details == {"kind": "ask_user", "mode": "single", "chosen": ["Analyse first"]}


@pytest.mark.parametrize(("value", "text"), [(3, "3"), (3.0, "3.0"), (0, "0"), ("sub/dir", '"sub/dir"')])
def test_a_typed_value_stands_beside_its_text(value, text):
    content = answered(AskUser("Q", "number"), "c1", AskUserAnswer((), "x", value)).content
    assert (
        content
        == f'{{"status":"answered","selections":[],"customInput":"x","cancelled":false,"value":{text},"answeredBy":"user"}}'
    )


def test_answers_to_questions_show_what_was_skipped():
    answers = QuestionsAnswer((QuestionAnswer("q1", ("A",)), QuestionAnswer("q2")))
    result = answered(CARD, "c1", answers)
    assert result.content == '{"status":"answered","answers":[{"id":"q1","selected":["A"]},{"id":"q2","selected":[]}]}'
    assert result.details == {"kind": "questions", "mode": "form", "asked": 2, "answered": 1}


ASK_USER_CLOSED = [
    ("cancelled", "", {"status": "cancelled", "selections": [], "customInput": "", "cancelled": True}),
    (
        "cancelled",
        "reply_in_chat",
        {"status": "cancelled", "selections": [], "customInput": "", "cancelled": True, "reason": "reply_in_chat"},
    ),
    ("expired", "", {"status": "expired", "selections": [], "customInput": "", "cancelled": False, "answeredBy": "timeout"}),
    ("aborted", "", {"status": "aborted", "selections": [], "customInput": "", "cancelled": True}),
]


@pytest.mark.parametrize(("status", "reason", "content"), ASK_USER_CLOSED)
def test_h34_a_closed_ask_user_is_marked_by_fields(status, reason, content):
    result = closed("ask_user", "c1", status, reason, "en")
    assert json.loads(result.content) == content
    assert not result.is_error


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    ("status", "reason", "code"),
    [
        ("cancelled", "", "ASK_CANCELLED"),
        ("cancelled", "reply_in_chat", "ASK_CANCELLED"),
        ("expired", "", "ASK_EXPIRED"),
        ("aborted", "", "ASK_ABORTED"),
    ],
)
def test_closed_questions_are_an_error_with_a_code(status, reason, code, language):
    result = closed("questions", "c1", status, reason, language)
    content = json.loads(result.content)
    assert (result.is_error, result.code) == (True, code)
    assert (content["status"], content["code"], content.get("reason", "")) == (status, code, reason)
    assert content["message"]
    assert set(content) <= {"status", "code", "message", "reason"}


def test_h25_a_reply_in_chat_does_not_say_that_the_user_stayed_silent():
    message = json.loads(closed("questions", "c1", "cancelled", "reply_in_chat", "en").content)["message"]
    assert "chat" in message
    assert "without answering" not in message


def test_h05_answered_skipped_cancelled_and_expired_are_told_apart_by_fields():
    one = QuestionSet((Question("q1", "?", options=(Option("A"),)),))
    results = [
        answered(one, "c", QuestionsAnswer((QuestionAnswer("q1", ("A",)),))),
        answered(one, "c", QuestionsAnswer((QuestionAnswer("q1"),))),
        closed("questions", "c", "cancelled", "", "en"),
        closed("questions", "c", "expired", "", "en"),
    ]
    fields = [json.loads(result.content) for result in results]
    assert [each["status"] for each in fields] == ["answered", "answered", "cancelled", "expired"]
    assert [each.get("code") for each in fields] == [None, None, "ASK_CANCELLED", "ASK_EXPIRED"]
    assert [each["answers"][0]["selected"] for each in fields[:2]] == [["A"], []]


def test_h54_a_result_is_one_line_whatever_was_written():
    content = answered(AskUser("Q", "text"), "c1", answer(AskUser("Q", "text"), customInput="a\rb\r\n\r\nevent: x\n")).content
    assert "\r" not in content
    assert "\n" not in content
    assert json.loads(content)["customInput"] == "a\rb\r\n\r\nevent: x\n"


@unhurried
@given(st.data())
def test_the_content_holds_exactly_what_was_answered(data):
    ask = data.draw(ask_users())
    given_answer = answer(ask, **data.draw(bodies_for(ask)))
    content = json.loads(answered(ask, "c1", given_answer).content)
    assert content["selections"] == list(given_answer.selections)
    assert content["customInput"] == given_answer.custom_input
    assert content.get("value") == given_answer.value
    assert ("value" in content) == (ask.mode in ("number", "date", "directory"))


@unhurried
@given(st.data())
def test_the_answers_hold_every_question_once_in_order(data):
    card = data.draw(question_sets)
    content = json.loads(answered(card, "c1", answer(card, answers=data.draw(answers_to(card)))).content)
    assert [each["id"] for each in content["answers"]] == [question.id for question in card.questions]
    assert all(each.get("custom", "x") for each in content["answers"])
