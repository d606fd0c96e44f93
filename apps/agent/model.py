"""The port to a model: what the loop sends, and what a provider yields."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from apps.agent.messages import Turn


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request.

    `messages` have the OpenAI chat shape: ``{"role": "system"|"user"|"assistant"|"tool", "content": str}``, an
    assistant's ``"tool_calls": [{"id", "type": "function", "function": {"name", "arguments"}, "extras"?: {…}}]``, a
    tool's ``"tool_call_id"`` and ``"name"``; an assistant message may hold ``"extras": {…}``, the provider's own
    fields as they came. Every call is answered once, adjacent, in order. Do not change them: they are shared.
    `tools` are ``{"type": "function", "function": {"name", "description", "parameters"}}``; empty: no tools offered.
    `language` is "en" or "zh" and is for providers that write their own words.
    """

    messages: Sequence[dict[str, Any]]
    tools: Sequence[dict[str, Any]] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    language: str = "en"


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A further piece of the turn's text."""

    text: str


@dataclass(frozen=True, slots=True)
class StartOver:
    """The round starts over (a cut stream is retried): forget the pieces so far."""


class ModelError(Exception):
    """The model gave no usable turn. `code` is stable; the text is safe to show (no key, no address, no body)."""

    def __init__(self, code: str, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.code, self.message, self.retryable = code, message, retryable


class Model(Protocol):
    """A provider of turns. One that is no language model says so by ``is_language_model = False``."""

    name: str
    """What people, audit and API are told, such as ``openai:gpt-x`` or ``built-in symbolic solver (no language model)``."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | StartOver | Turn]:
        """Yield pieces of text and at last exactly one Turn. Call ids may be empty: the loop makes them.

        Raises ModelError. Cancelling the iteration ends the request.
        """
        ...
