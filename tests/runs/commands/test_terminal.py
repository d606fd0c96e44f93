"""Every kind of question in a terminal: what is typed becomes the body that a face would send."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.interactions.answers import validate
from apps.interactions.contract import AskUser, Mode, Option, Question, QuestionSet
from apps.interactions.payload import stored_payload
from apps.interactions.submissions import parse_submission
from apps.runs.terminal import NoChoice, read_choice
from tests.support.terminals import TypedTerminal

COLOURS = (Option("Red", "r", recommended=True), Option("Blue", "b", "as the sea"), Option("3", "three"))


def single(mode: Mode = "single", *, allow_custom: bool = False) -> AskUser:
    return AskUser("Which colour?", mode, options=COLOURS, allow_custom=allow_custom)


def body(ask: AskUser | QuestionSet, *lines: str) -> tuple[dict[str, Any], str]:
    """Return what typing these lines gives, and what was shown; the last line was needed."""
    terminal = TypedTerminal(lines)
    given = terminal.answer(stored_payload(ask))
    return given, terminal.written


@pytest.mark.parametrize(
    ("line", "selections", "own_text"),
    [("2", ["b"], ""), (" 1 ", ["r"], ""), ("BLUE", ["b"], ""), ("r", ["r"], ""), ("green", [], "green"), ("= 7", [], "7")],
)
def test_single_takes_a_number_a_name_or_own_text(line: str, selections: list[str], own_text: str) -> None:
    assert body(single(allow_custom=True), line)[0] == {"selections": selections, "customInput": own_text}


def test_how_a_label_begins_is_enough_where_own_text_is_not_possible() -> None:
    assert body(single(), "bl")[0]["selections"] == ["b"]
    assert body(single(allow_custom=True), "bl")[0]["customInput"] == "bl"


@pytest.mark.parametrize("mode", ["multiple", "toggle"])
def test_several_take_numbers_and_own_text(mode: Mode) -> None:
    given, _ = body(single(mode, allow_custom=True), "1, 3 = and gold")
    assert given == {"selections": ["r", "three"], "customInput": "and gold"}


@pytest.mark.parametrize("mode", ["text", "number", "date", "directory"])
def test_typed_modes_hand_the_line_on(mode: Mode) -> None:
    assert body(AskUser("When?", mode), " 2026-03-01 ")[0] == {"customInput": " 2026-03-01 "}


@pytest.mark.parametrize(
    ("line", "words"),
    [("", "Choose an option."), ("9", "no option 9"), ("1 2", "one option only"), ("green", "no answer of your own")],
)
def test_wrong_input_is_refused_in_words_and_asked_again(line: str, words: str) -> None:
    given, shown = body(single(), line, "1")
    assert given["selections"] == ["r"]
    assert words in shown


def test_several_questions_are_answered_or_skipped_one_by_one() -> None:
    asked = QuestionSet(
        (
            Question("q1", "Which?", "Colour", (Option("Red (Recommended)"), Option("Blue")), multi_select=True),
            Question("q2", "Why?"),
            Question("q3", "Which one?", options=(Option("A"), Option("B"))),
        )
    )
    given, shown = body(asked, "1 2", "because 1=1", "")
    assert given == {
        "answers": [
            {"id": "q1", "selected": ["Red (Recommended)", "Blue"]},
            {"id": "q2", "selected": [], "custom": "because 1=1"},
            {"id": "q3", "selected": []},
        ]
    }
    assert "Red (recommended)" in shown
    validate(asked, parse_submission(given))


@pytest.mark.parametrize("key", [KeyboardInterrupt, EOFError])
def test_ctrl_c_and_ctrl_d_cancel_the_card(key: type[BaseException]) -> None:
    def press() -> str:
        raise key

    assert TypedTerminal([press]).answer(stored_payload(single())) == {"cancelled": True}


def test_h88_text_of_the_model_cannot_steer_the_terminal() -> None:
    _, shown = body(AskUser("\x1b[2JHi\x07", "text", "\x1b]0;owned\x07 \u202eevil"), "ok")
    assert not set(shown) & set("\x1b\x07\u202e")


OPTIONS: Sequence[Mapping[str, Any]] = stored_payload(single())["options"]


@given(st.text(), st.booleans(), st.booleans(), st.booleans())
def test_any_line_is_a_choice_or_refused_in_words(line: str, is_many: bool, has_own_text: bool, may_skip: bool) -> None:
    try:
        chosen, own_text = read_choice(line, OPTIONS, is_many=is_many, has_own_text=has_own_text, may_skip=may_skip)
    except NoChoice:
        return
    assert is_many or len(chosen) <= 1
    assert has_own_text or not own_text
    assert may_skip or chosen or own_text or "=" in line


APPROVAL = {"mode": "approval", "title": "send", "description": "", "detail": '{\n  "text": "hello"\n}', "questions": []}


@pytest.mark.parametrize(
    ("lines", "body"),
    [
        (["1"], {"decision": "approve"}),
        (["", " 1 "], {"decision": "approve"}),
        (["2", "Not today."], {"decision": "deny", "feedback": "Not today."}),
        (["2", ""], {"decision": "deny", "feedback": ""}),
        (["yes"], {"decision": "deny", "feedback": "yes"}),
        ([], {"cancelled": True}),
    ],
)
def test_only_its_number_allows_a_call_in_the_terminal(lines: list[str], body: dict[str, Any]) -> None:
    terminal = TypedTerminal(lines)
    assert terminal.answer(APPROVAL) == body
    assert "? Allow send?" in terminal.written
    assert '"text": "hello"' in terminal.written
