"""Each setting, event, command, transition and exit code of the code stands in the documentation, and nothing else does."""

import ast
import inspect
import re
from collections.abc import Iterator

import pytest

from apps.common.transitions import Transitions
from apps.events.catalogue import KINDS
from apps.interactions.models import Interaction
from apps.runs import config, machine
from config import environment
from tests.support.project import PROJECT, doc, modules, tracked_files, tree

READERS = {name for name, value in vars(environment).items() if inspect.isfunction(value)} - {"kept_key"}


def _variables() -> Iterator[str]:
    for node in ast.walk(tree(PROJECT / "config" / "settings.py")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in READERS:
            yield ast.literal_eval(node.args[0])


def test_every_variable_is_documented_and_no_other() -> None:
    documented = set(re.findall(r"^\| `([A-Z][A-Z_]+)` \|", doc("settings.md"), re.MULTILINE))
    assert documented == set(_variables())


def test_every_default_number_is_the_documented_one() -> None:
    documented = dict(re.findall(r"^\| `([A-Z_]+)` \| `(\d+)`", doc("settings.md"), re.MULTILINE))
    numbers = {}
    for node in ast.walk(tree(PROJECT / "config" / "settings.py")):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "whole_number":
            numbers[ast.literal_eval(node.args[0])] = str(ast.literal_eval(node.args[1]))
    assert documented == numbers


def test_every_key_of_config_is_documented_and_no_other() -> None:
    section = doc("settings.md").partition("## One run")[2]
    assert set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == set(config.READERS)


def test_every_event_is_documented_with_its_keys_and_no_other() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", doc("events.md"), re.MULTILINE)
    documented = {name: tuple(re.findall(r"`(\w+)`", keys)) for name, keys in rows}
    assert documented == {kind.name: kind.keys for kind in KINDS.values()}


def test_every_command_is_documented() -> None:
    commands = {path.stem for path in modules("apps") if path.parent.name == "commands" and path.stem != "__init__"}
    documented = set(re.findall(r"^\| `manage\.py (\w+)", doc("operations.md"), re.MULTILINE))
    assert documented == commands


@pytest.mark.parametrize(("head", "table"), [("run", machine.TRANSITIONS), ("interaction", Interaction.TRANSITIONS)])
def test_every_transition_is_documented_and_no_other(head: str, table: Transitions) -> None:
    section = doc("architecture.md").partition(f"| {head} | from | to |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| `(\w+)` \|$", section, re.MULTILINE)
    documented = {name: (frozenset(re.findall(r"`(\w+)`", sources)), target) for name, sources, target in rows}
    assert documented == {name: (frozenset(map(str, sources)), str(target)) for name, (sources, target) in table.items()}


def test_every_layer_is_explained() -> None:
    apps = {path.parent.name for path in (PROJECT / "apps").glob("*/__init__.py")}
    section = doc("architecture.md").partition("## Layers")[2].partition("## ")[0]
    assert {name for name in apps if not re.search(rf"\b{name}\b", section)} == set()


@pytest.mark.parametrize("name", [path for path in tracked_files() if path.endswith(".md")])
def test_links_between_pages_lead_somewhere(name: str) -> None:
    page = PROJECT / name
    for target in re.findall(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target
