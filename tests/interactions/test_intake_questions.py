"""Intake of ask_user_question: lists, the flat form, ids and labels made distinct, and intents of product code."""

import json

import pytest

from apps.agent.tools import Refusal
from apps.interactions.contract import Intent, Question, QuestionSet
from apps.interactions.intake import TakenIn, take_in_questions
from tests.support.questions import call


def take_in(arguments, **product) -> TakenIn[QuestionSet]:
    taken = take_in_questions(call("ask_user_question", arguments), **product)
    assert isinstance(taken, TakenIn), taken
    return taken


def questions(*items) -> tuple[Question, ...]:
    return take_in({"questions": list(items)}).ask.questions


def refused(arguments, **product) -> Refusal:
    refusal = take_in_questions(call("ask_user_question", arguments), **product)
    assert isinstance(refusal, Refusal)
    return refusal


def test_h06_questions_and_options_encoded_as_text_are_decoded():
    inner = [{"id": "k", "question": "Coded?", "options": json.dumps([{"label": "A"}, {"label": "B"}])}]
    taken = take_in({"questions": json.dumps(inner)})
    assert [option.label for option in taken.ask.questions[0].options] == ["A", "B"]
    assert taken.repairs == ("questions: decoded", "questions[0].options: decoded")


def test_h06_a_single_question_encoded_as_text_is_decoded():
    assert questions(json.dumps({"id": "k", "question": "Coded?"}))[0] == Question("k", "Coded?")


def test_the_flat_form_is_one_question():
    taken = take_in(
        {"question": "Plan?", "header": "Plan", "options": ["A", {"label": "B"}], "multi_select": True, "questions": []}
    )
    (question,) = taken.ask.questions
    assert (question.id, question.header, question.multi_select) == ("q1", "Plan", True)
    assert [option.label for option in question.options] == ["A", "B"]


def test_missing_ids_become_q1_and_on_without_taking_a_given_one():
    asked = questions({"question": "a"}, {"question": "b", "id": " "}, {"question": "c", "id": "q1"}, {"question": "d", "id": 9})
    assert [question.id for question in asked] == ["q1_2", "q2", "q1", "9"]


def test_repeated_ids_get_the_next_free_number():
    asked = questions(*({"id": ident, "question": "?"} for ident in ("z", "z", "z_2", "z")))
    assert [question.id for question in asked] == ["z", "z_3", "z_2", "z_4"]


def test_h04_equal_labels_of_one_question_are_told_apart():
    labels = ["Andere", "andere ", "Ａndere", "Rest", "{x}", "{X}"]
    (question,) = questions({"id": "t", "question": "?", "options": [{"label": label} for label in labels]})
    assert [option.label for option in question.options] == ["Andere", "andere (2)", "Ａndere (3)", "Rest", "{x}", "{X} (2)"]


def test_labels_are_values_and_keep_their_suffix_and_their_spaces():
    (question,) = questions({"id": "t", "question": "?", "options": [" A&amp;B ", "慢 （推荐）", "<b>x</b>"]})
    assert [(option.label, option.recommended) for option in question.options] == [
        (" A&amp;B ", False),
        ("慢 （推荐）", True),
        ("<b>x</b>", False),
    ]


def test_h08_a_long_header_is_kept_whole():
    header = "Deployment target region (production)"
    assert questions({"question": "Where?", "header": header})[0].header == header


def test_h07_null_and_empty_options_are_dropped():
    (question,) = questions({"question": "?", "options": [None, "", {}, {"label": ""}, [], {"label": "A", "id": "a"}]})
    assert [option.label for option in question.options] == ["A"]


def test_what_the_model_must_not_set_is_dropped():
    ask = take_in(
        {"questions": [{"question": "?", "detail": "x", "intent": {"kind": "plan-review", "approve": "A"}}], "intent": {}}
    ).ask
    assert (ask.detail, ask.intent, ask.plan_revision) == ("", None, None)


EMPTY = [{}, {"questions": []}, {"questions": None}, {"questions": "[]"}, {"questions": " "}, {"questions": {}}]


@pytest.mark.parametrize("arguments", EMPTY, ids=json.dumps)
def test_no_question_at_all_is_empty_questions(arguments):
    assert (refused(arguments).code, refused(arguments).field) == ("EMPTY_QUESTIONS", "questions")


WRONG = [
    ({"questions": [{"id": "e", "question": "   "}]}, "questions[0].question"),
    ({"questions": [{"question": "a"}, {"id": "e"}]}, "questions[1].question"),
    ({"questions": [None]}, "questions[0]"),
    ({"questions": ["Which?"]}, "questions[0]"),
    ({"questions": "Which?"}, "questions"),
    ({"questions": {"question": "a"}}, "questions"),
    ({"questions": 3}, "questions"),
    ({"questions": [{"question": f"{n}?"} for n in range(9)]}, "questions"),
    ({"questions": [{"question": "x" * 2_001}]}, "questions[0].question"),
    ({"questions": [{"question": "a", "header": "x" * 201}]}, "questions[0].header"),
    ({"questions": [{"question": "a", "options": [{"label": "A"}, {"id": "b"}]}]}, "questions[0].options[1].label"),
    (
        {"questions": [{"question": "a", "options": ["A", {"label": "B", "description": 3}]}]},
        "questions[0].options[1].description",
    ),
    ({"questions": [{"question": "a", "multi_select": []}]}, "questions[0].multi_select"),
    ({"questions": [{"question": "a", "id": "\ud800"}]}, "questions[0].id"),
    ({"question": "", "options": ["A"]}, "question"),
    ({"question": "a", "options": [["A"]]}, "options[0]"),
    (
        {"questions": [{"question": "汉" * 2_000, "options": ["汉" * 500 + str(n) for n in range(2)]} for _ in range(8)]},
        "questions[0].options[0].label",
    ),
    (
        {"questions": [{"question": "汉" * 2_000, "options": ["汉" * 499 + str(n) for n in range(2)]} for _ in range(8)]},
        "arguments",
    ),
    ('{"questions": [', "arguments"),
]


@pytest.mark.parametrize(("arguments", "field"), WRONG, ids=range(len(WRONG)))
def test_what_cannot_be_repaired_is_refused_by_name(arguments, field):
    refusal = refused(arguments)
    assert (refusal.code, refusal.field) == ("BAD_QUESTION", field)
    assert refusal.message


def test_h08_no_refusal_claims_that_the_user_did_anything():
    assert not any("user" in refused(arguments).message for arguments, _ in WRONG)


PLAN = {"questions": [{"id": "plan", "question": "Shall I go on so?", "options": ["So machen", "Lieber nicht"]}]}


@pytest.mark.parametrize(
    ("detail", "approve", "field"),
    [("", "So machen", "detail"), (" ", "So machen", "detail"), ("1. Pack", "Ja", "intent.approve")],
)
def test_h81_an_intent_that_the_user_could_not_see_is_refused(detail, approve, field):
    refusal = refused(PLAN, detail=detail, intent=Intent(approve), plan_revision=1)
    assert (refusal.code, refusal.field) == ("BAD_INTENT", field)


def test_h81_an_intent_with_its_plan_and_its_label_is_taken_in():
    ask = take_in(PLAN, detail="1. Pack", intent=Intent("So machen"), plan_revision=1).ask
    assert (ask.detail, ask.intent, ask.plan_revision) == ("1. Pack", Intent("So machen"), 1)
