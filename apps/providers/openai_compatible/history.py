"""The rule that every request keeps: calls are answered once, adjacent, in order."""

from collections.abc import Mapping, Sequence
from typing import Any


class BrokenHistory(ValueError):
    """A request would break the rule. A fault of the program: nothing was sent."""


def check_history(messages: Sequence[Mapping[str, Any]]) -> None:
    """Raise BrokenHistory, saying where and how, unless every call is answered once, adjacent, in order."""
    waiting: list[str] = []
    for position, message in enumerate(messages):
        if message["role"] == "tool":
            _take_result(waiting, message["tool_call_id"], position)
        elif waiting:
            raise BrokenHistory(f"messages[{position}]: call {waiting[0]!r} has no result before the next message")
        elif message["role"] == "assistant":
            waiting = _calls_of(message, position)
    if waiting:
        raise BrokenHistory(f"the last message leaves call {waiting[0]!r} without a result")


def _take_result(waiting: list[str], call_id: str, position: int) -> None:
    if call_id not in waiting:
        raise BrokenHistory(f"messages[{position}]: a result for {call_id!r} answers no open call")
    if waiting[0] != call_id:
        raise BrokenHistory(f"messages[{position}]: a result for {call_id!r} comes before that of {waiting[0]!r}")
    del waiting[0]


def _calls_of(message: Mapping[str, Any], position: int) -> list[str]:
    ids = [call["id"] for call in message.get("tool_calls") or ()]
    if not all(ids) or len(set(ids)) != len(ids):
        raise BrokenHistory(f"messages[{position}]: a call has no id, or the id of another call")
    return ids
