"""Plans before the user: when they are one card, what counts as a decision, how they are closed."""

import json
from dataclasses import replace
from typing import Any

import pytest

from apps.agent.messages import ToolCall
from apps.agent.tools import Refusal
from apps.interactions import results
from apps.interactions.answers import Cancelled, InvalidAnswer, PlanAnswer, validate
from apps.interactions.contract import Intent, Option, Question, QuestionSet
from apps.interactions.intake import check_intent, take_in_plan
from apps.interactions.payload import CONTENT_KEYS, read_payload, stored_payload
from apps.interactions.plans import MAX_DIFFERENCES, differences, plan_request
from apps.interactions.submissions import parse_submission
from apps.interactions.summaries import summary_of

START, CHANGE, THIRD = Option("Start"), Option("Ask for changes"), Option("Later")
QUESTION = Question("plan", "May it be?", options=(START, CHANGE))
PLAN = QuestionSet((QUESTION,), "1. Pack", Intent("Start"), 2, "nothing new")


@pytest.mark.parametrize(
    "ask",
    [
        replace(PLAN, intent=None),
        replace(PLAN, detail=""),
        replace(PLAN, intent=Intent("Go")),
        replace(PLAN, questions=(QUESTION, replace(QUESTION, id="q2"))),
        replace(PLAN, questions=(replace(QUESTION, multi_select=True),)),
        replace(PLAN, questions=(replace(QUESTION, options=(START, CHANGE, THIRD)),)),
        replace(PLAN, questions=(replace(QUESTION, options=()),)),
    ],
)
def test_what_is_not_fit_for_the_plan_card_is_put_as_questions(ask: QuestionSet) -> None:
    assert not ask.is_plan_card
    request = plan_request(ask)
    assert (request.kind, request.mode) == ("questions", "form")
    assert read_payload(request.payload) == ask


@pytest.mark.parametrize("options", [(START, CHANGE), (START,)])
def test_one_question_with_a_plan_and_its_approval_is_the_plan_card(options: tuple[Option, ...]) -> None:
    ask = replace(PLAN, questions=(replace(QUESTION, options=options),))
    request = plan_request(ask)
    assert (request.kind, request.mode, request.on_timeout, request.cancel_stops) == ("plan_review", "plan_review", "stop", True)
    assert tuple(request.payload) == CONTENT_KEYS
    assert request.payload["questions"] == []
    assert [option["label"] for option in request.payload["options"]] == [option.label for option in options]
    assert read_payload(request.payload) == ask


def test_an_intent_that_the_user_could_not_see_is_refused() -> None:
    for ask in (replace(PLAN, detail=""), replace(PLAN, intent=Intent("Go"))):
        refused = check_intent(ask)
        assert isinstance(refused, Refusal)
        assert refused.code == "BAD_INTENT"
    assert check_intent(PLAN) is None


def taken(**arguments: Any) -> Any:
    return take_in_plan(ToolCall("c", "present_plan", json.dumps({"title": "Move", "plan": "1. Pack"} | arguments)))


def test_the_models_keys_for_intent_and_detail_are_dropped_and_labels_told_apart() -> None:
    found = taken(approveLabel="Do", rejectLabel="do ", detail="other", intent={"approve": "x"}, planRevision=9)
    assert found.ask.intent == Intent("Do")
    assert found.ask.detail == "1. Pack"
    assert [option.label for option in found.ask.questions[0].options] == ["Do", "do (2)"]
    assert "arguments: unknown keys dropped" in found.repairs


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ({"plan": ""}, "BAD_INTENT", "plan"),
        ({"plan": " \u200b"}, "BAD_INTENT", "plan"),
        ({"plan": 5}, "BAD_QUESTION", "plan"),
        ({"plan": "x" * 20_001}, "BAD_QUESTION", "plan"),
        ({"title": "x" * 201}, "BAD_QUESTION", "title"),
        ({"title": None}, "BAD_QUESTION", "title"),
    ],
)
def test_a_plan_that_cannot_be_shown_is_refused_by_name(arguments: dict[str, Any], code: str, field: str) -> None:
    refused = taken(**arguments)
    assert (refused.code, refused.field) == (code, field)


