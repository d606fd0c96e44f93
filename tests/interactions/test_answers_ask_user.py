"""Answers to ask_user in the modes that are answered by choosing, and to text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.interactions.answers import AskUserAnswer, Cancelled, InvalidAnswer, validate
from apps.interactions.contract import AskUser, Option
from apps.interactions.submissions import parse_submission
from tests.support.questions import answer, ask_users, bodies_for, unhurried

OPTIONS = (Option("Red, green", "a"), Option("Red", "b"), Option("green", "c"))


def asked(mode="single", allow_custom=False) -> AskUser:
    return AskUser("Q", mode, options=() if mode == "text" else OPTIONS, allow_custom=allow_custom)


def refused(ask, **body) -> list[str]:
    with pytest.raises(InvalidAnswer) as caught:
        validate(ask, parse_submission(body))
    assert caught.value.code == "invalid_answer"
    assert all(error.message for error in caught.value.errors)
    return [error.field for error in caught.value.errors]


def test_h01_nothing_is_split_at_commas():
    ask = asked("multiple", allow_custom=True)
    assert answer(ask, selections=["a"], customInput="x, y; z|w") == AskUserAnswer(("a",), "x, y; z|w")
    assert refused(ask, selections=["a,b"]) == ["selections[0]"]


@pytest.mark.parametrize("mode", ["multiple", "toggle"])
def test_several_ids_and_own_text_may_stand_together(mode):
    assert answer(asked(mode), selections=["c", "a"]) == AskUserAnswer(("c", "a"))
    assert answer(asked(mode, allow_custom=True), selections=["a"], customInput="also") == AskUserAnswer(("a",), "also")
    assert answer(asked(mode, allow_custom=True), customInput="only") == AskUserAnswer((), "only")


def test_single_takes_one_id_or_own_text_and_not_both():
    ask = asked("single", allow_custom=True)
    assert answer(ask, selections=["b"], customInput="") == AskUserAnswer(("b",))
    assert answer(ask, customInput="mine") == AskUserAnswer((), "mine")
    assert refused(ask, selections=["b"], customInput="mine") == ["customInput"]
    assert refused(ask, selections=["a", "b"]) == ["selections"]


@pytest.mark.parametrize("mode", ["single", "multiple", "toggle"])
def test_what_was_not_offered_is_refused_field_by_field(mode):
    assert refused(asked(mode), selections=["root"]) == ["selections[0]"]
    assert refused(asked(mode), selections=["Red"]) == ["selections[0]"], "a label is no value"
    assert refused(asked(mode), selections=["a"], customInput="x") == ["customInput"]
    assert "selections[1]" in refused(asked(mode), selections=["a", "a"])


def test_h87_an_id_never_offered_is_refused_beside_a_good_one():
    assert refused(asked("multiple"), selections=["a", "root"]) == ["selections[1]"]


BLANK = ["", "   ", "\n", "\u200b", " \t\u200b\u2800 "]


@pytest.mark.parametrize("blank", BLANK)
@pytest.mark.parametrize("ask", [asked("single"), asked("single", True), asked("multiple", True), asked("toggle")])
def test_h13_blank_submissions_never_answer_a_choice(ask, blank):
    assert refused(ask, selections=[], customInput=blank) == ["selections"]


@pytest.mark.parametrize("blank", BLANK)
@pytest.mark.parametrize("mode", ["text", "number", "date", "directory"])
def test_h13_blank_text_is_never_an_answer(mode, blank):
    assert refused(AskUser("Q", mode), customInput=blank) == ["customInput"]
    assert refused(AskUser("Q", mode)) == ["customInput"]


def test_own_text_is_verbatim():
    text = "  <b>x</b>\u2028 \u200d tab\t end  "
    assert answer(asked("text"), customInput=text).custom_input == text
    assert answer(asked("text"), customInput="a\r\nb\rc\n").custom_input == "a\r\nb\rc\n"


def test_typed_answers_take_no_selections():
    assert refused(asked("text"), selections=["a"], customInput="x") == ["selections"]


@pytest.mark.parametrize(
    ("foreign", "field"),
    [
        ({"answers": [{"id": "q", "selected": []}]}, "answers"),
        ({"decision": "approve"}, "decision"),
        ({"feedback": "x"}, "feedback"),
        ({"plan": "x"}, "plan"),
        ({"plan": [{"goal": "x"}]}, "plan"),
        ({"planRevision": 0}, "planRevision"),
    ],
)
def test_fields_of_another_kind_are_refused_unless_empty(foreign, field):
    assert refused(asked("text"), customInput="x", **foreign) == [field]
    empty: dict[str, Any] = {"answers": [], "decision": "", "feedback": " ", "plan": [], "planRevision": None}
    assert answer(asked("text"), customInput="x", selections=[], **empty) == AskUserAnswer((), "x")


@pytest.mark.parametrize("rest", [{}, {"selections": ["root"]}, {"customInput": "x", "decision": "approve"}])
def test_cancelled_wins_over_the_rest(rest):
    assert validate(asked("single"), parse_submission({"cancelled": True, **rest})) == Cancelled()


def test_h90_the_refusal_does_not_repeat_what_was_written():
    with pytest.raises(InvalidAnswer) as caught:
        validate(asked("single"), parse_submission({"selections": ["MY-SECRET-42"], "customInput": "MY-SECRET-42"}))
    assert "MY-SECRET-42" not in str((caught.value, caught.value.errors, caught.value.facts))


@unhurried
@given(st.data())
def test_every_valid_answer_comes_back_as_it_was_given(data):
    ask = data.draw(ask_users())
    body = data.draw(bodies_for(ask))
    given_answer = answer(ask, **body)
    assert list(given_answer.selections) == body.get("selections", [])
    assert given_answer.custom_input == body["customInput"]


@unhurried
@given(ask_users(), st.lists(st.text(max_size=3), max_size=4), st.text(max_size=5))
def test_what_is_accepted_was_offered_or_written(ask, selections, own_text):
    body = {"selections": selections, "customInput": own_text.replace("\0", "").encode(errors="ignore").decode()}
    try:
        given_answer = validate(ask, parse_submission({**body, "selections": [s for s in selections if s.isprintable()]}))
    except InvalidAnswer:
        return
    assert set(given_answer.selections) <= {option.id for option in ask.options}
    assert given_answer.selections or given_answer.custom_input
