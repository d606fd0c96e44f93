"""The parameters that models are shown, and labels as they are drawn."""

from collections.abc import Iterator
from typing import Any

import pytest

from apps.interactions.contract import MODES, display_label
from apps.interactions.guidance import TEXTS, say, system_text
from apps.interactions.tools import AskUserQuestionTool, AskUserTool

TOOLS = (AskUserTool(), AskUserQuestionTool())


def schemas_in(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for inner in (*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])):
        yield from schemas_in(inner)


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_h46_every_array_has_items_and_every_property_a_type_and_a_description(tool, language):
    parameters = tool.schema(language)["parameters"]
    assert parameters["type"] == "object"
    for schema in schemas_in(parameters):
        assert schema["type"] != "array" or schema["items"]
        assert set(schema.get("required", ())) <= set(schema.get("properties", {}))
        for described in schema.get("properties", {}).values():
            assert described["description"]
            assert described["type"] in ("string", "boolean", "array", "object")


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_h46_no_keyword_is_used_that_hosted_models_refuse(tool):
    known = {"type", "properties", "required", "items", "description", "enum"}
    assert all(set(schema) <= known for schema in schemas_in(tool.schema("en")["parameters"]))


def test_ask_user_requires_title_and_mode_and_lists_the_seven_modes():
    parameters = AskUserTool().schema("en")["parameters"]
    assert parameters["required"] == ["title", "mode"]
    assert parameters["properties"]["mode"]["enum"] == list(MODES)
    assert len(MODES) == 7
    assert parameters["properties"]["options"]["items"]["required"] == ["id", "label"]


def test_ask_user_question_takes_a_list_and_the_flat_form():
    parameters = AskUserQuestionTool().schema("en")["parameters"]
    assert set(parameters["properties"]) == {"questions", "question", "header", "options", "multi_select"}
    assert parameters["properties"]["questions"]["items"]["required"] == ["question"]


def without_words(schema: Any) -> Any:
    """Return the schema with its descriptions left out."""
    if isinstance(schema, dict):
        return {key: without_words(value) for key, value in schema.items() if key != "description" or isinstance(value, dict)}
    return schema


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_the_languages_differ_in_words_only(tool):
    english, chinese = tool.schema("en"), tool.schema("zh")
    assert english["description"] != chinese["description"]
    assert english["parameters"] != chinese["parameters"]
    assert without_words(english) == without_words(chinese)


def test_the_guidance_names_what_makes_a_good_question():
    description = AskUserQuestionTool().schema("en")["description"]
    for point in ("(Recommended)", "2 to 4", "At most 4", "not specified", "costs more", "inferred"):
        assert point in description


def test_every_text_is_there_in_both_languages():
    assert all(set(texts) == {"en", "zh"} and all(texts.values()) for texts in TEXTS.values())
    assert say("form.flag", "zh-hans") == say("form.flag", "zh") != say("form.flag", "de") == say("form.flag", "en")
    assert say("when_to_ask", "en") in system_text("en")


LABELS = [
    ("Fast (Recommended)", "Fast", True),
    ("Fast (recommended) ", "Fast", True),
    ("快 (推荐)", "快", True),
    ("慢（推荐）", "慢", True),
    ("Fast (Recommended) (2)", "Fast (Recommended) (2)", False),
    ("(Recommended)", "(Recommended)", False),
    ("Recommended", "Recommended", False),
    ("a (Recommended) b", "a (Recommended) b", False),
    (" plain ", " plain ", False),
]


@pytest.mark.parametrize(("label", "shown", "is_recommended"), LABELS)
def test_the_suffix_of_a_label_is_drawn_as_a_badge(label, shown, is_recommended):
    assert display_label(label) == (shown, is_recommended)
