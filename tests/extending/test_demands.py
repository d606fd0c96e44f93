"""What docs/extending.md says that the tests demand, held for everything that has been added."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from apps.agent.capabilities import Capability
from apps.agent.tools import AnyTool
from apps.audit import channels
from apps.interactions import intents
from apps.runs.capabilities import all_capabilities, mounted
from apps.toolkit.tools import NAMES, work_tools
from apps.web import tool_rows
from tests.extending.conftest import Example
from tests.support.project import PROJECT, doc


def tools() -> dict[str, AnyTool]:
    """Return every tool that works here and now, by name."""
    return {tool.name: tool for each in all_capabilities() for tool in mounted(each, {}).tools.values()}


def described(schema: Any) -> Iterator[tuple[str, str]]:
    """Yield the path and description of every property, those inside others too."""
    for name, inner in schema.get("properties", {}).items():
        yield name, inner.get("description", "")
        yield from ((f"{name}.{path}", text) for path, text in described(inner.get("items", inner)))


@pytest.mark.parametrize("tool", tools().values(), ids=tools())
def test_every_property_of_a_tool_is_described_in_both_languages(tool: AnyTool) -> None:
    english, chinese = (dict(described(tool.schema(language)["parameters"])) for language in ("en", "zh"))
    assert [path for path in english if not english[path] or not re.search("[\u4e00-\u9fff]", chinese[path])] == []


def test_every_work_tool_is_named_and_documented() -> None:
    assert {tool.name for tool in work_tools()} <= NAMES
    assert [name for name in NAMES if f"`{name}`" not in doc("toolkit.md") and f"## {name}" not in doc("toolkit.md")] == []


@pytest.mark.parametrize("capability", all_capabilities(), ids=lambda each: each.name)
def test_a_capability_has_a_title_in_both_languages(capability: Capability) -> None:
    assert set(capability.titles) == {"en", "zh"}
    assert capability.title("zh-hans") != capability.title("en-gb")


def test_every_channel_is_documented_and_no_other() -> None:
    listed = doc("audit.md").partition("channel\n(")[2].partition(")")[0]
    assert listed.split(", ") == list(channels.titles())


def test_every_row_of_a_tool_has_its_template() -> None:
    kinds = {tool_rows.row_kind(name) for name in tools()}
    assert [kind for kind in kinds if not (PROJECT / "templates" / "rows" / f"_{kind}.html").exists()] == []


@pytest.mark.parametrize(
    "register",
    [
        lambda: intents.register(intents.IntentKind("plan-review")),
        lambda: channels.register("web", "again"),
        lambda: channels.register("toolong", "seven letters"),
        lambda: channels.register("w", "the beginning of web"),
        lambda: [tool_rows.register("count", "a"), tool_rows.register("count", "b")],
    ],
)
def test_what_is_there_already_cannot_be_added_again(example: Example, register: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        register()
