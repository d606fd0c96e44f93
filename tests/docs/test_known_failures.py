"""docs/guarantees.md and the suite: every known kind of failure is held off by a test that names it and that exists."""

import ast
import re

import pytest

from tests.support.project import doc, modules, tree

REQUIRED = range(1, 91)
"""The kinds of failure that must be impossible here."""

ROWS = dict(re.findall(r"^\| (H\d\d) \| .*? \| (.*) \|$", doc("guarantees.md"), re.MULTILINE))


def named_tests(row: str) -> list[str]:
    """Return the tests that a row of the table names."""
    return re.findall(r"`(test_\w+)`", row)


def names_kind(test: str, number: int) -> bool:
    """Say whether a test's name holds the number of the kind, such as ``h09`` or ``h9``."""
    return re.search(rf"_h0?{number}(?:_|$)", test) is not None


@pytest.fixture(scope="module")
def existing() -> set[str]:
    """The names of all test functions of the project."""
    nodes = (node for path in modules("tests") if path.name.startswith("test_") for node in ast.walk(tree(path)))
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


@pytest.mark.parametrize("number", REQUIRED)
def test_each_required_kind_has_a_test_that_names_it(number: int) -> None:
    named = named_tests(ROWS.get(f"H{number:02}", ""))
    assert any(names_kind(test, number) for test in named), named


def test_every_test_in_the_table_exists(existing: set[str]) -> None:
    missing = {kind: sorted(set(named_tests(row)) - existing) for kind, row in ROWS.items()}
    assert {kind: names for kind, names in missing.items() if names} == {}


def test_every_row_names_a_test() -> None:
    assert [kind for kind, row in ROWS.items() if not named_tests(row)] == []


def test_the_table_is_in_order_and_names_no_kind_twice() -> None:
    kinds = re.findall(r"^\| (H\d\d) \|", doc("guarantees.md"), re.MULTILINE)
    assert kinds == sorted(set(kinds))
