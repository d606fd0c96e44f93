"""A run that rebuilds a figure: what the model sees, what it gets, what the page gets."""

import json
from typing import Any

import pytest

from apps.chat.models import Run, ToolResult
from apps.runs.capabilities import capability_named, mounted
from apps.toolkit.geometry.words import WORDS
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk

pytestmark = pytest.mark.django_db(transaction=True)
TRIANGLE = ["A = (0, 0)", "B = (4, 0)", "C = (1, 3)"]


def result(language: str = "en", **arguments: object) -> ToolResult:
    """Return the result of one call."""
    call = {"id": "c1", "name": "geogebra_analysis", "arguments": arguments}
    desk = Desk(UserFactory(), [{"calls": [call]}, DONE])
    run = desk.drive(desk.say(language=language))
    assert run.status == Run.Status.COMPLETED
    return ToolResult.objects.get(call__run=run)


def content(made: ToolResult) -> dict[str, Any]:
    return dict(json.loads(made.content))


def test_objects_have_exact_values_numbers_and_sentences_and_the_drawing_is_for_interfaces_alone() -> None:
    made = result(commands=[*TRIANGLE, "Polygon(A, B, C)", "d = Distance(A, C)"])
    assert content(made)["objects"][-1] == {
        "name": "d",
        "type": "number",
        "exact": "sqrt(10)",
        "value": 3.16227766017,
        "text": "d = sqrt(10) ≈ 3.16228.",
    }
    assert [shape["kind"] for shape in made.details["figure"]] == ["point", "point", "point", "polygon"]
    assert "points" not in made.content


def test_one_text_of_several_lines_is_as_good_as_a_list_and_numbers_alone_have_no_figure() -> None:
    made = result(commands="a = sqrt(2)\n\na * sqrt(8)\n")
    assert [each["exact"] for each in content(made)["objects"]] == ["sqrt(2)", "4"]
    assert "figure" not in content(made)
    assert not made.details


@pytest.mark.parametrize(("language", "begin"), [("en", "Line 2: Segment does not take (point, number)"), ("zh", "第 2 行：")])
def test_a_line_with_a_fault_is_named_in_words(language: str, begin: str) -> None:
    made = result(language, commands=["A = (0, 0)", "Segment(A, 3)"])
    assert (made.is_error, content(made)["code"], content(made)["field"]) == (True, "BAD_COMMAND", "commands")
    assert content(made)["message"].startswith(begin)


def test_an_image_is_not_read_and_the_model_is_told_to_ask() -> None:
    made = result(image="figure.png", commands=[])
    assert (content(made)["code"], "ask_user" in content(made)["message"]) == ("IMAGE_NOT_READ", True)
    assert "ask_user" in content(result(image="figure.png", commands=TRIANGLE))["image"]


@pytest.mark.parametrize("commands", [None, [], [" "], 7, [7], {"a": 1}, ["A = (0, 0)"] * 61])
def test_what_are_no_lines_is_refused_by_its_field(commands: object) -> None:
    made = content(result(commands=commands))
    assert (made["code"], made["field"]) == ("BAD_ARGUMENT", "commands")


@pytest.mark.parametrize("capability", ["chat", "deep_solve"])
def test_every_capability_offers_it(capability: str) -> None:
    assert "geogebra_analysis" in mounted(capability_named(capability), {}).tools


def test_it_can_be_switched_off() -> None:
    assert "geogebra_analysis" not in mounted(capability_named("chat"), {"geogebra_analysis": False}).tools


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_property_of_its_schema_is_described(language: str) -> None:
    schema = mounted(capability_named("chat"), {}).tools["geogebra_analysis"].schema(language)
    properties = schema["parameters"]["properties"]
    assert list(properties) == ["commands", "image"]
    assert all(each["description"] for each in (schema, *properties.values(), properties["commands"]["items"]))


def test_all_words_are_there_in_both_languages() -> None:
    assert all(words.keys() == {"en", "zh"} and all(words.values()) for words in WORDS.values())
