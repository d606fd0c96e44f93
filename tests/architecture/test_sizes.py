"""A file holds one idea, a function does one step."""

import ast

import pytest

from tests.support.project import modules, name_of, tree

MAX_FILE = 400
MAX_FUNCTION = 60


def test_no_file_is_over_400_lines() -> None:
    lines = {name_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in modules("apps", "config")}
    assert {name: count for name, count in lines.items() if count > MAX_FILE} == {}


@pytest.mark.parametrize("folder", ["apps", "config", "tests"])
def test_no_function_is_over_60_lines(folder: str) -> None:
    found = {
        f"{name_of(path)}:{node.name}": (node.end_lineno or 0) - node.lineno + 1
        for path in modules(folder)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {name: count for name, count in found.items() if count > MAX_FUNCTION} == {}


def test_every_module_says_what_lives_in_it() -> None:
    paths = (path for path in modules("apps", "config") if path.read_text(encoding="utf-8").strip())
    assert [name_of(path) for path in paths if not ast.get_docstring(tree(path))] == []
