"""Answers to a card of questions: every question once, in order, by its labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.interactions.answers import Cancelled, InvalidAnswer, QuestionsAnswer, validate
from apps.interactions.contract import Option, Question, QuestionSet
from apps.interactions.submissions import QuestionAnswer, parse_submission
from tests.support.questions import answer, answers_to, question_sets, unhurried

FLOW = Question("flow", "How?", options=(Option("Blue (Recommended)"), Option("Rolling")))
PARTS = Question("parts.x", "Which?", options=(Option("API, v2"), Option("API"), Option("v2")), multi_select=True)
FREE = Question("free", "Wishes?")
CARD = QuestionSet((FLOW, PARTS, FREE))


def a(ident, *selected, custom=None) -> dict:
    return {"id": ident, "selected": list(selected)} | ({"custom": custom} if custom is not None else {})


def result(*answers) -> tuple[QuestionAnswer, ...]:
    return answer(CARD, answers=list(answers)).answers


def refused(*answers, **rest) -> InvalidAnswer:
    with pytest.raises(InvalidAnswer) as caught:
        validate(CARD, parse_submission({"answers": list(answers), **rest}))
    return caught.value


def fields(invalid: InvalidAnswer) -> list[str]:
    return [error.field for error in invalid.errors]


def test_answers_come_back_in_the_order_of_the_card():
    assert result(a("free", custom="z"), a("flow", "Rolling"), a("parts.x", "v2", "API, v2")) == (
        QuestionAnswer("flow", ("Rolling",)),
        QuestionAnswer("parts.x", ("v2", "API, v2")),
        QuestionAnswer("free", (), "z"),
    )


def test_h02_own_text_stands_beside_ticks():
    answers = result(a("flow"), a("parts.x", "API", "v2", custom="only on Mondays"), a("free"))
    assert answers[1] == QuestionAnswer("parts.x", ("API", "v2"), "only on Mondays")


def test_h03_own_text_replaces_a_single_choice():
    assert result(a("flow", "Rolling", custom="after Friday"), a("parts.x"), a("free"))[0] == QuestionAnswer(
        "flow", (), "after Friday"
    )


@pytest.mark.parametrize("blank", ["", "  ", "\n", "\u200b"])
def test_h13_blank_own_text_is_none(blank):
    assert result(a("flow", "Rolling", custom=blank), a("parts.x"), a("free", custom=blank)) == (
        QuestionAnswer("flow", ("Rolling",)),
        QuestionAnswer("parts.x"),
        QuestionAnswer("free"),
    )


def test_a_question_left_out_is_refused_by_name():
    invalid = refused(a("parts.x", "API"))
    assert fields(invalid) == ["answers", "answers"]
    assert invalid.facts == {"missing": ["flow", "free"]}
    assert ["flow" in invalid.errors[0].message, "free" in invalid.errors[1].message] == [True, True]


@pytest.mark.parametrize("body", [{}, {"answers": []}, {"answers": None}])
def test_h13_an_empty_submission_answers_nothing(body):
    with pytest.raises(InvalidAnswer) as caught:
        validate(CARD, parse_submission(body))
    assert caught.value.facts == {"missing": ["flow", "parts.x", "free"]}


@pytest.mark.parametrize("extra", [a("nowhere", "x"), a("flow", "Rolling")])
def test_unknown_and_repeated_questions_are_refused(extra):
    assert fields(refused(a("flow"), a("parts.x"), a("free"), extra)) == ["answers[3].id"]


@pytest.mark.parametrize("label", ["Bouncy", "Blue", "rolling", " Rolling", "Blue (Recommended), Rolling"])
def test_a_label_counts_only_as_it_stands_on_the_card(label):
    assert fields(refused(a("flow", label), a("parts.x"), a("free"))) == ["answers[0].selected[0]"]


def test_choices_that_do_not_fit_the_question_are_refused():
    assert fields(refused(a("flow", "Rolling", "Blue (Recommended)"), a("parts.x"), a("free"))) == ["answers[0].selected"]
    assert fields(refused(a("flow"), a("parts.x", "API", "API"), a("free"))) == ["answers[1].selected[1]"]
    assert fields(refused(a("flow"), a("parts.x"), a("free", "x"))) == ["answers[2].selected"]


def test_fields_of_another_kind_are_refused():
    skipped = (a("flow"), a("parts.x"), a("free"))
    assert fields(refused(*skipped, selections=["Rolling"], customInput="x", decision="approve")) == [
        "selections",
        "customInput",
        "decision",
    ]
    assert answer(CARD, answers=list(skipped), selections=[], customInput="")


def test_cancelled_wins_over_the_rest():
    assert validate(CARD, parse_submission({"cancelled": True, "answers": [a("nowhere")]})) == Cancelled()


def test_h81_a_rejection_carries_its_label_and_the_words_beside_it():
    plan = QuestionSet(
        (Question("plan", "Go on so?", options=(Option("Do it"), Option("Rather not")), multi_select=True),), detail="1. Pack"
    )
    given_answer = answer(plan, answers=[a("plan", "Rather not", custom="split step 2")])
    assert given_answer == QuestionsAnswer((QuestionAnswer("plan", ("Rather not",), "split step 2"),))


@unhurried
@given(st.data())
def test_every_valid_answer_comes_back_as_it_was_given(data):
    card = data.draw(question_sets)
    sent = {each["id"]: each for each in data.draw(answers_to(card))}
    given_answer = answer(card, answers=list(sent.values()))
    assert [each.id for each in given_answer.answers] == [question.id for question in card.questions]
    for each, question in zip(given_answer.answers, card.questions, strict=True):
        own_text = sent[each.id].get("custom")
        assert each.custom == own_text
        replaced = own_text is not None and not question.multi_select
        assert list(each.selected) == ([] if replaced else sent[each.id]["selected"])
