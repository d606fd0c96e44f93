"""The examples of docs/extending.md, taken out of the page and run; what they register is taken back after each test."""

import re
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from apps.audit import channels
from apps.interactions import intents
from apps.runs import capabilities, masking
from apps.web import tool_rows
from tests.support.project import doc
from tests.web.conftest import browser, say, user  # noqa: F401 - a person, their browser, their model

PAGE = doc("extending.md")


def block(section: str, language: str = "python") -> str:
    """Return the code block of a section in this language."""
    text = PAGE.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    (found,) = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return str(found)


Example = Callable[[str], Any]


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Example:
    """Return a function that runs a section's code as a module of its own, and returns the module."""
    for table in (capabilities, channels, intents, tool_rows):
        monkeypatch.setattr(table, "_registered", dict(table._registered))

    def run(section: str) -> Any:
        module = ModuleType("example_" + section.split()[-1])
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(compile(block(section), f"docs/extending.md, {section}", "exec"), module.__dict__)
        return module

    return run


@pytest.fixture
def days_between(example: Example, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Put the example tool where the page says, in the two places of apps/toolkit/tools.py; return its module."""
    module, others = example("A tool"), capabilities.work_tools
    monkeypatch.setattr(capabilities, "work_tools", lambda: [*others(), module.DaysBetween()])
    monkeypatch.setattr(masking, "NAMES", masking.NAMES | {module.DaysBetween.name})
    return module


def count(first: object = "2026-03-01", last: object = "2026-04-11") -> dict[str, Any]:
    """Return a script's call of the example tool."""
    return {"id": "d1", "name": "days_between", "arguments": {"first": first, "last": last}}