def decided(**body: Any) -> Any:
    return validate(PLAN, parse_submission(body))


def test_each_decision_is_read_as_what_it_is() -> None:
    assert decided(decision="approve", planRevision=2) == PlanAnswer("approve")
    assert decided(decision="reject", feedback=" split it ") == PlanAnswer("reject", " split it ")
    edited = decided(decision="approve_with_edits", planRevision=2, plan=[{"goal": "Fly"}])
    assert edited == PlanAnswer("approve_with_edits", "", ("Fly",))
    assert decided(decision="chat", feedback="well") == Cancelled("reply_in_chat", "well")
    assert decided(cancelled=True, decision="approve", planRevision=2) == Cancelled()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "decision"),
        ({"decision": "Start"}, "decision"),
        ({"decision": "approve"}, "planRevision"),
        ({"decision": "approve_with_edits", "planRevision": 2}, "plan"),
        ({"decision": "approve_with_edits", "planRevision": 2, "plan": " "}, "plan"),
        ({"decision": "approve_with_edits", "planRevision": 2, "plan": "x" * 20_001}, "plan"),
        ({"decision": "reject", "plan": "other"}, "plan"),
        ({"decision": "approve", "planRevision": 2, "customInput": "yes"}, "customInput"),
        ({"decision": "approve", "planRevision": 2, "selections": ["Start"]}, "selections"),
    ],
)
def test_what_is_no_decision_is_refused_by_name(body: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidAnswer) as refused:
        decided(**body)
    assert field in [error.field for error in refused.value.errors]


@pytest.mark.parametrize(
    ("answer", "plan"),
    [
        (PlanAnswer("approve"), "1. Pack"),
        (PlanAnswer("approve_with_edits", "", "2. Fly"), "2. Fly"),
        (PlanAnswer("reject"), None),
    ],
)
def test_the_result_holds_the_plan_that_stands(answer: PlanAnswer, plan: str | None) -> None:
    result = results.answered(PLAN, "c", answer)
    assert json.loads(result.content) == {"status": "answered", "decision": answer.decision, "feedback": "", "plan": plan}
    assert not result.is_error


@pytest.mark.parametrize(
    ("status", "reason"), [("cancelled", ""), ("cancelled", "reply_in_chat"), ("expired", ""), ("aborted", "")]
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_h79_every_way_to_close_a_plan_says_that_it_is_not_approved(status: Any, reason: str, language: str) -> None:
    result = results.closed("plan_review", "c", status, reason, language)
    body = json.loads(result.content)
    assert (result.is_error, result.code, body["code"], body["status"]) == (
        True,
        "PLAN_NOT_APPROVED",
        "PLAN_NOT_APPROVED",
        status,
    )
    assert body.get("reason", "") == reason
    assert body["message"]


def test_the_audit_holds_the_decision_and_lengths_only() -> None:
    summary = summary_of(PLAN, PlanAnswer("approve_with_edits", "MY-SECRET-42", "1. Fly"))
    assert summary == {"decision": "approve_with_edits", "own_text": [12, 6], "skipped": 0}


def test_differences_are_lines_that_went_and_came() -> None:
    assert differences(["a", "b"], ["a", "c"], "en").endswith("```diff\n- b\n+ c\n```")
    assert "```" not in differences(["a"], ["a"], "zh")


def test_differences_cannot_leave_their_fence_and_are_bounded() -> None:
    text = differences(["````"], ["x" * 100] * 200, "en")
    assert len(text) < MAX_DIFFERENCES + 200
    assert text.count("`````") == 2
    assert "…" in text


def test_a_payload_of_a_plan_is_stored_and_read_back() -> None:
    assert read_payload(json.loads(json.dumps(stored_payload(PLAN)))) == PLAN
