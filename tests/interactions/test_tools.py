"""The ask tools as the loop calls them."""

import json

import pytest
from hypothesis import given

from apps.agent.tools import AskRequest, Refusal, is_ask_tool
from apps.interactions.tools import AskUserQuestionTool, AskUserTool
from tests.support.questions import IMPLEMENT, SAFE, call, garbage_arguments, unhurried

ASK_USER, QUESTIONS = AskUserTool(), AskUserQuestionTool()


def prepare(tool, arguments) -> AskRequest:
    request = tool.prepare(call(tool.name, arguments), "en")
    assert isinstance(request, AskRequest), request
    return request


@pytest.mark.parametrize("tool", [ASK_USER, QUESTIONS])
def test_both_are_ask_tools(tool):
    assert is_ask_tool(tool)
    assert tool.asks is True
    assert set(tool.schema("en")) == {"name", "description", "parameters"}
    assert tool.schema("en")["name"] == tool.name


def test_h34_closing_ask_user_stops_the_run_and_so_does_its_expiry():
    request = prepare(ASK_USER, {"title": "Q", "mode": "number"})
    assert (request.kind, request.mode, request.on_timeout, request.cancel_stops) == ("ask_user", "number", "stop", True)


def test_after_closed_or_expired_questions_the_model_goes_on():
    request = prepare(QUESTIONS, {"question": "Which?"})
    assert (request.kind, request.mode, request.on_timeout, request.cancel_stops) == ("questions", "form", "continue", False)


def test_repairs_go_with_the_request():
    assert prepare(QUESTIONS, {"question": "Which?"}).repairs == ("questions[0].id: made",)


def test_a_refusal_is_handed_through_in_the_runs_language():
    english, chinese = (QUESTIONS.prepare(call("ask_user_question", {}), language) for language in ("en", "zh"))
    assert isinstance(english, Refusal)
    assert isinstance(chinese, Refusal)
    assert english.code == chinese.code == "EMPTY_QUESTIONS"
    assert english.message != chinese.message


def test_h34_the_same_words_have_the_same_fingerprint_in_whatever_form_they_came():
    listed = {"questions": [{"id": "a", "question": "Which?", "options": [{"label": "A"}]}]}
    forms = [
        listed,
        {"question": "Which?", "options": ["A"], "multi_select": False},
        {"questions": json.dumps(listed["questions"])},
    ]
    assert len({prepare(QUESTIONS, form).fingerprint for form in forms}) == 1
    renamed = [{"title": "Q", "mode": "single", "options": [{"id": ident, "label": "A"}], "submitLabel": ident} for ident in "xy"]
    assert len({prepare(ASK_USER, form).fingerprint for form in renamed}) == 1


def test_other_words_have_another_fingerprint():
    asks = [
        {"title": "Q", "mode": "single", "options": [SAFE]},
        {"title": "Q", "mode": "single", "options": [SAFE, IMPLEMENT]},
        {"title": "Q", "mode": "multiple", "options": [SAFE]},
        {"title": "Q", "mode": "single", "options": [SAFE], "allowCustom": True},
        {"title": "Q", "mode": "single", "options": [SAFE], "description": "D"},
        {"title": "Q?", "mode": "single", "options": [SAFE]},
    ]
    assert len({prepare(ASK_USER, arguments).fingerprint for arguments in asks}) == len(asks)
    assert len(prepare(ASK_USER, asks[0]).fingerprint) == 64


@unhurried
@given(garbage_arguments)
def test_prepare_is_pure_and_never_raises(arguments):
    for tool in (ASK_USER, QUESTIONS):
        first, second = (tool.prepare(call(tool.name, arguments), "en") for _ in range(2))
        assert first == second
        assert isinstance(first, Refusal) or json.loads(json.dumps(first.payload)) == first.payload
