"""Results: how an ask ended becomes the one result of its call, by kind."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from apps.agent.messages import ToolResult
from apps.common.text import compact_json
from apps.interactions import approvals
from apps.interactions.answers import AskUserAnswer, PlanAnswer, QuestionsAnswer
from apps.interactions.contract import AnyAsk, AskUser, QuestionSet
from apps.interactions.guidance import say
from apps.interactions.submissions import QuestionAnswer

Asked = AskUserAnswer | QuestionsAnswer | PlanAnswer
"""Answers that are the results of their calls; of a call that was allowed its tool makes the result."""

Closed = Literal["cancelled", "expired", "aborted"]
"""The ways in which an ask ends without an answer. A reply in chat is "cancelled" with the reason "reply_in_chat"."""

CLOSED_CODES: dict[Closed, str] = {"cancelled": "ASK_CANCELLED", "expired": "ASK_EXPIRED", "aborted": "ASK_ABORTED"}


PLAN_NOT_APPROVED = "PLAN_NOT_APPROVED"
"""The code of every way out of a plan card but a decision."""


def answered(ask: AnyAsk, call_id: str, answer: Asked) -> ToolResult:
    """Return the result of an answered ask. `details` tell interfaces what was chosen, or how much was answered."""
    return ToolResult(call_id, compact_json({"status": "answered"} | _content(ask, answer)), details=_details(ask, answer))


def closed(kind: str, call_id: str, status: Closed, reason: str, language: str, feedback: str = "") -> ToolResult:
    """Return the result of an ask that ended without an answer; `reason` is empty or "reply_in_chat"."""
    result = _CLOSED[kind](call_id, status, reason, language)
    return replace(result, content=compact_json(json.loads(result.content) | {"feedback": feedback})) if feedback else result


def _content(ask: AnyAsk, answer: Asked) -> dict[str, Any]:
    match answer:
        case AskUserAnswer():
            return {
                "selections": list(answer.selections),
                "customInput": answer.custom_input,
                "cancelled": False,
                **({} if answer.value is None else {"value": answer.value}),
                "answeredBy": "user",
            }
        case QuestionsAnswer():
            return {"answers": [_answer(each) for each in answer.answers]}
        case PlanAnswer():
            return {"decision": answer.decision, "feedback": answer.feedback, "plan": _standing_plan(ask, answer)}


def _standing_plan(ask: AnyAsk, answer: PlanAnswer) -> Any:
    """Return the plan that stands after the decision; None: none does."""
    assert isinstance(ask, QuestionSet)
    return {"approve": ask.detail, "approve_with_edits": answer.plan, "reject": None}[answer.decision]


def _answer(answer: QuestionAnswer) -> dict[str, Any]:
    own_text = {} if answer.custom is None else {"custom": answer.custom}
    return {"id": answer.id, "selected": list(answer.selected), **own_text}


def _details(ask: AnyAsk, answer: Asked) -> dict[str, Any]:
    if isinstance(ask, AskUser) and isinstance(answer, AskUserAnswer):
        labels = {option.id: option.label for option in ask.options}
        return {"kind": "ask_user", "mode": ask.mode, "chosen": [labels[ident] for ident in answer.selections]}
    if isinstance(answer, PlanAnswer):
        return {"kind": "plan_review", "mode": "plan_review", "decision": answer.decision}
    assert isinstance(answer, QuestionsAnswer)
    count = sum(1 for each in answer.answers if each.selected or each.custom)
    return {"kind": "questions", "mode": "form", "asked": len(answer.answers), "answered": count}


def _closed_ask_user(call_id: str, status: Closed, reason: str, language: str) -> ToolResult:
    content: dict[str, Any] = {
        "status": status,
        "selections": [],
        "customInput": "",
        "cancelled": status != "expired",
        **({"answeredBy": "timeout"} if status == "expired" else {}),
        **({"reason": reason} if reason else {}),
    }
    return ToolResult(call_id, compact_json(content), details={"kind": "ask_user", "chosen": []})


def _closed_questions(call_id: str, status: Closed, reason: str, language: str) -> ToolResult:
    code = CLOSED_CODES[status]
    content = {"status": status, "code": code, "message": say(f"closed.{reason or status}", language)}
    return ToolResult(
        call_id,
        compact_json(content | ({"reason": reason} if reason else {})),
        is_error=True,
        details={"kind": "questions"},
        code=code,
    )


def _closed_plan(call_id: str, status: Closed, reason: str, language: str) -> ToolResult:
    content = {"status": status, "code": PLAN_NOT_APPROVED, "message": say(f"plan_closed.{reason or status}", language)}
    return ToolResult(
        call_id,
        compact_json(content | ({"reason": reason} if reason else {})),
        is_error=True,
        details={"kind": "plan_review"},
        code=PLAN_NOT_APPROVED,
    )


def _closed_approval(call_id: str, status: Closed, reason: str, language: str) -> ToolResult:
    if status == "aborted":
        return approvals.stopped(call_id, language)
    return approvals.denied(call_id, approvals.REASONS[status], language)


_CLOSED: dict[str, Callable[[str, Closed, str, str], ToolResult]] = {
    "ask_user": _closed_ask_user,
    "questions": _closed_questions,
    "plan_review": _closed_plan,
    "approval": _closed_approval,
}
