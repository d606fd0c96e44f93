"""The validator of requests finds what it is there to find (H45, H46)."""

from typing import Any

import pytest

from tests.support.model_rules import anthropic_form, anthropic_problem, openai_problem, request_problem, schema_problem

USER = {"role": "user", "content": "x"}
NOTE = {"role": "user", "content": "the plan has changed"}


def calls(*ids: str) -> dict[str, Any]:
    return {"role": "assistant", "content": "", "tool_calls": [{"id": call_id} for call_id in ids]}


def result(call_id: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": "{}"}


@pytest.mark.parametrize(
    "messages",
    [
        [USER, calls("a", "b"), NOTE, result("a"), result("b")],
        [USER, calls("a", "b"), result("a"), NOTE, result("b")],
        [USER, calls("a", "b"), result("b"), result("a")],
        [USER, calls("a")],
        [USER, calls("a"), result("a"), result("a")],
        [USER, result("a")],
        [{"role": "assistant", "content": None}],
        [{"role": "user", "content": "a\x00"}],
    ],
)
def test_h45_openai_form_refuses(messages: list[dict[str, Any]]) -> None:
    assert openai_problem(messages)


def test_h45_anthropic_form_refuses_what_stands_before_a_result() -> None:
    assert anthropic_problem(anthropic_form([USER, calls("a"), NOTE, result("a")]))
    assert anthropic_problem(anthropic_form([USER, calls("a", "b"), result("a")]))


def test_h45_note_after_the_results_is_fine_in_both_forms() -> None:
    assert request_problem({"messages": [USER, calls("a", "b"), result("a"), result("b"), NOTE]}) == ""


@pytest.mark.parametrize(
    "parameters",
    [
        {"type": "object", "properties": {"options": {"type": "array"}}},
        {"type": "object", "properties": {"title": {"description": "no type"}}},
        {"type": "object", "properties": {}, "required": ["title"]},
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "array"}}}},
    ],
)
def test_h46_schema_is_refused(parameters: dict[str, Any]) -> None:
    assert schema_problem({"type": "function", "function": {"name": "ask_user", "parameters": parameters}})


def test_h46_good_schema_passes() -> None:
    items = {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}
    parameters = {"type": "object", "properties": {"options": {"type": "array", "items": items}}, "required": ["options"]}
    assert schema_problem({"type": "function", "function": {"name": "ask_user", "parameters": parameters}}) == ""
