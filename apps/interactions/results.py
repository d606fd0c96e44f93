"""Results: how an ask ended becomes the one result of its call, by kind."""

from collections.abc import Callable
from typing import Any, Literal

from apps.agent.messages import ToolResult
from apps.common.text import compact_json
from apps.interactions.answers import Answer, AskUserAnswer, QuestionsAnswer
from apps.interactions.contract import Ask, AskUser
from apps.interactions.guidance import say
from apps.interactions.submissions import QuestionAnswer

Closed = Literal["cancelled", "expired", "aborted"]
"""The ways in which an ask ends without an answer. A reply in chat is "cancelled" with the reason "reply_in_chat"."""

CLOSED_CODES: dict[Closed, str] = {"cancelled": "ASK_CANCELLED", "expired": "ASK_EXPIRED", "aborted": "ASK_ABORTED"}


def answered(ask: Ask, call_id: str, answer: Answer) -> ToolResult:
    """Return the result of an answered ask. `details` tell interfaces what was chosen, or how much was answered."""
    content: dict[str, Any]
    if isinstance(answer, AskUserAnswer):
        content = {
            "status": "answered",
            "selections": list(answer.selections),
            "customInput": answer.custom_input,
            "cancelled": False,
            **({} if answer.value is None else {"value": answer.value}),
            "answeredBy": "user",
        }
    else:
        content = {"status": "answered", "answers": [_answer(each) for each in answer.answers]}
    return ToolResult(call_id, compact_json(content), details=_details(ask, answer))


def closed(kind: str, call_id: str, status: Closed, reason: str, language: str) -> ToolResult:
    """Return the result of an ask that ended without an answer; `reason` is empty or "reply_in_chat"."""
    return _CLOSED[kind](call_id, status, reason, language)


def _answer(answer: QuestionAnswer) -> dict[str, Any]:
    own_text = {} if answer.custom is None else {"custom": answer.custom}
    return {"id": answer.id, "selected": list(answer.selected), **own_text}


def _details(ask: Ask, answer: Answer) -> dict[str, Any]:
    if isinstance(ask, AskUser) and isinstance(answer, AskUserAnswer):
        labels = {option.id: option.label for option in ask.options}
        return {"kind": "ask_user", "mode": ask.mode, "chosen": [labels[ident] for ident in answer.selections]}
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


_CLOSED: dict[str, Callable[[str, Closed, str, str], ToolResult]] = {
    "ask_user": _closed_ask_user,
    "questions": _closed_questions,
}
