"""What of a call is text: a name that there is not."""

import pytest

from apps.runs.masking import masked_event


@pytest.mark.parametrize(
    "name", ["ask_user", "solve_plan", "code_execution", "exec", "geogebra_analysis", "web_fetch", "delegate"]
)
def test_the_name_of_a_tool_is_shown_whether_it_works_here_or_not(name: str) -> None:
    data = {"toolCallId": "c1", "name": name, "arguments": '{"code": "secret"}'}
    assert masked_event("tool_call", data) == {"toolCallId": "c1", "name": name, "arguments": None}


def test_a_name_that_there_is_not_is_left_out() -> None:
    assert masked_event("tool_call", {"name": "call my doctor", "arguments": "{}"}) == {"name": None, "arguments": None}
