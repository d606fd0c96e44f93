"""Files are opened inside of their workspace only, and only plain ones."""

import os
from pathlib import Path

import pytest

from apps.toolkit.files.places import open_inside, write_whole


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A workspace with a file, and with what should not be in one."""
    (tmp_path / "outside.txt").write_text("outside")
    root = tmp_path / "workspace"
    (root / "code" / "1").mkdir(parents=True)
    (root / "code" / "1" / "a.txt").write_text("inside")
    (root / "code" / "1" / "link.txt").symlink_to(tmp_path / "outside.txt")
    (root / "code" / "up").symlink_to(tmp_path)
    os.mkfifo(root / "code" / "1" / "pipe")
    return root


def test_a_plain_file_is_opened(root: Path) -> None:
    with open_inside(root, "code/1/a.txt") as file:
        assert file.read() == b"inside"


LINKS = ["code/1/link.txt", "code/up/outside.txt"]
NO_FILES = ["code/1", "code/1/pipe", "code/1/a.txt/", "nothing", ""]
TRICKS = ["../outside.txt", "code/../../outside.txt", "/etc/passwd", "code//1/a.txt", "code/1/a.txt\0"]


@pytest.mark.parametrize("path", [*LINKS, *NO_FILES, *TRICKS])
def test_whatever_else_is_there_looks_as_if_it_were_not(root: Path, path: str) -> None:
    with pytest.raises(FileNotFoundError):
        open_inside(root, path)


def test_a_workspace_that_is_a_link_is_none(root: Path, tmp_path: Path) -> None:
    (tmp_path / "other").symlink_to(root)
    with pytest.raises(FileNotFoundError):
        open_inside(tmp_path / "other", "code/1/a.txt")


def test_nothing_is_written_to_a_workspace_that_has_gone(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_whole(tmp_path / "gone", "exec/1", "a.txt", b"late")
    assert list(tmp_path.iterdir()) == []
