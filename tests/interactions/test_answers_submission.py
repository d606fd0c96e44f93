"""The body that a face hands over: shapes, unknown keys, characters that no database holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.interactions.submissions import MAX_ERRORS, MalformedBody, QuestionAnswer, Submission, parse_submission
from tests.support.questions import json_values, unhurried


def malformed(body) -> list[str]:
    with pytest.raises(MalformedBody) as caught:
        parse_submission(body)
    assert caught.value.code == "malformed_body"
    assert all(error.message for error in caught.value.errors)
    return [error.field for error in caught.value.errors]


def test_every_field_is_read():
    body = {
        "selections": ["a"],
        "customInput": "x",
        "answers": [{"id": "q", "selected": ["A"], "custom": "own"}, {"id": "r", "selected": []}],
        "decision": "approve",
        "feedback": "split step 2",
        "plan": [{"goal": "Pack"}],
        "planRevision": 2,
        "cancelled": False,
    }
    answers = (QuestionAnswer("q", ("A",), "own"), QuestionAnswer("r"))
    assert parse_submission(body) == Submission(("a",), "x", answers, "approve", "split step 2", ("Pack",), 2, False)


def test_null_and_missing_mean_not_given():
    keys = ("selections", "customInput", "answers", "decision", "feedback", "plan", "planRevision", "cancelled")
    assert parse_submission(dict.fromkeys(keys)) == parse_submission({}) == Submission()


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"selections": "safe"}, "selections"),
        ({"selections": [1]}, "selections[0]"),
        ({"selections": ["a", None]}, "selections[1]"),
        ({"customInput": 3.2}, "customInput"),
        ({"answers": {}}, "answers"),
        ({"answers": [5]}, "answers[0]"),
        ({"answers": [{"id": "q", "selected": "A"}]}, "answers[0].selected"),
        ({"answers": [{"id": "q", "selected": [1]}]}, "answers[0].selected[0]"),
        ({"answers": [{"id": "q", "selected": [], "custom": 5}]}, "answers[0].custom"),
        ({"answers": [{"id": 1, "selected": []}]}, "answers[0].id"),
        ({"decision": True}, "decision"),
        ({"plan": 3}, "plan"),
        ({"plan": [{}]}, "plan[0].goal"),
        ({"planRevision": "1"}, "planRevision"),
        ({"planRevision": True}, "planRevision"),
        ({"cancelled": "true"}, "cancelled"),
        ({"cancelled": True, "selections": "x"}, "selections"),
    ],
)
def test_a_wrong_type_is_malformed_and_named(body, field):
    assert malformed(body) == [field]


@pytest.mark.parametrize(
    ("body", "fields"),
    [({"answers": [{"selected": ["A"]}]}, ["answers[0].id"]), ({"answers": [{"id": "q"}]}, ["answers[0].selected"])],
)
def test_h76_each_required_field_that_is_missing_is_named(body, fields):
    assert malformed(body) == fields


@pytest.mark.parametrize("body", [None, [], "x", 5])
def test_a_body_that_is_no_object_is_malformed(body):
    assert malformed(body) == []


def test_h87_unknown_keys_are_refused_by_name():
    body = {
        "selections": ["root"],
        "toolCallId": "c9",
        "title": "x",
        "state": {},
        "answers": [{"id": "q", "selected": [], "value": 1}],
    }
    assert malformed(body) == ["toolCallId", "title", "state", "answers[0].value"]


def test_the_name_of_an_unknown_key_is_repeated_harmlessly():
    assert malformed({"a\ud83d\r\nb\0" + "x" * 200: 1}) == [("a\nb" + "x" * 200)[:100]]


@pytest.mark.parametrize("text", ["ok\0x", "cut \ud83d"])
def test_h12_characters_that_no_database_holds_are_malformed(text):
    body = {"selections": [text], "customInput": text, "answers": [{"id": text, "selected": [text], "custom": text}]}
    assert malformed(body) == ["selections[0]", "customInput", "answers[0].id", "answers[0].selected[0]", "answers[0].custom"]


def test_h12_a_whole_emoji_passes_unchanged():
    assert parse_submission({"customInput": "fine 😀"}).custom_input == "fine 😀"


def test_a_hostile_body_is_answered_with_few_errors():
    assert len(malformed({"selections": [1] * 10_000})) == MAX_ERRORS


def test_h90_no_value_of_the_body_is_repeated():
    with pytest.raises(MalformedBody) as caught:
        parse_submission({"customInput": ["MY-SECRET-42"], "selections": ["MY-SECRET-42\0"]})
    assert "MY-SECRET-42" not in str((caught.value, caught.value.errors))


@unhurried
@given(json_values | st.dictionaries(st.sampled_from(["selections", "customInput", "answers", "plan", "cancelled"]), json_values))
def test_any_body_is_a_submission_or_malformed(body):
    read: Submission | MalformedBody
    try:
        read = parse_submission(body)
    except MalformedBody as refusal:
        read = refusal
    assert isinstance(read, Submission) or read.message
