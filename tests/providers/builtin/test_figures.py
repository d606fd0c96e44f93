"""Points with coordinates and a measure of them: the commands that are called, and what is said of the result."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.providers.builtin.talking import ASK, Talk, card_of

FIGURE = {"type": "function", "function": {"name": "geogebra_analysis", "description": "", "parameters": {"type": "object"}}}
TRIANGLE = "A=(0,0), B=(4,0), C=(0,3): area of triangle ABC"
SIX = {"status": "done", "objects": [{"name": "A", "exact": "(0, 0)"}, {"name": "result", "exact": "6", "value": 6.0}]}


@pytest.fixture
def measures(talk) -> Callable[..., Talk]:
    """Start conversations in which figures may be computed."""

    def start(language: str = "en") -> Talk:
        started: Talk = talk(language)
        started.tools = (ASK, FIGURE)
        return started

    return start


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        (TRIANGLE, ["A = (0, 0)", "B = (4, 0)", "C = (0, 3)", "shape = Polygon(A, B, C)", "result = Area(shape)"]),
        (
            "已知 A(0,0)，B(4,0)，C(0,√3)，求三角形 ABC 的面积",
            ["A = (0, 0)", "B = (4, 0)", "C = (0, sqrt(3))", "shape = Polygon(A, B, C)", "result = Area(shape)"],
        ),
        (
            "Given A(1/2, -2) and B(π, 2√3), find the distance between A and B.",
            ["A = (1/2, -2)", "B = (π, 2*sqrt(3))", "shape = Segment(A, B)", "result = Distance(A, B)"],
        ),
        (
            "已知点A(0,1)和点B(1,2)，求A和B两点间的距离",
            ["A = (0, 1)", "B = (1, 2)", "shape = Segment(A, B)", "result = Distance(A, B)"],
        ),
        (
            "the midpoint of AB where A=(1,2) and B=(3,4)?",
            ["A = (1, 2)", "B = (3, 4)", "shape = Segment(A, B)", "result = Midpoint(A, B)"],
        ),
    ],
)
async def test_the_commands_are_written_from_the_points_as_read(measures, text, commands):
    turn = await measures().say(text)
    (call,) = turn.calls
    assert (call.name, json.loads(call.arguments)) == ("geogebra_analysis", {"commands": commands})


@pytest.mark.parametrize(
    ("language", "result", "words"),
    [
        ("en", SIX, "**Result:** The area of the triangle A, B, C is `6`."),
        ("zh", SIX, "**结果：** 三角形 A, B, C 的面积是 `6`。"),
        (
            "en",
            SIX | {"objects": [{"name": "result", "exact": "sqrt(10)", "value": 3.16227766017}]},
            "`sqrt(10)` ≈ 3.16227766017",
        ),
        (
            "en",
            {"status": "error", "code": "BAD_COMMAND", "message": "Line 4: no."},
            "did not compute the figure (`Line 4: no.`)",
        ),
        ("en", {"status": "done", "objects": []}, "There is no result"),
    ],
)
async def test_the_answer_gives_the_exact_value_of_the_tool_or_says_why_not(measures, language, result, words):
    chat = measures(language)
    await chat.say(TRIANGLE)
    turn = await chat.close(result)
    assert not turn.calls
    assert words in turn.text
    assert r"$A = \left(0, 0\right)$" in turn.text


@pytest.mark.parametrize(("language", "words"), [("en", "it is not offered here"), ("zh", "此处没有提供")])
async def test_without_the_tool_it_says_that_there_is_no_result(talk, language, words):
    turn = await talk(language).say(TRIANGLE)
    assert not turn.calls
    assert words in turn.text


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("A(0,0), B(4,0): area of triangle ABC", "`C`"),
        ("A(0,0), B(4,0), C(1,1): distance between A and B", "`C = (1, 1)`"),
        ("A(0,0), A(1,0), B(4,0): distance between A and B", "`A = (1, 0)`"),
        ("A(0,0), B(a,0): distance between A and B", "`a`"),
        ("A(0,0), B(1/2π,0): distance between A and B", "1/2*π"),
        ("A(0,0), B(system,0): distance between A and B", "`system`"),
    ],
)
async def test_points_that_are_not_used_or_have_no_place_are_asked_about(measures, text, part):
    card: dict[str, Any] = card_of(await measures().say(text))
    assert part in card["description"]


@pytest.mark.parametrize(
    "text", ["三角形的面积是多少", "A(0,0), B(4,0), C(0,3): area of the circle ABC", f"{TRIANGLE} in metres"]
)
async def test_other_geometry_stays_out_of_reach(measures, text):
    turn = await measures().say(text)
    assert not turn.calls
    assert turn.text.startswith("I give no result.")


@pytest.mark.parametrize(
    ("language", "text"),
    [("en", "Triangle with A(0,0), B(4,0), C(1,3): circumcircle"), ("zh", "三角形 A(0,0), B(4,0), C(1,3) 的外接圆")],
)
async def test_geometry_out_of_reach_is_answered_with_a_form_that_works(measures, language, text):
    refusal = (await measures(language).say(text)).text
    (form,) = [part for part in refusal.split("`") if part.startswith("A=(0,0)")]
    (call,) = (await measures(language).say(form)).calls
    assert call.name == "geogebra_analysis"
