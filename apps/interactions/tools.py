"""The two ask tools as the loop mounts them."""

import hashlib
from typing import Any, Literal

from apps.agent.messages import ToolCall
from apps.agent.tools import AskRequest, Refusal
from apps.common.text import canonical_json
from apps.interactions.contract import (
    Ask,
    AskUser,
    Option,
    QuestionSet,
    ask_user_parameters,
    ask_user_question_parameters,
)
from apps.interactions.guidance import say
from apps.interactions.intake import TakenIn, take_in_ask_user, take_in_questions
from apps.interactions.payload import stored_payload


class AskUserTool:
    """`ask_user`: one question in one of seven modes. Closing it, or letting it expire, ends the run by default."""

    name = "ask_user"
    asks: Literal[True] = True

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        description = say("ask_user", language)
        return {"name": self.name, "description": description, "parameters": ask_user_parameters(language)}

    def prepare(self, call: ToolCall, language: str) -> AskRequest | Refusal:
        """Take in what the model sent."""
        taken = take_in_ask_user(call, language)
        if isinstance(taken, Refusal):
            return taken
        return AskRequest(
            kind="ask_user",
            mode=taken.ask.mode,
            payload=stored_payload(taken.ask),
            repairs=taken.repairs,
            fingerprint=fingerprint(taken.ask),
            on_timeout="stop",
            cancel_stops=True,
        )


class AskUserQuestionTool:
    """`ask_user_question`: a card of up to eight questions. Without an answer the model goes on by default."""

    name = "ask_user_question"
    asks: Literal[True] = True

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        description = say("ask_user_question", language)
        return {"name": self.name, "description": description, "parameters": ask_user_question_parameters(language)}

    def prepare(self, call: ToolCall, language: str) -> AskRequest | Refusal:
        """Take in what the model sent."""
        taken = take_in_questions(call, language)
        if isinstance(taken, Refusal):
            return taken
        return questions_request(taken)


def questions_request(taken: TakenIn[QuestionSet]) -> AskRequest:
    """Return the request for questions, whichever tool puts them."""
    return AskRequest(
        kind="questions",
        mode="form",
        payload=stored_payload(taken.ask),
        repairs=taken.repairs,
        fingerprint=fingerprint(taken.ask),
        on_timeout="continue",
        cancel_stops=False,
    )


def fingerprint(ask: Ask) -> str:
    """Return 64 hex digits that are equal for questions that a person reads as word for word the same.

    Ids, buttons and badges are left out: another id makes no other question.
    """
    return hashlib.sha256(canonical_json(_words(ask)).encode()).hexdigest()


def _words(ask: Ask) -> list[Any]:
    if isinstance(ask, AskUser):
        return ["ask_user", ask.mode, ask.title, ask.description, ask.allow_custom, _options(ask.options)]
    questions = [[each.header, each.question, each.multi_select, _options(each.options)] for each in ask.questions]
    return ["questions", ask.detail, questions]


def _options(options: tuple[Option, ...]) -> list[list[str]]:
    return [[option.label, option.description] for option in options]
