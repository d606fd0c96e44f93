"""A refusal, in the words that real servers use, teaches how to ask otherwise."""

from dataclasses import replace
from typing import Any

import pytest

from apps.providers.openai_compatible.quirks import Quirks, learned

BODY: dict[str, Any] = {
    "messages": [{"role": "user", "content": [{"type": "image_url"}]}],
    "stream": True,
    "stream_options": {"include_usage": True},
    "tools": [{}],
    "temperature": 0.2,
    "max_tokens": 5,
}
FIELDS = {"reasoning_content", "item_id"}
REFUSED = frozenset


@pytest.mark.parametrize(
    ("refusal", "lesson"),
    [
        ("Unrecognized request argument supplied: stream_options", {"stream_options": False}),
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
            {"token_limit": "max_completion_tokens"},
        ),
        (
            "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
            {"temperature": False},
        ),
        ("invalid temperature: only 1 is allowed for this model", {"temperature": False}),
        ("registry/model does not support tools", {"tools": False}),
        ("No endpoints found that support tool use.", {"tools": False}),
        ('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', {"tools": False}),
        ("Your organization must be verified to stream this model.", {"streaming": False}),
        ("No endpoints found that support image input", {"images": False}),
        ("This model does not support image inputs", {"images": False}),
        ("Conversation roles must alternate user/assistant/user/assistant/...", {"join_users": True}),
        ("property 'reasoning_content' is unsupported", {"refused_fields": REFUSED({"reasoning_content"})}),
        ("messages[1]: reasoning_content in the input messages", {"refused_fields": REFUSED({"reasoning_content"})}),
        (
            "body -> messages -> 1 -> tool_calls -> 0 -> item_id: extra inputs are not permitted",
            {"refused_fields": REFUSED({"item_id"})},
        ),
        ("The `reasoning_content` in the thinking mode must be passed back to the API.", {"blank_reasoning": True}),
        (
            "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
            {"blank_reasoning": True},
        ),
    ],
)
def test_refusals_of_real_servers_are_recognised(refusal: str, lesson: dict[str, Any]) -> None:
    assert learned(Quirks(), refusal.lower(), BODY, FIELDS) == replace(Quirks(), **lesson)


@pytest.mark.parametrize(
    "refusal",
    [
        "",
        "max_tokens is too large: 5000. this model supports at most 4096 completion tokens",
        "invalid value for 'messages[0].content'",
        "temperature must be between 0 and 2",
        "the item_id of this call is wrong",
    ],
)
def test_other_refusals_teach_nothing(refusal: str) -> None:
    assert learned(Quirks(), refusal, BODY, FIELDS) == Quirks()


def test_what_was_not_sent_cannot_be_refused() -> None:
    bare = {"messages": [{"role": "user", "content": "x"}]}
    words = "unsupported: stream_options stream temperature tools max_tokens image reasoning_content"
    assert learned(Quirks(), words, bare, set()) == Quirks()


def test_limit_of_tokens_is_left_out_when_both_names_are_refused() -> None:
    quirks = Quirks(token_limit="max_completion_tokens")
    refusal = "unknown parameter: max_completion_tokens"
    assert learned(quirks, refusal, {"messages": [], "max_completion_tokens": 5}, set()).token_limit == ""


def test_every_lesson_is_learnt_once() -> None:
    quirks, words = (
        Quirks(),
        "unsupported: reasoning_content is missing; item_id stream_options temperature max_tokens tools roles must",
    )
    lessons = 0
    while (following := learned(quirks, words, BODY, FIELDS - quirks.refused_fields)) != quirks:
        quirks, lessons = following, lessons + 1
        assert lessons < 12
    assert quirks.join_users
