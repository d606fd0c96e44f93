"""The one serialiser of a card: what is stored of a question, and what event, pending list and history show of it."""

from collections.abc import Mapping
from typing import Any

from apps.interactions.contract import AnyAsk, Approval, Ask, AskUser, Intent, Option, Question, QuestionSet

PLAN_MODE = "plan_review"
"""The mode of a card that is one plan; its one question's text and options stand at the top."""
APPROVAL_MODE = "approval"
"""The mode of a card that is one call; the event, not the row, carries its arguments."""

CONTENT_KEYS = (
    "title",
    "mode",
    "description",
    "options",
    "allowCustom",
    "submitLabel",
    "questions",
    "detail",
    "intent",
    "planRevision",
)
"""The keys of a stored payload, in wire order. All are always present: not given is ``""``, ``[]``, False or None."""

_EMPTY: dict[str, Any] = {
    "title": "",
    "mode": "",
    "description": "",
    "options": [],
    "allowCustom": False,
    "submitLabel": "",
    "questions": [],
    "detail": "",
    "intent": None,
    "planRevision": None,
}


def stored_payload(ask: Ask) -> dict[str, Any]:
    """Return the JSON that is stored of a question: every key of CONTENT_KEYS."""
    return _EMPTY | (_of_ask_user(ask) if isinstance(ask, AskUser) else _of_questions(ask))


def read_payload(stored: Mapping[str, Any]) -> AnyAsk:
    """Return the question that `stored_payload` wrote; of an approval the loop stores what its card needs."""
    if stored["mode"] == APPROVAL_MODE:
        return Approval(stored["title"], stored["description"])
    if stored["questions"] or stored["mode"] == PLAN_MODE:
        return QuestionSet(
            questions=_read_questions(stored),
            detail=stored["detail"],
            intent=Intent(**stored["intent"]) if stored["intent"] else None,
            plan_revision=stored["planRevision"],
            description=stored["description"],
        )
    return AskUser(
        title=stored["title"],
        mode=stored["mode"],
        description=stored["description"],
        options=tuple(_read_option(option) for option in stored["options"]),
        allow_custom=stored["allowCustom"],
        submit_label=stored["submitLabel"],
    )


def card_payload(
    stored: Mapping[str, Any] | None,
    *,
    request_id: str,
    session_id: str,
    run_id: str,
    tool_call_id: str,
    kind: str,
    created_at: str,
    expires_at: str | None,
    resumable: bool,
) -> dict[str, Any]:
    """Return a card as event, pending list and history show it; times are RFC 3339 texts in UTC.

    An empty `stored` means that the words were erased: their keys are null then, and ``erased`` is true.
    """
    words = {key: stored.get(key, _EMPTY[key]) for key in CONTENT_KEYS} if stored else dict.fromkeys(CONTENT_KEYS)
    card = {
        "id": request_id,
        "sessionId": session_id,
        "runId": run_id,
        "toolCallId": tool_call_id,
        "kind": kind,
        **words,
        "createdAt": created_at,
        "expiresAt": expires_at,
        "resumable": resumable,
    }
    return card if stored else card | {"erased": True}


def _of_ask_user(ask: AskUser) -> dict[str, Any]:
    return {
        "title": ask.title,
        "mode": ask.mode,
        "description": ask.description,
        "options": [{"id": option.id} | _of_option(option) for option in ask.options],
        "allowCustom": ask.allow_custom,
        "submitLabel": ask.submit_label,
    }


def _of_questions(ask: QuestionSet) -> dict[str, Any]:
    first = ask.questions[0]
    whole = {
        "description": ask.description,
        "detail": ask.detail,
        "intent": {"kind": ask.intent.kind, "approve": ask.intent.approve} if ask.intent else None,
        "planRevision": ask.plan_revision,
    }
    if ask.is_plan_card:
        return whole | {"title": first.question, "mode": PLAN_MODE, "options": [_of_option(o) for o in first.options]}
    questions = [_of_question(question) for question in ask.questions]
    return whole | {"title": first.header or first.question, "mode": "form", "questions": questions}


def _of_question(question: Question) -> dict[str, Any]:
    return {
        "id": question.id,
        "header": question.header,
        "question": question.question,
        "options": [_of_option(option) for option in question.options],
        "multiSelect": question.multi_select,
    }


def _of_option(option: Option) -> dict[str, Any]:
    return {"label": option.label, "description": option.description, "recommended": option.recommended}


def _read_questions(stored: Mapping[str, Any]) -> tuple[Question, ...]:
    if stored["mode"] == PLAN_MODE:
        return (Question("plan", stored["title"], options=tuple(_read_option(option) for option in stored["options"])),)
    return tuple(_read_question(question) for question in stored["questions"])


def _read_question(stored: Mapping[str, Any]) -> Question:
    return Question(
        id=stored["id"],
        question=stored["question"],
        header=stored["header"],
        options=tuple(_read_option(option) for option in stored["options"]),
        multi_select=stored["multiSelect"],
    )


def _read_option(stored: Mapping[str, Any]) -> Option:
    return Option(
        label=stored["label"],
        id=stored.get("id", ""),
        description=stored["description"],
        recommended=stored["recommended"],
    )
