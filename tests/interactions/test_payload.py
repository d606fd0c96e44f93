"""The one serialiser of a card."""

import json

import pytest
from hypothesis import given

from apps.interactions.contract import MODES, Ask, AskUser, Intent, Option, Question, QuestionSet
from apps.interactions.payload import CONTENT_KEYS, card_payload, read_payload, stored_payload
from tests.support.questions import ask_users, question_sets, unhurried

KEYS = ["id", "sessionId", "runId", "toolCallId", "kind", *CONTENT_KEYS, "createdAt", "expiresAt", "resumable"]


def card(stored, **changes):
    facts = {
        "request_id": "ask_1",
        "session_id": "sess_1",
        "run_id": "run_1",
        "tool_call_id": "c1",
        "kind": "ask_user",
        "created_at": "2026-03-01T00:00:00.000000Z",
        "expires_at": None,
        "resumable": True,
    }
    return card_payload(stored, **(facts | changes))


def test_a_card_of_ask_user_shows_everything():
    ask = AskUser("How?", "single", "Why", (Option("A", "a", "first", True),), True, "Go")
    assert card(stored_payload(ask)) == {
        "id": "ask_1",
        "sessionId": "sess_1",
        "runId": "run_1",
        "toolCallId": "c1",
        "kind": "ask_user",
        "title": "How?",
        "mode": "single",
        "description": "Why",
        "options": [{"id": "a", "label": "A", "description": "first", "recommended": True}],
        "allowCustom": True,
        "submitLabel": "Go",
        "questions": [],
        "detail": "",
        "intent": None,
        "planRevision": None,
        "createdAt": "2026-03-01T00:00:00.000000Z",
        "expiresAt": None,
        "resumable": True,
    }


def test_a_card_of_questions_shows_labels_whole_and_a_title():
    question = Question("q", "Which?", "", (Option("A (Recommended)", recommended=True),), multi_select=True)
    shown = card(stored_payload(QuestionSet((question, Question("r", "And?")))), kind="questions")
    assert (shown["title"], shown["mode"]) == ("Which?", "form")
    assert shown["questions"] == [
        {
            "id": "q",
            "header": "",
            "question": "Which?",
            "options": [{"label": "A (Recommended)", "description": "", "recommended": True}],
            "multiSelect": True,
        },
        {"id": "r", "header": "", "question": "And?", "options": [], "multiSelect": False},
    ]
    assert stored_payload(QuestionSet((Question("q", "Which?", "Head"),)))["title"] == "Head"


def test_an_intent_is_shown_with_its_plan():
    ask = QuestionSet((Question("p", "Go?", options=(Option("Yes"),)),), "1. Pack", Intent("Yes"), 2)
    shown = card(stored_payload(ask))
    assert (shown["detail"], shown["intent"], shown["planRevision"]) == ("1. Pack", {"kind": "plan-review", "approve": "Yes"}, 2)


@pytest.mark.parametrize(
    "ask",
    [
        *(AskUser("Q", mode) for mode in MODES),
        QuestionSet((Question("q", "?"),)),
        QuestionSet((Question("q", "?"),), "d", Intent("A")),
    ],
    ids=[*MODES, "questions", "plan"],
)
def test_h77_every_kind_of_card_has_the_same_keys(ask: Ask):
    shown = card(stored_payload(ask))
    assert list(shown) == KEYS
    assert all(isinstance(shown[key], str) and shown[key] for key in ("id", "toolCallId", "kind", "title", "mode"))


def test_an_erased_card_keeps_its_ids_and_none_of_its_words():
    shown = card({})
    assert shown == card(None)
    assert list(shown) == [*KEYS, "erased"]
    assert shown["erased"] is True
    assert [shown[key] for key in CONTENT_KEYS] == [None] * len(CONTENT_KEYS)


@unhurried
@given(ask_users() | question_sets)
def test_what_is_stored_is_read_back_as_the_same_question(ask):
    assert read_payload(json.loads(json.dumps(stored_payload(ask)))) == ask
