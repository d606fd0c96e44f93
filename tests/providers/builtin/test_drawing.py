"""A function to draw: the program that is called, and what is said of its result."""

import ast
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from apps.agent.messages import Turn
from apps.providers.builtin import BuiltinModel
from tests.providers.builtin.talking import ASK, Talk, card_of, options_of

CODE = {"type": "function", "function": {"name": "code_execution", "description": "", "parameters": {"type": "object"}}}
FACTS = {"points": 2001, "is_cut": False}
DRAWN = {"status": "done", "exit_code": 0, "stdout": json.dumps(FACTS), "files": [{"name": "plot.png", "size": 9, "id": "a"}]}


class NoZeros:
    """Stands for the pool: knows nothing of any function."""

    async def compute(self, job: dict[str, Any], *, seconds: float) -> dict[str, Any]:
        return {"status": "solved", "parts": [], "join": "comma", "words": "", "short": None} | dict.fromkeys(
            ("steps", "checks", "notes"), ()
        )


def talks(pool: Any, language: str = "en") -> Talk:
    """Start a conversation in which programs may be run."""
    started = Talk(BuiltinModel(pool), language)
    started.tools = (ASK, CODE)
    return started


@pytest.fixture
def draws() -> Callable[..., Talk]:
    """Start conversations whose zeros are not of interest."""
    return partial(talks, NoZeros())


def program(turn: Turn) -> str:
    """Return the program of the turn's one call."""
    (call,) = turn.calls
    arguments: dict[str, Any] = json.loads(call.arguments)
    assert (call.name, arguments["language"], turn.text) == ("code_execution", "python", "")
    ast.parse(arguments["code"])
    return str(arguments["code"])


@pytest.mark.parametrize(
    ("text", "formula", "ends"),
    [
        ("plot y = x^2 - 3x from -1 to 4", "np.power(x, 2.0) - 3.0 * x", "-1.0, 4.0"),
        ("draw the graph of f(t) = -t/(1-t) on [0, 1/2]", "-np.divide(x, 1.0 - x)", "0.0, np.divide(1.0, 2.0)"),
        ("graph ln x, 1 ≤ x ≤ 4", "np.log(x)", "1.0, 4.0"),
        ("sketch |x-1| + ∛x for 4 > x > -1", "np.abs(x - 1.0) + root(x, 3.0)", "-1.0, 4.0"),
        ("plot y = 3", "3.0", "-10.0, 10.0"),
        ("画出 y = sin x 的图像", "np.sin(x)", "-10.0, 10.0"),
        ("画函数 y=√x 在区间 [0, π] 上的图像", "np.sqrt(x)", "0.0, np.pi"),
        ("作出 y = 2(x - (1 - x)) 从 0 到 1 的图象", "2.0 * (x - (1.0 - x))", "0.0, 1.0"),
    ],
)
async def test_the_program_is_written_from_the_formula_as_read(draws, text, formula, ends):
    code = program(await draws().say(text))
    assert f"y = np.zeros_like(x) + ({formula})\n" in code
    assert f"low, high = {ends}\n" in code


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        (
            "en",
            "plot y = x^2 - 3x from -1 to 4",
            ["I drew `y = x^2 - 3*x` from `-1` to `4`; the picture is `plot.png`", "**Zeros in this range:** `x = 0`, `x = 3`"],
        ),
        ("zh", "画出 y = x^2 从 1 到 2 的图像", ["已画出 `y = x^2` 从 `1` 到 `2` 的图像", "**在此范围内的零点：** 没有"]),
        ("en", "plot sin x", ["no range was given, so I took -10 to 10", "x = -3*π"]),
    ],
)
async def test_the_answer_says_what_was_drawn_and_where_it_is_zero(pool, language, text, said):
    chat = talks(pool, language)
    await chat.say(text)
    turn = await chat.close(DRAWN)
    assert not turn.calls
    assert [words for words in said if words not in turn.text] == []


async def test_zeros_that_are_not_exact_are_not_named(pool):
    chat = talks(pool)
    await chat.say("plot x^5 - x - 1 from 0 to 2")
    assert "Zeros" not in (await chat.close(DRAWN)).text


@pytest.mark.parametrize(
    ("facts", "words"), [({"points": 0, "is_cut": False}, "no real value in this range"), (FACTS | {"is_cut": True}, "so large")]
)
async def test_what_the_picture_does_not_show_is_said(draws, facts, words):
    chat = draws()
    await chat.say("plot 1/x from -1 to 1")
    assert words in (await chat.close(DRAWN | {"stdout": json.dumps(facts)})).text


@pytest.mark.parametrize(
    ("result", "why"),
    [
        ({"status": "error", "code": "SANDBOX_FAILED", "message": "It was not run."}, "`It was not run.`"),
        ({"status": "ended", "reason": "timeout", "exit_code": None, "message": "It took too long."}, "`It took too long.`"),
        (DRAWN | {"exit_code": 1, "stderr": "Traceback:\nMemoryError\n"}, "`MemoryError`"),
        (DRAWN | {"files": []}, "`done, exit code 0`"),
        ({}, "`?, exit code ?`"),
    ],
)
async def test_a_program_that_fails_is_said_and_not_run_again(draws, result, why):
    chat = draws()
    await chat.say("plot x from 0 to 1")
    turn = await chat.close(result)
    assert not turn.calls
    assert f"There is no picture: the program that draws it did not succeed ({why})" in turn.text
    assert "I drew" not in turn.text


@pytest.mark.parametrize(("language", "words"), [("en", "it is not offered here"), ("zh", "此处没有提供")])
async def test_without_the_tool_it_says_that_there_is_no_picture(talk, language, words):
    turn = await talk(language).say("plot x^2 - 4 from 0 to 3")
    assert not turn.calls
    assert words in turn.text
    assert "`x = 2`" in turn.text


@pytest.mark.parametrize(
    "text",
    [
        "plot __import__('os').system('id') from 1 to 2",
        'plot x"); import os #',
        "plot y = x^2; print(1)",
        "plot y = x^2 in red",
        "plot x^2 and x^3",
        "plot x^2 + y^2 = 1",
        "plot y = a x^2",
        "plot y = x at x = 3",
        "plot x! from 0 to 3",
        "plot i x",
        "plot x from a to b",
        "plot x from 0 to infinity",
        "plot x for x > 0",
        "plot x^2 and find the minimum",
        "画出 y=x^2 的图像并求切点",
        "plot",
    ],
)
async def test_what_is_not_one_function_and_one_range_is_asked_about(draws, text):
    assert card_of(await draws().say(text))["mode"] == "text"


async def test_a_range_that_goes_backwards_is_refused(pool):
    assert "to a larger one" in (await talks(pool).say("plot x from 3 to 1")).text


async def test_the_base_of_a_logarithm_is_asked_even_where_the_zeros_are_the_same(draws):
    chat = draws()
    assert options_of(await chat.say("plot log x from 1 to 9")) == ["log:10", "log:e", "log:2"]
    assert "np.divide(np.log(x), np.log(2.0))" in program(await chat.answer("log:2"))


async def test_another_drawing_after_the_first_is_another_program(draws):
    chat = draws()
    await chat.say("plot x from 0 to 1")
    await chat.close(DRAWN)
    assert "np.exp(x)" in program(await chat.say("plot exp(x) from 0 to 1"))
