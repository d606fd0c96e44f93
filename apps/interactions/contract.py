"""What can be put to the user: the questions as values, their limits, and the parameters that models are shown."""

import re
from dataclasses import dataclass
from typing import Any, Literal, get_args

from apps.interactions.guidance import say

Mode = Literal["single", "multiple", "text", "number", "date", "directory", "toggle"]
MODES: tuple[Mode, ...] = get_args(Mode)
OPTION_MODES: frozenset[Mode] = frozenset(("single", "multiple", "toggle"))
"""Modes that are answered by choosing; the others are answered by one typed text."""

MAX_TITLE = MAX_HEADER = 200
MAX_QUESTION = 2_000
MAX_DESCRIPTION = MAX_DETAIL = 20_000
MAX_LABEL = 500
MAX_OPTIONS = 50
MAX_QUESTIONS = 8
MAX_PLAN_OPTIONS = 2
PLAN_REVIEW = "plan-review"
MAX_CARD_BYTES = 64 * 1024
"""Characters, entries, and bytes of the whole card as JSON in UTF-8."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice. In `ask_user` its value is the id, in a question its label; `recommended` is a badge, nothing more."""

    label: str
    id: str = ""
    description: str = ""
    recommended: bool = False


@dataclass(frozen=True, slots=True)
class AskUser:
    """The one question of `ask_user`. Only an option mode has options and may allow own text beside them."""

    title: str
    mode: Mode
    description: str = ""
    options: tuple[Option, ...] = ()
    allow_custom: bool = False
    submit_label: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of a card. Without options it asks for free text; own text is always possible."""

    id: str
    question: str
    header: str = ""
    options: tuple[Option, ...] = ()
    multi_select: bool = False


@dataclass(frozen=True, slots=True)
class Intent:
    """What a question is for, set by product code only: the label that approves, and the kind (intents.py)."""

    approve: str
    kind: str = PLAN_REVIEW


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of one card, in order. All but these are product code's, never the model's.

    `detail` is the plan that is reviewed (Markdown), `description` what changed in it against the revision before.
    """

    questions: tuple[Question, ...]
    detail: str = ""
    intent: Intent | None = None
    plan_revision: int | None = None
    description: str = ""

    @property
    def is_plan_card(self) -> bool:
        """Whether this is drawn and answered as one plan; else its questions are put like all others."""
        if self.intent is None or self.intent.kind != PLAN_REVIEW or not self.detail or len(self.questions) != 1:
            return False
        question = self.questions[0]
        labels = [option.label for option in question.options]
        return not question.multi_select and len(labels) <= MAX_PLAN_OPTIONS and self.intent.approve in labels


@dataclass(frozen=True, slots=True)
class Approval:
    """A call of a tool that waits for its user; its arguments stand in the call. `description`: why it is asked anew."""

    tool: str
    description: str = ""


Ask = AskUser | QuestionSet
AnyAsk = Ask | Approval
"""Whatever one card holds."""

_RECOMMENDED = re.compile(r"\s*(?:\(recommended\)|\(推荐\)|（推荐）)\s*\Z", re.IGNORECASE)


def display_label(label: str) -> tuple[str, bool]:
    """Return the label as it is drawn and whether it bears the badge "recommended". The value stays the whole label."""
    shown = _RECOMMENDED.sub("", label)
    return (shown, True) if shown.strip() and shown != label else (label, False)


def ask_user_parameters(language: str) -> dict[str, Any]:
    """Return the JSON Schema of `ask_user`'s arguments."""
    option = {
        "id": _text(say("ask_user.option.id", language)),
        "label": _text(say("option.label", language)),
        "description": _text(say("option.description", language)),
        "recommended": _flag(say("ask_user.option.recommended", language)),
    }
    properties = {
        "title": _text(say("ask_user.title", language)),
        "description": _text(say("ask_user.description", language)),
        "mode": _text(say("ask_user.mode", language)) | {"enum": list(MODES)},
        "options": _array(say("ask_user.options", language), _object(option, ["id", "label"])),
        "allowCustom": _flag(say("ask_user.allowCustom", language)),
        "submitLabel": _text(say("ask_user.submitLabel", language)),
    }
    return _object(properties, ["title", "mode"])


def ask_user_question_parameters(language: str) -> dict[str, Any]:
    """Return the JSON Schema of `ask_user_question`'s arguments.

    Both forms are in it and so nothing is required at the top: hosted models refuse ``oneOf`` there.
    """
    flat = _question_properties(language)
    nested = {"id": _text(say("question.id", language))} | _question_properties(language)
    listed = _array(say("questions", language), _object(nested, ["question"]))
    return _object({"questions": listed} | flat, [])


def present_plan_parameters(language: str) -> dict[str, Any]:
    """Return the JSON Schema of `present_plan`'s arguments."""
    names = ("title", "plan", "approveLabel", "rejectLabel")
    properties = {name: _text(say(f"present_plan.{name}", language)) for name in names}
    return _object(properties, ["title", "plan"])


def _question_properties(language: str) -> dict[str, Any]:
    option = {
        "label": _text(say("question.option.label", language)),
        "description": _text(say("option.description", language)),
    }
    return {
        "question": _text(say("question.question", language)),
        "header": _text(say("question.header", language)),
        "options": _array(say("question.options", language), _object(option, ["label"])),
        "multi_select": _flag(say("question.multi_select", language)),
    }


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


def _array(description: str, items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "description": description, "items": items}


def _object(properties: dict[str, Any], required: list[str]) -> dict[str, Any]:
    # An empty "required" is refused by older JSON Schema drafts, which some servers still check by.
    return {"type": "object", "properties": properties} | ({"required": required} if required else {})
