"""Typed answers: numbers, days and folders are taken as written or refused, never guessed."""

import math
from decimal import Decimal
from pathlib import PurePosixPath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from apps.interactions.answers import InvalidAnswer, validate
from apps.interactions.contract import AskUser
from apps.interactions.submissions import parse_submission
from tests.support.questions import answer, unhurried

NUMBER, DATE, DIRECTORY = (AskUser("Q", mode) for mode in ("number", "date", "directory"))


def message(ask, text: str) -> str:
    with pytest.raises(InvalidAnswer) as caught:
        validate(ask, parse_submission({"customInput": text}))
    (error,) = caught.value.errors
    assert error.field == "customInput"
    return error.message


def number(text: str) -> int | float:
    value = answer(NUMBER, customInput=text).value
    assert isinstance(value, int | float)
    return value


def folder(text: str) -> str:
    value = answer(DIRECTORY, customInput=text).value
    assert isinstance(value, str)
    return value


WHOLE: list[tuple[str, int | float]] = [
    ("3", 3),
    ("+3", 3),
    ("-3", -3),
    ("007", 7),
    ("0", 0),
    ("-0", 0),
    ("0" * 5_000 + "1", 1),
    (str(10**300), 10**300),
]
DECIMAL: list[tuple[str, int | float]] = [
    ("3.0", 3.0),
    ("3.2", 3.2),
    (".5", 0.5),
    ("-.5", -0.5),
    ("1e3", 1000.0),
    ("6.02E+23", 6.02e23),
    ("0e0", 0.0),
    ("0.000", 0.0),
]


@pytest.mark.parametrize(("text", "value"), WHOLE + DECIMAL)
def test_a_number_keeps_its_kind_and_its_text(text, value):
    given_answer = answer(NUMBER, customInput=f"  {text}\n")
    assert (given_answer.value, type(given_answer.value)) == (value, type(value))
    assert given_answer.custom_input == text


WRONG_NUMBERS = ["3,2", "3,2,.2,", "1_000", "1 000", "NaN", "Infinity", "-inf", "0x10", "1e400", "-1e400", "9" * 400, "1e-400"]
WRONG_NUMBERS += ["1.", ".", "e5", "--1", "1e", "1e1.5", "٣", "３", "−3", "3 4", "3\u200b", "1/2", "$3", "3%"]


@pytest.mark.parametrize("text", WRONG_NUMBERS)
def test_h09_h10_what_is_no_plain_number_is_refused_with_an_example(text):
    assert "3, -2.5 or 6.02e23" in message(NUMBER, text)


def test_h09_a_comma_never_becomes_32():
    message(NUMBER, "3,2")
    message(NUMBER, "3,2,.2,")
    assert answer(NUMBER, customInput="3.2").value == 3.2


def test_h10_german_grouping_is_refused_and_a_dot_is_always_the_decimal_sign():
    message(NUMBER, "9.999,99")
    given_answer = answer(NUMBER, customInput="9.999")
    assert (given_answer.custom_input, given_answer.value) == ("9.999", 9.999)


@unhurried
@given(st.text("0123456789+-.eE,_ x", max_size=8) | st.decimals().map(str) | st.floats().map(repr) | st.text(max_size=6))
@example("5e-324")
def test_a_number_agrees_with_an_independent_reading(text):
    """Whatever is accepted is what decimal arithmetic reads, to the precision of a double; nothing else is accepted."""
    text = text.replace("\0", "").encode(errors="ignore").decode()
    try:
        value = number(text)
    except InvalidAnswer:
        return
    exact = Decimal(text.strip())
    assert text.isascii() or text.strip().isascii()
    assert "_" not in text
    assert exact.is_finite()
    assert math.isfinite(value)
    assert value == exact if isinstance(value, int) else value == float(exact)
    assert (value == 0) == (exact == 0)


@unhurried
@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_that_python_writes_is_read_back_as_itself(written):
    value = number(repr(written))
    assert (value, type(value)) == (written, type(written))


@unhurried
@given(st.dates())
def test_h11_a_day_stays_the_text_that_it_was(day):
    given_answer = answer(DATE, customInput=f" {day.isoformat()} ")
    assert given_answer.custom_input == given_answer.value == day.isoformat()


WRONG_DAYS = [
    "2026-02-30",
    "2026-02-29",
    "0000-01-01",
    "2026-13-01",
    "26-03-01",
    "2026-3-1",
    "20260301",
    "2026-W10-7",
    "01.03.2026",
]
WRONG_DAYS += ["2026-03-01T00:00:00Z", "2026-03-01 00:00", "２０２６-03-01", "2026/03/01", "today"]


@pytest.mark.parametrize("text", WRONG_DAYS)
def test_h11_what_is_no_day_is_refused_with_an_example(text):
    assert "2026-03-01" in message(DATE, text)


FOLDERS = [
    ("sub/./dir/", "sub/dir"),
    ("a//b", "a/b"),
    ("a/../b", "b"),
    ("%2e%2e/x", "%2e%2e/x"),
    ("..a/b..", "..a/b.."),
    ("...", "..."),
]
FOLDERS += [(".", "."), ("./", "."), ("a/..", "."), ("  a b/c  ", "a b/c"), ("backup~/x", "backup~/x"), ("ü/汉", "ü/汉")]


@pytest.mark.parametrize(("text", "path"), FOLDERS)
def test_a_folder_is_normalised(text, path):
    given_answer = answer(DIRECTORY, customInput=text)
    assert given_answer.custom_input == given_answer.value == path


ESCAPES = [
    "../ws_evil",
    "/data/ws_evil",
    "a/../../ws_evil",
    "..",
    "/etc",
    "C:\\x",
    "~",
    "//server/x",
    "~root/x",
    "./~",
    "C:/x",
    "./c:x",
    "a\\b",
    "./ /",
    "a/../ b",
    "./\x1b",
]


@pytest.mark.parametrize("text", ESCAPES)
def test_h89_a_path_that_leads_out_is_refused(text):
    message(DIRECTORY, text)


def test_h89_the_refusal_is_the_same_whatever_is_wrong_and_whether_or_not_it_exists(tmp_path):
    texts = {message(DIRECTORY, text) for text in (*ESCAPES, str(tmp_path), str(tmp_path / "missing"))}
    assert len(texts) == 1
    assert list(tmp_path.iterdir()) == []


@unhurried
@given(
    st.lists(st.sampled_from(["..", ".", "", "a", "b ", "~", "C:", "%", "..."]) | st.text(max_size=3), max_size=8).map("/".join)
)
def test_h89_no_accepted_folder_ever_leads_out(text):
    text = text.replace("\0", "").encode(errors="ignore").decode()
    try:
        path = folder(text)
    except InvalidAnswer:
        return
    parts = PurePosixPath(path).parts
    assert not PurePosixPath(path).is_absolute()
    assert ".." not in parts
    assert "\\" not in path
    assert folder(path) == path
