"""What is sent: the chat form, without our own fields and without what the provider refuses (H43, H44, H45)."""

import copy
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from apps.agent.model import ModelRequest
from apps.providers.openai_compatible.arguments import INVALID_ARGUMENTS
from apps.providers.openai_compatible.body import extra_fields, request_body
from apps.providers.openai_compatible.quirks import Quirks
from tests.providers.conftest import ASK_TOOLS
from tests.support.model_rules import anthropic_form, request_problem

CALL: dict[str, Any] = {"id": "A", "type": "function", "function": {"name": "ask_user", "arguments": '{"title": "T"}'}}
RESULT = {"role": "tool", "tool_call_id": "A", "name": "ask_user", "content": '{"status":"answered"}'}
ASKING: dict[str, Any] = {"role": "assistant", "content": "", "extras": {"reasoning_content": "hm", "vendor": {"n": 1}}}
ASKING["tool_calls"] = [{**CALL, "extras": {"item_id": "fc_1", "function": {"strict": True}, INVALID_ARGUMENTS: True}}]


def body(*messages: dict[str, Any], quirks: Quirks | None = None, streamed: bool = True, **options: Any) -> dict[str, Any]:
    return request_body("m", ModelRequest(messages, **options), quirks or Quirks(), streamed=streamed)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def test_only_what_is_set_is_sent() -> None:
    assert body(user("x")) == {
        "model": "m",
        "messages": [user("x")],
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    assert body(user("x"), streamed=False) == {"model": "m", "messages": [user("x")]}


def test_options_of_the_request_are_sent() -> None:
    sent = body(user("x"), tools=ASK_TOOLS, temperature=0.0, max_tokens=7)
    assert (sent["tools"], sent["temperature"], sent["max_tokens"]) == (ASK_TOOLS, 0.0, 7)


def test_h46_tools_are_sent_as_they_were_given() -> None:
    assert json.dumps(body(user("x"), tools=ASK_TOOLS)["tools"]) == json.dumps(ASK_TOOLS)


def test_h43_h44_extras_go_back_unchanged_with_calls() -> None:
    sent = body(user("x"), ASKING, RESULT)["messages"]
    function = {"strict": True, "name": "ask_user", "arguments": '{"title": "T"}'}
    assert sent[1] == {
        "reasoning_content": "hm",
        "vendor": {"n": 1},
        "role": "assistant",
        "content": "",
        "tool_calls": [{"type": "function", "item_id": "fc_1", "id": "A", "function": function}],
    }
    assert sent[2] == {"role": "tool", "tool_call_id": "A", "content": '{"status":"answered"}'}


def test_h43_reasoning_stays_behind_without_calls() -> None:
    said = {"role": "assistant", "content": "Yes.", "extras": {"reasoning_content": "hm", "vendor": 1}}
    assert body(user("x"), said)["messages"][1] == {"vendor": 1, "role": "assistant", "content": "Yes."}


def test_h43_refused_fields_are_left_out() -> None:
    quirks = Quirks(refused_fields=frozenset({"reasoning_content", "item_id", "function"}))
    assistant = body(user("x"), ASKING, RESULT, quirks=quirks)["messages"][1]
    assert assistant == {"vendor": {"n": 1}, "role": "assistant", "content": "", "tool_calls": [CALL]}


def test_h43_demanded_reasoning_is_sent_blank_where_there_was_none() -> None:
    plain = {"role": "assistant", "content": "", "tool_calls": [CALL]}
    sent = body(user("x"), plain, RESULT, ASKING, RESULT, quirks=Quirks(blank_reasoning=True))["messages"]
    assert [sent[1]["reasoning_content"], sent[3]["reasoning_content"]] == ["", "hm"]


def test_extras_cannot_replace_our_own_fields() -> None:
    extras = {"role": "system", "content": "evil", "tool_calls": []}
    call = {**CALL, "extras": {"id": "other", "function": {"arguments": "evil"}}}
    sent = body(user("x"), {"role": "assistant", "content": "", "extras": extras, "tool_calls": [call]}, RESULT)["messages"][1]
    assert sent == {"role": "assistant", "content": "", "tool_calls": [CALL]}


def test_missing_content_is_sent_as_empty_text() -> None:
    assert body({"role": "assistant", "content": None, "tool_calls": [CALL]}, RESULT)["messages"][0]["content"] == ""


def test_user_rows_are_joined_only_where_refused() -> None:
    rows = [user("a"), user("b"), {"role": "assistant", "content": "c"}, user("d")]
    assert body(*rows)["messages"] == rows
    assert body(*rows, quirks=Quirks(join_users=True))["messages"] == [user("a\n\nb"), *rows[2:]]


def test_images_are_left_out_only_where_refused() -> None:
    parts = [{"type": "text", "text": "Look:"}, {"type": "image_url", "image_url": {"url": "data:,"}}]
    row = {"role": "user", "content": parts}
    assert body(row)["messages"] == [row]
    assert body(row, quirks=Quirks(images=False))["messages"] == [user("Look:\n[image left out]")]


def test_the_requests_messages_are_not_changed() -> None:
    before = copy.deepcopy(ASKING)
    body(ASKING, RESULT, quirks=Quirks(blank_reasoning=True, refused_fields=frozenset({"vendor"})))
    assert before == ASKING


def test_names_of_extra_fields_do_not_hold_our_own() -> None:
    assert extra_fields([ASKING, RESULT]) == {"reasoning_content", "vendor", "item_id", "function"}


ROUNDS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.booleans()), max_size=6)
QUIRKS = st.builds(Quirks, join_users=st.booleans(), blank_reasoning=st.booleans(), images=st.booleans())


@given(ROUNDS, QUIRKS)
def test_h45_results_stay_next_to_their_calls_in_both_forms(rounds: list[tuple[int, int, bool]], quirks: Quirks) -> None:
    messages = [user("go")]
    for number, (calls, notes, says) in enumerate(rounds):
        ids = [f"{number}-{n}" for n in range(calls)]
        made = [{**CALL, "id": call_id, "extras": {"item_id": call_id}} for call_id in ids]
        messages.append({"role": "assistant", "content": "x" if says or not ids else "", "tool_calls": made})
        messages += [{**RESULT, "tool_call_id": call_id} for call_id in ids]
        messages += [user(f"note {n}") for n in range(notes)]
    sent = body(*messages, quirks=quirks)
    assert request_problem(sent) == ""
    results = [
        b["tool_use_id"] for turn in anthropic_form(sent["messages"]) for b in turn["content"] if b["type"] == "tool_result"
    ]
    assert results == [f"{number}-{n}" for number, (calls, _, _) in enumerate(rounds) for n in range(calls)]
