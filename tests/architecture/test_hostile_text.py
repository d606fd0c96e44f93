"""Text is data: nothing in the product runs it, and nothing unfinished or hidden is left in it."""

import ast
import re

from tests.support.project import modules, name_of, tree

RUNS_TEXT = {"eval", "exec", "sympify", "parse_expr", "__import__"}
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX)\b")


def _called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name, value=ast.Name(id=module)):
            return "" if module in ("re", "regex") else name
        case _:
            return ""


def test_nothing_outside_the_sandbox_runs_text() -> None:
    calls = [
        f"{name_of(path)}:{node.lineno} {_called(node)}"
        for path in modules("apps", "config")
        if "sandbox" not in path.parts
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Call) and _called(node) in RUNS_TEXT
    ]
    assert calls == []


def test_nothing_is_marked_as_unfinished() -> None:
    found = [name_of(path) for path in modules("apps", "config") if UNFINISHED.search(path.read_text(encoding="utf-8"))]
    assert found == []


def test_every_broad_except_says_why_or_raises_again() -> None:
    for path in modules("apps", "config"):
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ExceptHandler) and _is_broad(node) and not _raises_again(node):
                around = lines[node.lineno - 3 : node.body[0].end_lineno]
                assert any("#" in line for line in around), f"{name_of(path)}:{node.lineno}"


def _is_broad(node: ast.ExceptHandler) -> bool:
    return node.type is None or (isinstance(node.type, ast.Name) and node.type.id in ("Exception", "BaseException"))


def _raises_again(node: ast.ExceptHandler) -> bool:
    return any(isinstance(inner, ast.Raise) and inner.exc is None for inner in ast.walk(node))
