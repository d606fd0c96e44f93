"""The model's view of a run: the messages of the next request, kept valid for every provider while they grow."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.agent.messages import ToolCall, ToolResult, Turn
from apps.agent.words import say

NOTE_MARK = "[note] "
"""Begins the engine's notes, which go to the model in role user."""

Message = dict[str, Any]


def user(text: str) -> Message:
    """Return a message of role user."""
    return {"role": "user", "content": text}


def assistant(turn: Turn) -> Message:
    """Return a turn as an assistant message, the provider's own fields kept as they came."""
    message: Message = {"role": "assistant", "content": turn.text}
    if turn.calls:
        message["tool_calls"] = [_call(call) for call in turn.calls]
    if turn.extras:
        message["extras"] = turn.extras
    return message


def _call(call: ToolCall) -> Message:
    made: Message = {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
    return made | {"extras": call.extras} if call.extras else made


def tool(call: ToolCall, result: ToolResult) -> Message:
    """Return a result as a tool message."""
    return {"role": "tool", "tool_call_id": call.id, "name": call.name, "content": result.content}


def length(message: Mapping[str, Any]) -> int:
    """Count the characters that a message takes in a request."""
    calls = message.get("tool_calls", ())
    return len(message["content"]) + sum(len(c["function"]["arguments"]) + len(c["function"]["name"]) for c in calls)


class View:
    """The messages of one run's requests: system text, earlier runs oldest first, the current run.

    Whole earlier runs are left out, oldest first, while the request is longer than `limit` characters; the current
    run is never cut.
    """

    def __init__(self, system: str, earlier: Sequence[Sequence[Message]], limit: int, language: str) -> None:
        self._head: list[Message] = [{"role": "system", "content": system}]
        self._earlier = list(earlier)
        self._earlier_lengths = [sum(map(length, run)) for run in self._earlier]
        self._limit, self._language = limit, language
        self._left_out = False
        self._own_length = len(system)
        self._waiting: dict[str, int] = {}
        self._pieces = 0
        self._turn_at = 0
        self._lasting: list[Message] = []
        self.messages: list[Message] = []
        self._own: list[Message] = []
        self._rebuild()

    @property
    def too_long(self) -> bool:
        """Say whether the current run alone is longer than the limit."""
        return self._own_length > self._limit

    def say(self, text: str) -> None:
        """Append what the user wrote; it is never folded away."""
        self._append(user(text))
        self._lasting.append(self._own[-1])

    def note(self, text: str, *, is_lasting: bool = False) -> None:
        """Append a note of the engine; a lasting one is never folded away."""
        self._append(user(NOTE_MARK + text))
        if is_lasting:
            self._lasting.append(self._own[-1])
        if self._pieces:
            self._pieces += 1

    def truncated(self, turn: Turn) -> None:
        """Append a truncated turn; the turn that continues it will take its place."""
        self._drop_pieces()
        if turn.text:
            self._append(assistant(turn))
            self._pieces = 1

    def turn(self, turn: Turn) -> None:
        """Append a turn and keep the places of its results directly after it, in call order."""
        self._drop_pieces()
        if not turn.calls and not turn.text.strip():
            return  # an empty assistant message is refused by some providers
        self._turn_at = len(self._own)
        self._append(assistant(turn))
        for call in turn.calls:
            self._waiting[call.id] = len(self._own)
            self._append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": ""})

    def result(self, call: ToolCall, result: ToolResult) -> None:
        """Put a result in its place."""
        message = tool(call, result)
        at = self._waiting.pop(call.id)
        self.messages[at - len(self._own)] = message
        self._own[at] = message
        self._grow(length(message))

    def fold(self, checkpoint: str) -> None:
        """Let the checkpoint stand for all that came before the last turn but what lasts. No call may be open."""
        assert not self._waiting
        kept = self._own[self._turn_at :]
        self._own = [*self._lasting, user(checkpoint), *kept]
        self._turn_at = len(self._own) - len(kept)
        self._own_length = length(self._head[0]) + sum(map(length, self._own))
        self._rebuild()

    def _append(self, message: Message) -> None:
        self._own.append(message)
        self.messages.append(message)
        self._grow(length(message))

    def _drop_pieces(self) -> None:
        if self._pieces:
            for message in self._own[-self._pieces :]:
                self._own_length -= length(message)
            del self._own[-self._pieces :]
            del self.messages[-self._pieces :]
            self._pieces = 0

    def _grow(self, characters: int) -> None:
        self._own_length += characters
        if self._earlier and self._own_length + sum(self._earlier_lengths) > self._limit:
            self._leave_out()

    def _leave_out(self) -> None:
        while self._earlier and self._own_length + sum(self._earlier_lengths) > self._limit:
            del self._earlier[0], self._earlier_lengths[0]
            self._left_out = True
        self._rebuild()

    def _rebuild(self) -> None:
        if self._earlier and self._own_length + sum(self._earlier_lengths) > self._limit:
            self._leave_out()
            return
        gap = [user(NOTE_MARK + say("left_out", self._language))] if self._left_out else []
        # A new list: a request that is under way keeps its own.
        self.messages = [*self._head, *gap, *(m for run in self._earlier for m in run), *self._own]
