"""`reason`: ask the run's model one question by itself; its answer is the result, its tokens are the run's."""

from dataclasses import dataclass, replace
from typing import Any

from apps.agent.asking import refused
from apps.agent.consulting import Consult
from apps.agent.messages import ToolCall, ToolResult, Turn
from apps.agent.model import ModelError
from apps.agent.tools import Effect, Refusal, ToolContext
from apps.common.text import clean_stored, compact_json, is_blank
from apps.interactions.arguments import Reader, Unusable
from apps.toolkit.reasoning.words import say

MAX_QUERY, MAX_CONTEXT = 20_000, 60_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class Question:
    """A call as it was sent, fit to be asked."""

    query: str
    context: str


class Reason:
    """Asks the model. Doing it twice costs twice and changes nothing."""

    name = "reason"
    effect: Effect = "compute"
    idempotent = True

    def __init__(self, consult: Consult | None = None) -> None:
        """Without a model it is only shown; the segment that runs it lends its own."""
        self._consult = consult

    def consulting(self, consult: Consult) -> "Reason":
        """Return the tool with the model at hand."""
        return Reason(consult)

    def schema(self, language: str) -> dict[str, Any]:
        """Return ``{"name", "description", "parameters"}``."""
        names = ("query", "context")
        properties = {name: {"type": "string", "description": say(f"reason.{name}", language)} for name in names}
        parameters = {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}
        return {"name": self.name, "description": say(self.name, language), "parameters": parameters}

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Ask, and return the answer; a model that fails is a result that says so."""
        assert self._consult is not None, "only a segment can lend its model"
        question = read(call, context.language)
        if isinstance(question, Refusal):
            return refused(call, question)
        try:
            turn = await self._consult(say("system", context.language), _text(question, context.language))
        except ModelError as error:
            return refused(call, _failed(error.message, context.language))
        return _result(call, turn, context.language)


def read(call: ToolCall, language: str) -> Question | Refusal:
    """Read a call."""
    reader = Reader(language)
    try:
        source = reader.arguments(call, "form.object")
        query = _given(reader, source, "query", MAX_QUERY)
        if is_blank(query):
            raise reader.unusable("blank", "query", form="form.text")
        return Question(query, _given(reader, source, "context", MAX_CONTEXT))
    except Unusable as unusable:
        return Refusal("BAD_ARGUMENT", unusable.refusal.message, unusable.refusal.field)


def _given(reader: Reader, source: dict[str, Any], name: str, limit: int) -> str:
    given = source.get(name)
    text = "" if given is None else given
    if not isinstance(text, str):
        raise reader.unusable("wrong_type", name, form="form.text")
    if len(text) > limit:
        raise reader.unusable("too_long", name, count=len(text), limit=limit)
    return clean_stored(text)


def _text(question: Question, language: str) -> str:
    if is_blank(question.context):
        return question.query
    return say("question", language, query=question.query, context=question.context)


def _failed(reason: str, language: str) -> Refusal:
    return Refusal("REASON_FAILED", say("failed", language, reason=reason))


def _result(call: ToolCall, turn: Turn, language: str) -> ToolResult:
    """Return the answer, and what it has used, which an empty one has too."""
    text = clean_stored(turn.text).strip()
    if is_blank(text):
        result = refused(call, _failed(say("empty", language), language))
    else:
        details = {"inputTokens": turn.input_tokens, "outputTokens": turn.output_tokens}
        content = {"status": "done", "answer": text, "is_cut": turn.finish == "length"}
        result = ToolResult(call.id, compact_json(content), details=details)
    return replace(result, input_tokens=turn.input_tokens, output_tokens=turn.output_tokens)
