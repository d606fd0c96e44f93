"""Frames become one turn: text, calls, finish, usage, and what only the provider understands."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agent.messages import Turn
from apps.providers.openai_compatible.failures import Failure
from apps.providers.openai_compatible.turns import TurnBuilder


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def built(*frames: dict[str, Any]) -> tuple[Turn, str]:
    builder = TurnBuilder(["ask_user"])
    shown = "".join(builder.feed(frame) for frame in frames)
    return builder.turn(), shown


@given(st.text(st.characters(codec=None)), st.integers(1, 3))
def test_pieces_shown_are_the_turns_text(text: str, size: int) -> None:
    utf16 = text.encode("utf-16-le", "surrogatepass")
    halves = [utf16[start : start + 2 * size].decode("utf-16-le", "surrogatepass") for start in range(0, len(utf16), 2 * size)]
    turn, shown = built(*(delta(content=half) for half in halves), delta("stop"))
    assert shown == turn.text
    assert turn.text == utf16.decode("utf-16-le", "ignore").replace("\x00", "")


def test_nul_and_half_characters_are_removed() -> None:
    turn, shown = built(delta(content="a\x00b\ud800c"), delta("stop"))
    assert turn.text == shown == "abc"


@pytest.mark.parametrize("content", [None, "", [], 7])
def test_content_that_is_no_text_is_empty(content: Any) -> None:
    assert built(delta("stop", role="assistant", content=content))[0].text == ""


def test_content_in_parts_gives_its_texts() -> None:
    parts = [{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "Yes"}]
    assert built(delta("stop", content=parts))[0].text == "Yes"


def test_refusal_is_shown_as_text() -> None:
    assert built(delta(refusal="I can"), delta("stop", refusal="not."))[0].text == "I cannot."


@pytest.mark.parametrize(
    ("reason", "finish"),
    [("stop", "stop"), ("tool_calls", "stop"), ("content_filter", "stop"), ("length", "length"), ("MAX_TOKENS", "length")],
)
def test_only_a_truncated_turn_finishes_with_length(reason: str, finish: str) -> None:
    assert built(delta(reason, content="x"))[0].finish == finish


def test_h43_reasoning_grows_and_stays_out_of_the_text() -> None:
    turn, shown = built(delta(reasoning_content="First "), delta(reasoning_content="then.\u2028"), delta("stop", content="Yes."))
    assert (turn.text, shown) == ("Yes.", "Yes.")
    assert turn.extras == {"reasoning_content": "First then.\u2028"}


def test_h44_fields_of_the_message_are_kept_as_they_came() -> None:
    turn, _ = built(
        delta(reasoning_details=[{"type": "reasoning.encrypted", "data": "e30=", "index": 0}], provider="p", audio=None),
        delta("stop", reasoning_details=[{"type": "reasoning.text", "text": "x", "index": 1}], provider="p", meta={"n": 1.5}),
    )
    details = [{"type": "reasoning.encrypted", "data": "e30=", "index": 0}, {"type": "reasoning.text", "text": "x", "index": 1}]
    assert turn.extras == {"reasoning_details": details, "provider": "p", "meta": {"n": 1.5}}


def test_legacy_function_call_becomes_a_call_without_id() -> None:
    turn, _ = built(
        delta(content=None, function_call={"name": "ask_user", "arguments": '{"ti'}),
        delta("function_call", function_call={"arguments": 'tle":"T"}'}),
    )
    assert [(call.id, call.name, call.arguments) for call in turn.calls] == [("", "ask_user", '{"title":"T"}')]


def test_whole_message_is_a_turn() -> None:
    calls = [{"id": "A", "type": "function", "function": {"name": "ask_user", "arguments": "{}"}} for _ in range(2)]
    message = {"role": "assistant", "content": "Hi", "tool_calls": calls, "reasoning_content": "hm", "refusal": None}
    turn, shown = built({"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": {"prompt_tokens": 3}})
    assert (turn.text, shown, len(turn.calls), turn.extras) == ("Hi", "Hi", 2, {"reasoning_content": "hm"})
    assert (turn.input_tokens, turn.output_tokens) == (3, 0)


def test_message_repeated_after_its_deltas_is_not_doubled() -> None:
    turn, _ = built(delta(content="Hi"), {"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]})
    assert turn.text == "Hi"


def test_last_usage_counts() -> None:
    usages = [{"prompt_tokens": 5, "completion_tokens": n} for n in (1, 2)]
    turn, _ = built(
        {**delta(content="a"), "usage": usages[0]}, delta("stop"), {"choices": [], "usage": usages[1]}, {"usage": None}
    )
    assert (turn.input_tokens, turn.output_tokens) == (5, 2)


def test_other_choices_are_ignored() -> None:
    other = {"index": 1, "delta": {"content": "no"}, "finish_reason": "length"}
    turn, _ = built({"choices": [other, {"index": 0, "delta": {"content": "yes"}, "finish_reason": "stop"}]})
    assert (turn.text, turn.finish) == ("yes", "stop")


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ({"error": {"message": "Overloaded", "type": "overloaded_error"}}, "model_unavailable"),
        ({"error": {"message": "slow down", "code": 429}}, "model_rate_limited"),
        ({"error": {"message": "x", "type": "rate_limit_error"}}, "model_rate_limited"),
        ({"error": "something"}, "model_unavailable"),
        ({"object": "error", "message": "x", "code": 400}, "model_refused_request"),
        ({"choices": [{"finish_reason": "error", "error": {"code": 502}}]}, "model_unavailable"),
    ],
)
def test_error_inside_the_answer_fails_the_try(frame: dict[str, Any], code: str) -> None:
    with pytest.raises(Failure) as failure:
        built(frame)
    assert failure.value.code == code


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "delta", "message", "content", "tool_calls", "function", "usage", "index", "text", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.dictionaries(st.sampled_from(["choices", "usage", "id"]), ODD))
def test_no_frame_breaks_the_builder(frame: dict[str, Any]) -> None:
    built(frame)
