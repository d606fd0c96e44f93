"""The built-in symbolic solver as a provider of turns. A turn is a pure function of the request."""

import json
from collections.abc import AsyncGenerator, Iterator
from functools import partial
from typing import Any

from apps.agent.messages import ToolCall, Turn
from apps.agent.model import ModelRequest, TextDelta
from apps.providers.builtin.answer import markdown, reading
from apps.providers.builtin.cards import MOST_REPHRASED, choice_card, in_words, quoted, rephrase_card
from apps.providers.builtin.conversation import ASK_TOOL, Conversation, read_conversation
from apps.providers.builtin.deciding import Choose, Decision, Greet, Refuse, Rephrase, Solved, decide
from apps.providers.builtin.drawing import DRAWING
from apps.providers.builtin.errands import next_errand
from apps.providers.builtin.figures import FIGURES
from apps.providers.builtin.planning import Move, next_move
from apps.providers.builtin.progress import SOLVE_TOOLS, read_progress
from apps.providers.builtin.wording import say
from apps.sandbox.pool import WorkerPool

SECONDS = 20
"""Time limit of one computation."""
_ERRANDS = {"plot": DRAWING, **FIGURES}
"""By the task: what another tool does."""
_POOL = WorkerPool("apps.providers.builtin.maths.worker")


class BuiltinModel:
    """Reads typed mathematics, asks where it is ambiguous, solves it with SymPy in a limited process, verifies the result."""

    name = "built-in symbolic solver (no language model)"
    is_language_model = False

    def __init__(self, pool: WorkerPool = _POOL) -> None:
        self._pool = pool

    async def warm(self) -> None:
        """Start a worker ahead of the first problem. Raises WorkerFailed."""
        await self._pool.warm()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | Turn]:
        """Yield the answer paragraph by paragraph, or a question, and at last the turn."""
        said = read_conversation(request.messages)
        decision = await decide(said.text, said.chosen, partial(self._pool.compute, seconds=SECONDS))
        text, call = _next(decision, said, request)
        for piece in _pieces(text):
            yield TextDelta(piece)
        yield Turn(text, () if call is None else (call,))


def _next(decision: Decision, said: Conversation, request: ModelRequest) -> tuple[str, ToolCall | None]:
    """Return the text and the call of the turn: a question first of all, then the plan and its steps, then the answer."""
    offered = {tool["function"]["name"] for tool in request.tools}
    text, card = _put(decision, said, ASK_TOOL in offered, request.language)
    if card is not None:
        return text, _call(ASK_TOOL, card)
    errand = _ERRANDS.get(decision.problem.task) if isinstance(decision, Solved) else None
    if errand is not None and isinstance(decision, Solved):
        return _made(next_errand(errand, decision, request.messages, offered, request.language))
    if not offered >= SOLVE_TOOLS:
        return text, None
    return _made(next_move(decision, read_progress(request.messages), text, request.language))


def _made(move: Move | str) -> tuple[str, ToolCall | None]:
    """Return the text and the call of a move."""
    return (move, None) if isinstance(move, str) else ("", _call(move.tool, move.arguments))


def _call(tool: str, arguments: dict[str, Any]) -> ToolCall:
    return ToolCall("", tool, json.dumps(arguments, ensure_ascii=False))


def _put(decision: Decision, said: Conversation, can_ask: bool, language: str) -> tuple[str, dict[str, Any] | None]:
    """Return the text of the turn and the card that goes with it, if any."""
    match decision:
        case Greet():
            return say("greeting", language), None
        case Solved():
            return markdown(decision.problem, decision.outcome, decision.form, language), None
        case Refuse():
            return _refusal(decision, language), None
        case Rephrase() if said.rephrased >= MOST_REPHRASED:
            return say("gave_up", language, parts=quoted(decision.parts, language)), None
        case Rephrase():
            return _ask(rephrase_card(decision.parts, decision.hint, said.rephrased, language), said, can_ask, language)
        case Choose():
            return _ask(choice_card(decision.choice, language), said, can_ask, language)


def _ask(card: dict[str, Any], said: Conversation, can_ask: bool, language: str) -> tuple[str, dict[str, Any] | None]:
    """Ask by a card; in words where none can be shown, or the last one brought no answer."""
    if said.unanswered in ("expired", "cancelled"):
        return in_words(card, "not_answered", language), None
    if said.unanswered or not can_ask:
        return in_words(card, "need", language), None
    return "", card


def _refusal(decision: Refuse, language: str) -> str:
    text = say("refused", language, reason=say(decision.reason, language, seconds=str(SECONDS)))
    if decision.problem is None:
        return text
    return f"{text}\n\n{say('read', language, reading=reading(decision.problem, language))}"


def _pieces(text: str) -> Iterator[str]:
    """Cut a text into its paragraphs, separators kept."""
    paragraphs = text.split("\n\n")
    for place, paragraph in enumerate(paragraphs):
        if paragraph:
            yield paragraph if place == len(paragraphs) - 1 else f"{paragraph}\n\n"
