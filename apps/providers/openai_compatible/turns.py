"""The frames of one answer, put together into a turn."""

from collections.abc import Collection, Mapping
from typing import Any, Literal

from apps.agent.messages import Turn
from apps.providers.openai_compatible.calls import CallAssembler
from apps.providers.openai_compatible.characters import TextPieces, storable
from apps.providers.openai_compatible.failures import failure_in_stream

_STANDARD = ("role", "content", "tool_calls", "function_call", "refusal")
_TRUNCATED = ("length", "max_tokens", "max_output_tokens", "model_length")


def is_reasoning(name: str) -> bool:
    """Say whether a field of a message holds the model's reasoning: its texts come in pieces."""
    return any(word in name.lower() for word in ("reasoning", "thinking", "thought"))


class TurnBuilder:
    """Takes in frames, streamed deltas or one whole message, until the turn is finished.

    `known_names` are the names of the tools offered. `has_begun`: a part of a turn was seen.
    """

    def __init__(self, known_names: Collection[str] = ()) -> None:
        self._text = TextPieces()
        self._calls = CallAssembler(known_names)
        self._extras: dict[str, Any] = {}
        self._finish = ""
        self._is_whole = False
        self.has_begun = False
        self._usage: Mapping[str, Any] = {}

    @property
    def is_finished(self) -> bool:
        """Say whether the server said why it stopped, or sent a whole message."""
        return bool(self._finish) or self._is_whole

    @property
    def could_be_whole(self) -> bool:
        """Say whether what came makes a turn, for servers that end without a reason."""
        return self._calls.are_complete and bool(self._text.text or self._calls)

    def feed(self, frame: Mapping[str, Any]) -> str:
        """Take in a frame; return the text that it adds. Raises Failure if the frame is an error."""
        if frame.get("error") or frame.get("object") == "error":
            raise failure_in_stream(frame)
        if isinstance(usage := frame.get("usage"), dict):
            self._usage = usage
        choice = _first_choice(frame)
        if choice.get("finish_reason") == "error":
            raise failure_in_stream(choice)
        self.has_begun = self.has_begun or bool(choice)
        self._finish = str(choice.get("finish_reason") or self._finish)
        if isinstance(delta := choice.get("delta"), dict):
            return self._add(delta)
        return self._add_whole(choice.get("message"))

    def turn(self) -> Turn:
        """Return the turn."""
        finish: Literal["stop", "length"] = "length" if self._finish.lower() in _TRUNCATED else "stop"
        return Turn(
            text=self._text.text,
            calls=self._calls.calls(),
            finish=finish,
            extras=storable(self._extras),
            input_tokens=_count(self._usage.get("prompt_tokens")),
            output_tokens=_count(self._usage.get("completion_tokens")),
        )

    def _add(self, delta: Mapping[str, Any]) -> str:
        self._calls.add(delta.get("tool_calls"))
        if isinstance(legacy := delta.get("function_call"), dict):
            self._calls.add([{"function": legacy}])
        for name, value in delta.items():
            if name not in _STANDARD and value not in (None, "", [], {}):
                self._extras[name] = _grown(name, self._extras.get(name), value)
        return self._text.push(_written(delta.get("content")) + _written(delta.get("refusal")))

    def _add_whole(self, message: object) -> str:
        if not isinstance(message, dict) or self._text.text or self._calls:
            # Some servers repeat the whole message at the end of the deltas.
            return ""
        self._is_whole = True
        self._calls.add_whole(message.get("tool_calls"))
        return self._add({**message, "tool_calls": None})


def _first_choice(frame: Mapping[str, Any]) -> Mapping[str, Any]:
    choices = frame.get("choices")
    for choice in choices if isinstance(choices, list) else ():
        if isinstance(choice, dict) and not choice.get("index"):
            return choice
    return {}


def _written(content: object) -> str:
    """Return the text of a content: a text, or parts of which some are text."""
    if isinstance(content, list):
        return "".join(_written(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _grown(name: str, kept: Any, value: Any) -> Any:
    """Join a provider's field over the deltas: reasoning grows, lists grow, of anything else the last value stands."""
    match kept, value:
        case str(), str() if is_reasoning(name):
            return kept + value
        case list(), list():
            return kept + value
        case dict(), dict():
            return {**kept, **value}
        case _:
            return value


def _count(value: object) -> int:
    return value if isinstance(value, int) and value > 0 else 0
