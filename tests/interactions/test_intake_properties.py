"""Intake never fails: whatever a model sends becomes a card that can be shown and answered, or a refusal."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agent.messages import ToolCall
from apps.agent.tools import Refusal
from apps.common.text import clean_shown, compact_json, is_blank, is_storable
from apps.interactions.contract import MAX_CARD_BYTES, OPTION_MODES, Option
from apps.interactions.intake import take_in_ask_user, take_in_questions
from apps.interactions.payload import stored_payload
from tests.support.questions import ask_users, garbage_arguments, question_sets, unhurried, words

CODES = {"EMPTY_QUESTIONS", "BAD_QUESTION"}


def assert_fit_to_be_shown(options: tuple[Option, ...], is_valued_by_id: bool) -> None:
    values = [option.id if is_valued_by_id else option.label for option in options]
    assert len(set(values)) == len(values)
    assert all(is_storable(value) and not is_blank(value) for value in values)
    assert all(clean_shown(option.label) == option.label and not is_blank(option.label) for option in options)


@settings(unhurried, max_examples=300)
@given(garbage_arguments)
def test_any_ask_user_is_a_card_or_a_refusal(arguments):
    taken = take_in_ask_user(ToolCall("c1", "ask_user", arguments))
    if isinstance(taken, Refusal):
        assert taken.code in CODES
        assert taken.field
        return
    assert not is_blank(taken.ask.title)
    assert bool(taken.ask.options) == (taken.ask.mode in OPTION_MODES)
    assert not taken.ask.allow_custom or taken.ask.options
    assert_fit_to_be_shown(taken.ask.options, is_valued_by_id=True)
    assert len(compact_json(stored_payload(taken.ask)).encode()) <= MAX_CARD_BYTES


@settings(unhurried, max_examples=300)
@given(garbage_arguments)
def test_any_question_set_is_a_card_or_a_refusal(arguments):
    taken = take_in_questions(ToolCall("c1", "ask_user_question", arguments))
    if isinstance(taken, Refusal):
        assert taken.code in CODES
        assert taken.field
        return
    asked = taken.ask.questions
    assert 1 <= len(asked) <= 8
    assert len({question.id for question in asked}) == len(asked)
    assert all(is_storable(question.id) and not is_blank(question.question) for question in asked)
    for question in asked:
        assert_fit_to_be_shown(question.options, is_valued_by_id=False)


@unhurried
@given(st.lists(words, min_size=1, max_size=6).flatmap(lambda labels: st.lists(st.sampled_from(labels), min_size=1, max_size=8)))
def test_h04_labels_are_distinct_after_repair_however_often_they_repeat(labels):
    sent = {"questions": [{"question": "?", "options": [{"label": label} for label in labels]}]}
    taken = take_in_questions(ToolCall("c1", "ask_user_question", json.dumps(sent)))
    assert not isinstance(taken, Refusal)
    shown = [option.label for option in taken.ask.questions[0].options]
    assert len({label.casefold().strip() for label in shown}) == len(labels)
    assert all(label.startswith(sent.rstrip()) for label, sent in zip(shown, labels, strict=True))


@unhurried
@given(ask_users())
def test_a_well_formed_ask_user_passes_unrepaired_but_for_equal_labels(ask):
    payload = {
        key: value for key, value in stored_payload(ask).items() if key not in ("questions", "detail", "intent", "planRevision")
    }
    taken = take_in_ask_user(ToolCall("c1", "ask_user", json.dumps(payload)))
    assert not isinstance(taken, Refusal)
    assert all(repair.endswith("made distinct") for repair in taken.repairs)
    assert [option.id for option in taken.ask.options] == [option.id for option in ask.options]


@unhurried
@given(question_sets)
def test_a_well_formed_question_set_keeps_its_ids_and_words(ask):
    sent = [
        {"id": q.id, "question": q.question, "header": q.header, "options": [{"label": o.label} for o in q.options]}
        for q in ask.questions
    ]
    taken = take_in_questions(ToolCall("c1", "ask_user_question", json.dumps({"questions": sent})))
    assert not isinstance(taken, Refusal)
    assert [(q.id, q.question, q.header) for q in taken.ask.questions] == [(q.id, q.question, q.header) for q in ask.questions]
