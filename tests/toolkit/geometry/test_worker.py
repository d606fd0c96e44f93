"""What lines come to: exact values of every command, faults with their line, never an exception."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.toolkit.geometry.commands import COMMANDS
from apps.toolkit.geometry.words import WORDS
from apps.toolkit.geometry.worker import run

TRIANGLE = ("A = (0, 0)", "B = (4, 0)", "C = (1, 3)")


def things(*lines: str) -> dict[str, dict[str, Any]]:
    computed = run({"lines": lines})
    return {each["name"]: each for each in computed["things"]}


def last(line: str) -> dict[str, Any]:
    """Return what a line makes below a triangle."""
    return [*things(*TRIANGLE, line).values()][-1]


@pytest.mark.parametrize(
    ("line", "kind", "exact"),
    [
        ("P = (0.1, 1/3)", "point", "(1/10, 1/3)"),
        ("P = (sqrt(3)/2, 2√5 - pi)", "point", "(sqrt(3)/2, -pi + 2*sqrt(5))"),
        ("P：＝（1，－2）", "point", "(1, -2)"),
        ("P = Point(1, 2)", "point", "(1, 2)"),
        ("s = Segment(B, C)", "segment", "3*sqrt(2)"),
        ("l = Line(A, C)", "line", "3*x - y = 0"),
        ("l = line(A, Segment(B, C))", "line", "x + y = 0"),
        ("r = Ray(A, C)", "ray", "(0, 0) -> (1, 3)"),
        ("k = Circle(A, 2)", "circle", "x^2 + y^2 = 4"),
        ("k = Circle(C, A)", "circle", "(x - 1)^2 + (y - 3)^2 = 10"),
        ("k = Circle(A, Segment(A, C))", "circle", "x^2 + y^2 = 10"),
        ("k = Circle(A, B, C)", "circle", "(x - 2)^2 + (y - 1)^2 = 5"),
        ("p = Polygon(A, B, C)", "polygon", "(0, 0), (4, 0), (1, 3)"),
        ("p = Polygon(A, B, 4)", "polygon", "(0, 0), (4, 0), (4, 4), (0, 4)"),
        ("M = Midpoint(B, C)", "point", "(5/2, 3/2)"),
        ("M = Midpoint(Segment(A, B))", "point", "(2, 0)"),
        ("X = Intersect(Line(A, B), Line(C, (1, 5)))", "point", "(1, 0)"),
        ("X = Intersect(Circle(A, 2), Line(A, B), 2)", "point", "(2, 0)"),
        ("X = Intersect(Circle(A, 2), Ray(A, B))", "point", "(2, 0)"),
        ("X = Intersect(Circle(A, 1), Circle(B, 3))", "point", "(1, 0)"),
        ("X = Intersect(Segment(A, B), Segment((2, 1), (2, 2)))", "nothing", ""),
        ("X = Intersect(Segment(A, B), Segment(B, (9, 0)))", "point", "(4, 0)"),
        ("X = Intersect(Line(A, B), Line(C, (5, 3)))", "nothing", ""),
        ("h = PerpendicularLine(C, Line(A, B))", "line", "x = 1"),
        ("h = ParallelLine(C, Line(A, B))", "line", "y = 3"),
        ("m = PerpendicularBisector(A, C)", "line", "x + 3*y = 5"),
        ("w = AngleBisector(A, B, C)", "line", "x + (1 + sqrt(2))*y = 4"),
        ("w = AngleBisector(B, A, (-1, 0))", "line", "x = 0"),
        ("d = Distance(A, C)", "number", "sqrt(10)"),
        ("d = Distance(A, Line(B, C))", "number", "2*sqrt(2)"),
        ("d = Distance((7, 4), Segment(A, B))", "number", "5"),
        ("d = Length(Segment(B, C)) / 3", "number", "sqrt(2)"),
        ("a = Area(A, B, C)", "number", "6"),
        ("a = Area(Polygon(C, B, A))", "number", "6"),
        ("a = Area(Circle(A, B))", "number", "16*pi"),
        ("w = Angle(A, B, C)", "angle", "pi/4"),
        ("w = Angle(B, A, C)", "angle", "acos(sqrt(10)/10)"),
        ("w = Angle(Line(A, B), Line(A, (0, 5)))", "angle", "pi/2"),
        ("n = 2^3/3 - -1", "number", "11/3"),
        ("n = 1/(1 + sqrt(2))", "number", "-1 + sqrt(2)"),
    ],
)
def test_a_line_has_its_exact_value(line: str, kind: str, exact: str) -> None:
    made = last(line)
    assert (made["type"], made["exact"]) == (kind, exact)


def test_every_command_has_been_tried() -> None:
    lines = " ".join(str(mark.args[1]) for mark in test_a_line_has_its_exact_value.pytestmark).lower()
    assert [name for name in COMMANDS if f"{name}(" not in lines] == []


def test_several_intersections_have_numbers_from_left_to_right() -> None:
    made = things("k = Circle((0, 0), 2)", "l = Line((0, 0), (1, 0))", "P = Intersect(k, l)")
    assert [made[name]["exact"] for name in ("P_1", "P_2")] == ["(-2, 0)", "(2, 0)"]


def test_numbers_and_the_drawing_are_there_beside_the_exact_value() -> None:
    made = things("A = (sqrt(2), 0)", "B = (0, 1)", "w = Angle(A, (0, 0), B)", "d = Distance(A, B)")
    assert made["A"]["value"] == [1.41421356237, 0.0]
    assert made["w"]["value"] == 90.0
    assert made["w"]["shape"]["degrees"] == "90"
    assert (made["d"]["value"], made["d"]["shape"]) == (1.73205080757, None)


def test_what_is_zero_but_cannot_be_seen_to_be_is_drawn_at_zero() -> None:
    made = things("A = (sqrt(5 + sqrt(7)) * sqrt(5 - sqrt(7)) - sqrt(18), 1)")
    assert made["A"]["shape"]["at"] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("x.y", "unknown_sign"),
        ("__import__('os')", "unknown_sign"),
        ("P = (1, 2", "unfinished"),
        ("P = (1, 2, 3)", "bad_pair"),
        ("A B", "misfit"),
        ("9^9^9", "misfit"),
        ("(" * 30 + "1" + ")" * 30, "too_complex"),
        ("1+" * 70 + "1", "too_complex"),
        ("1" * 301, "too_long"),
        ("1" * 31, "long_number"),
        ("n" * 31, "long_name"),
        ("2^21", "bad_exponent"),
        ("99999999999^20", "too_large"),
        ("(10^9 + 1, 0)", "too_large"),
        ("1/10^20/10^20/10^20/10", "too_small"),
        ("sqrt(2)/10^20/10^20/10^20/10^20", "too_small"),
        ("1/(sqrt(2) - sqrt(2))", "division_by_zero"),
        ("1/(sqrt(3 + 2sqrt(2)) - 1 - sqrt(2))", "division_by_zero"),
        ("sqrt(1 - 2)", "negative_root"),
        ("Rotate(A, 60)", "unknown_command"),
        ("Segment", "command_alone"),
        ("Segment(A, 3)", "wrong_arguments"),
        ("Segment(A, Z)", "unknown_name"),
        ("A = (1, 1)", "name_taken"),
        ("pi = 3", "name_taken"),
        ("A + 1", "no_number"),
        ("Segment(A, A)", "same_points"),
        ("Circle(A, B, Midpoint(A, B))", "on_one_line"),
        ("Circle(A, -1)", "bad_radius"),
        ("Polygon(A, B, 7)", "irregular"),
        ("Polygon(" + ", ".join(["A, B"] * 16) + ")", "many_corners"),
        ("Intersect(Line(A, B), Segment(A, B))", "infinitely_many"),
        ("Intersect(Circle(A, 1), Circle(A, 1))", "infinitely_many"),
        ("Intersect(Circle(A, 1), Line(A, B), 3)", "no_such_intersection"),
        ("Midpoint(A, Intersect(Circle(A, 1), Line(A, B)))", "several_inside"),
        ("AngleBisector(Line(A, B), Line(C, (5, 3)))", "parallel"),
    ],
)
def test_a_fault_is_named_with_its_line(line: str, fault: str) -> None:
    computed = run({"lines": [*TRIANGLE, line]})
    assert (computed["fault"], computed["line"]) == (fault, 4)


def test_a_name_of_several_intersections_is_not_one_of_them() -> None:
    computed = run({"lines": ["P = Intersect(Circle((0, 0), 1), Line((0, 0), (1, 0)))", "Midpoint(P, (1, 1))"]})
    assert (computed["fault"], computed["line"]) == ("several", 2)


_WORDS = st.sampled_from([*COMMANDS, "A", "B", "C", "a", "pi", "=", "(", ")", ",", "+", "-", "*", "/", "^", "√", "0", "1", "2.5"])
_LINES = st.one_of(st.text(max_size=40), st.lists(_WORDS, max_size=12).map(" ".join))
_CALLS = st.tuples(st.sampled_from([*COMMANDS]), st.lists(st.sampled_from(["A", "B", "C", "s", "k", "1", "(1, 0)"]), max_size=3))


@settings(deadline=None, max_examples=150, database=None)
@given(st.lists(st.one_of(_LINES, _CALLS.map(lambda call: f"{call[0]}({', '.join(call[1])})")), max_size=4))
def test_any_text_gives_a_result_or_a_fault_that_has_words(lines: list[str]) -> None:
    computed = run({"lines": [*TRIANGLE, "s = Segment(A, B)", "k = Circle(A, 2)", *lines]})
    json.dumps(computed, allow_nan=False)
    assert "things" in computed or computed["fault"] in WORDS
