"""The rule of every request, and its breaches in words (H38, H45)."""

from typing import Any

import pytest

from apps.providers.openai_compatible.history import BrokenHistory, check_history

USER = {"role": "user", "content": "x"}


def calls(*ids: str) -> dict[str, Any]:
    made = [{"id": call_id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for call_id in ids]
    return {"role": "assistant", "content": "", "tool_calls": made}


def result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "name": "f", "content": "{}"}


@pytest.mark.parametrize(
    "messages",
    [
        [],
        [USER, {"role": "assistant", "content": "y"}, USER],
        [USER, calls("a", "b"), result("a"), result("b"), USER],
        [USER, calls("a"), result("a"), calls("a"), result("a")],
    ],
)
def test_good_histories_pass(messages: list[dict[str, Any]]) -> None:
    check_history(messages)


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([USER, calls("a")], "leaves call 'a' without a result"),
        ([calls("a"), USER, result("a")], "call 'a' has no result before the next message"),
        ([calls("a", "b"), result("a"), USER], "call 'b' has no result before the next message"),
        ([calls("a", "b"), result("b"), result("a")], "comes before that of 'a'"),
        ([calls("a"), result("a"), result("a")], "answers no open call"),
        ([USER, result("a")], "answers no open call"),
        ([calls("a", "a"), result("a")], "the id of another call"),
        ([calls(""), result("")], "a call has no id"),
    ],
)
def test_h38_h45_broken_histories_are_named(messages: list[dict[str, Any]], words: str) -> None:
    with pytest.raises(BrokenHistory, match=words):
        check_history(messages)
