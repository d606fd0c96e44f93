"""The project's own files, for tests that read them."""

import ast
import subprocess
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


def tracked_files() -> list[str]:
    """Return the paths of what git tracks, relative to the project."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=PROJECT, capture_output=True, text=True, check=True)
    return [path for path in listed.stdout.split("\0") if path and (PROJECT / path).exists()]


def modules(*folders: str) -> Iterator[Path]:
    """Yield the Python files of these folders; migrations are written by Django and are left out."""
    for folder in folders:
        yield from (path for path in sorted((PROJECT / folder).rglob("*.py")) if "migrations" not in path.parts)


def name_of(path: Path) -> str:
    """Return a file's path relative to the project."""
    return path.relative_to(PROJECT).as_posix()


def tree(path: Path) -> ast.Module:
    """Return the parsed file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def doc(name: str) -> str:
    """Return a page of docs/, or a file beside it."""
    inside = PROJECT / "docs" / name
    return (inside if inside.exists() else PROJECT / name).read_text(encoding="utf-8")
