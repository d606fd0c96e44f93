"""What docs/extending.md says of itself, and of the places that it names."""

import ast
import re

import pytest

from tests.extending.conftest import PAGE, block
from tests.support.project import PROJECT

SECTIONS = re.findall(r"^## (An? .*)$", PAGE, re.MULTILINE)


def test_each_of_the_five_has_its_code() -> None:
    assert SECTIONS == ["A tool", "A capability", "An intent", "An interface", "A timeline row"]
    assert all(block(section) for section in SECTIONS)


@pytest.mark.parametrize("section", SECTIONS)
def test_the_code_is_as_short_as_the_products_own(section: str) -> None:
    functions = [node for node in ast.walk(ast.parse(block(section))) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert all((node.end_lineno or 0) - node.lineno < 20 for node in functions)


def test_every_file_that_it_names_is_there() -> None:
    named = set(re.findall(r"`((?:apps|tests|config)/[\w./]+)`", PAGE))
    assert [path for path in sorted(named) if not (PROJECT / path).exists()] == []
