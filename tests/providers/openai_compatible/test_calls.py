"""Fragments of calls find their call, however a server numbers them (H41, H42)."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agent.messages import ToolCall
from apps.providers.openai_compatible.arguments import INVALID_ARGUMENTS
from apps.providers.openai_compatible.calls import CallAssembler, clean_name

KNOWN = ("ask_user", "ask_user_question", "lookup")
Fragment = dict[str, Any]


def assembled(*deltas: Sequence[Fragment], known: Sequence[str] = KNOWN) -> tuple[ToolCall, ...]:
    assembler = CallAssembler(known)
    for delta in deltas:
        assembler.add(list(delta))
    return assembler.calls()


def fragment(arguments: str = "", name: str | None = None, **fields: Any) -> Fragment:
    return {**fields, "function": {"arguments": arguments} | ({"name": name} if name else {})}


def seen(calls: Sequence[ToolCall]) -> list[tuple[str, str, str]]:
    return [(call.id, call.name, call.arguments) for call in calls]


TWO = [("A", "ask_user", '{"title":"T"}'), ("B", "lookup", '{"q":"x"}')]


def test_h41_fragments_without_id_go_to_the_call_with_their_index() -> None:
    calls = assembled(
        [fragment(name="ask_user", index=0, id="A")],
        [fragment(name="lookup", index=1, id="B")],
        [fragment('{"title":"T","mode":"text"}', index=0)],
        [fragment('{"q":"x"}', index=1)],
    )
    assert seen(calls) == [("A", "ask_user", '{"title":"T","mode":"text"}'), ("B", "lookup", '{"q":"x"}')]


@given(st.data())
def test_h41_any_interleaving_by_index_gives_the_same_calls(data: st.DataObject) -> None:
    texts = [json.dumps({"n": n, "text": "ä" * n}, ensure_ascii=False) for n in range(3)]
    queues = [[fragment(name="lookup", index=n, id=f"c{n}")] + [fragment(c, index=n) for c in texts[n]] for n in range(3)]
    assembler = CallAssembler(KNOWN)
    while any(queues):
        queue = data.draw(st.sampled_from([queue for queue in queues if queue]))
        assembler.add([queue.pop(0)])
    assert seen(assembler.calls()) == [(f"c{n}", "lookup", texts[n]) for n in range(3)]


def test_h42_calls_without_index_are_told_apart_by_their_ids() -> None:
    calls = assembled(
        [fragment('{"tit', "ask_user", id="A")], [fragment('le":"T"}')], [fragment('{"q":', "lookup", id="B")], [fragment('"x"}')]
    )
    assert seen(calls) == TWO


def test_h42_index_only_on_the_first_call() -> None:
    calls = assembled(
        [fragment(name="ask_user", index=0, id="A")],
        [fragment('{"title":"T"}', index=0)],
        [fragment(name="lookup", id="B")],
        [fragment('{"q":"x"}')],
    )
    assert seen(calls) == TWO


def test_h42_calls_without_index_and_id_are_told_apart_by_their_names() -> None:
    calls = assembled([fragment('{"title":', "ask_user"), fragment('"T"}')], [fragment('{"q":"x"}', "lookup")])
    assert seen(calls) == [("", *TWO[0][1:]), ("", *TWO[1][1:])]


def test_h42_two_calls_of_one_tool_without_index_and_id() -> None:
    calls = assembled([fragment('{"n":1}', "lookup"), fragment('{"n":2}', "lookup")])
    assert [call.arguments for call in calls] == ['{"n":1}', '{"n":2}']


@pytest.mark.parametrize("index", [0, None])
def test_all_calls_with_one_index_and_different_ids(index: int | None) -> None:
    calls = assembled(
        [fragment('{"n":', "ask_user", index=index, id="A")],
        [fragment("1}", index=index)],
        [fragment('{"n":', "ask_user", index=index, id="B")],
        [fragment("2}", index=index)],
    )
    assert seen(calls) == [("A", "ask_user", '{"n":1}'), ("B", "ask_user", '{"n":2}')]


@pytest.mark.parametrize("index", [0, None])
def test_id_and_name_repeated_in_every_fragment(index: int | None) -> None:
    pieces = ['{"tit', "", 'le":"T"', "}", ""]
    calls = assembled(*([fragment(piece, "ask_user", index=index, id="A")] for piece in pieces))
    assert seen(calls) == [TWO[0]]


def test_name_repeated_in_every_fragment_without_id() -> None:
    pieces = ['{"tit', "", 'le":"T"', "}", ""]
    assert seen(assembled(*([fragment(piece, "ask_user", index=0)] for piece in pieces))) == [("", *TWO[0][1:])]


def test_new_id_in_every_fragment() -> None:
    calls = assembled(
        [fragment(name="ask_user", index=0, id="A")],
        [fragment('{"title":', index=0, id="A2")],
        [fragment('"T"}', index=0, id="A3")],
    )
    assert seen(calls) == [TWO[0]]


def test_id_that_comes_late() -> None:
    assert seen(assembled([fragment('{"title":', "ask_user", index=0)], [fragment('"T"}', index=0, id="A")])) == [TWO[0]]


def test_one_id_for_two_calls_of_different_index() -> None:
    calls = assembled([fragment('{"n":1}', "lookup", index=0, id="A")], [fragment('{"n":2}', "lookup", index=1, id="A")])
    assert [call.arguments for call in calls] == ['{"n":1}', '{"n":2}']


def test_order_is_that_of_the_index() -> None:
    calls = assembled([fragment("{}", "lookup", index=1, id="B")], [fragment("{}", "ask_user", index=0, id="A")])
    assert [call.id for call in calls] == ["A", "B"]


def test_name_sent_in_pieces() -> None:
    pieces = [fragment(name="ask_u", index=0, id="A"), fragment(name="ser_que", index=0), fragment("{}", "stion", index=0)]
    assert seen(assembled(*([piece] for piece in pieces))) == [("A", "ask_user_question", "{}")]


def test_call_without_arguments_before_another() -> None:
    calls = assembled([fragment(name="ask_user", index=0)], [fragment('{"q":"x"}', "lookup", index=0)])
    assert [(call.name, call.arguments) for call in calls] == [("ask_user", "{}"), ("lookup", '{"q":"x"}')]


def test_arguments_and_ids_of_other_kinds_become_text() -> None:
    calls = assembled([{"index": "0", "id": 7, "function": {"name": "lookup", "arguments": {"q": "ä"}}}])
    assert seen(calls) == [("7", "lookup", '{"q":"ä"}')]


def test_character_cut_between_two_fragments() -> None:
    calls = assembled([fragment('{"q":"\ud83c', "lookup", index=0)], [fragment('\udf0d \udf0d"}', index=0)])
    assert calls[0].arguments == '{"q":"🌍 "}'


def test_broken_arguments_are_replaced_and_marked() -> None:
    (call,) = assembled([fragment('{"title": "x", ', "ask_user", index=0, id="A")])
    assert (call.arguments, call.extras) == ("{}", {INVALID_ARGUMENTS: True})


def test_h44_fields_of_the_provider_are_kept_as_they_came() -> None:
    own: dict[str, Any] = {
        "item_id": "fc_99",
        "extra_content": {"google": {"thought_signature": "aGk=\u2028"}},
        "rank": 12345678901234567890,
    }
    calls = assembled(
        [fragment(name="lookup", index=0, id="A", type="function", **own)],
        [{"index": 0, "function": {"arguments": "{}", "strict": True}, "extra_content": {"other": [1, 2.5]}}],
    )
    content = {"google": {"thought_signature": "aGk=\u2028"}, "other": [1, 2.5]}
    assert calls[0].extras == {**own, "extra_content": content, "function": {"strict": True}}


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("ask_user:", "ask_user"),
        (": ask_user ", "ask_user"),
        ("functions.ask_user", "ask_user"),
        ("default_api:ask_user", "ask_user"),
        ("ask_user<|channel|>json", "ask_user"),
        ('"ask_user"', "ask_user"),
        ("no such tool", "no_such_tool"),
        ("x" * 100, "x" * 64),
        ("：", "_"),
        ("", "unnamed"),
    ],
)
def test_names_lose_what_servers_leak_into_them(raw: str, name: str) -> None:
    assert clean_name(raw, KNOWN) == name


ODD = st.none() | st.booleans() | st.integers(-1, 3) | st.text(max_size=8) | st.lists(st.none(), max_size=1)
ENTRIES = st.lists(
    st.none()
    | st.dictionaries(st.sampled_from(["index", "id", "type", "x"]), ODD)
    | st.fixed_dictionaries({"function": ODD | st.dictionaries(st.sampled_from(["name", "arguments", "y"]), ODD)}),
    max_size=6,
)


@given(ENTRIES | ODD)
def test_no_delta_breaks_the_assembler(entries: Any) -> None:
    assembler = CallAssembler(KNOWN)
    assembler.add(entries)
    for call in assembler.calls():
        json.loads(call.arguments)
        json.dumps(dict(call.extras), allow_nan=False).encode()
