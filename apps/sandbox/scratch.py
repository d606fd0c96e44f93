"""The folder that code in the sandbox writes to, seen from outside: how much is in it, what of it is taken over, its end.

The names in it are the code's own choice, so nothing is opened by a path: folder by folder, never through a link.
"""

import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PREFIX = "handraise-code-"
_SETTLED_SECONDS = 60
"""A folder that nobody holds is left alone for so long: it may be about to be locked."""
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_DEEPEST = 16


class TooMuch(Exception):
    """There is more in the folder than there may be."""


@dataclass(frozen=True, slots=True)
class Taking:
    """Which files are taken over: how many, how large each, by which endings."""

    files: int
    file_bytes: int
    endings: Sequence[str]


@contextmanager
def scratch_folder(user: int | None) -> Iterator[Path]:
    """Make a folder for one job and remove it at the end; remove also those whose keeper was killed.

    The lock stands on the outer folder, which the code cannot open.
    """
    sweep(Path(tempfile.gettempdir()))
    outer = Path(tempfile.mkdtemp(prefix=PREFIX))
    lock = os.open(outer, _FOLDER)
    fcntl.flock(lock, fcntl.LOCK_EX)
    outer.chmod(0o711)
    inner = outer / "root"
    inner.mkdir(mode=0o700)
    (inner / "work").mkdir(mode=0o700)
    if user is not None:
        for folder in (inner, inner / "work"):
            os.chown(folder, user, user)
    try:
        yield inner
    finally:
        remove(outer)
        os.close(lock)


def sweep(place: Path) -> None:
    """Remove the folders of jobs whose keeper is gone."""
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError):  # somebody else's, or gone this moment
            _remove_if_left(folder)


def _remove_if_left(folder: Path) -> None:
    facts = folder.lstat()
    if facts.st_uid != os.geteuid() or time.time() - facts.st_mtime < _SETTLED_SECONDS:
        return
    lock = os.open(folder, _FOLDER)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(folder)
    finally:
        os.close(lock)


def remove(folder: Path) -> None:
    """Remove a folder however deep the code has nested folders in it: what is inside one is moved up first."""
    handle = os.open(folder, _FOLDER)
    try:
        while names := os.listdir(handle):
            for name in names:
                _take_apart(handle, name)
    finally:
        os.close(handle)
    folder.rmdir()


def _take_apart(parent: int, name: str) -> None:
    if not stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
        os.unlink(name, dir_fd=parent)
        return
    os.chmod(name, 0o700, dir_fd=parent)
    inner = os.open(name, _FOLDER, dir_fd=parent)
    try:
        for number, each in enumerate(os.listdir(inner)):
            os.rename(each, f"{time.monotonic_ns()}-{number}", src_dir_fd=inner, dst_dir_fd=parent)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=parent)


def measure(root: int, most_entries: int) -> int:
    """Return how many bytes are on the disk below the folder. Raises TooMuch for too many or too deeply nested entries."""
    used = 0
    for entries, (_parents, _name, facts) in enumerate(walk(root), 1):
        used += facts.st_blocks * 512
        if entries > most_entries:
            raise TooMuch
    return used


def walk(folder: int, parents: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str, os.stat_result]]:
    """Yield the entries below an open folder, with the names of the folders that they are in. Raises TooMuch."""
    if len(parents) > _DEEPEST:
        raise TooMuch
    for name in sorted(os.listdir(folder)):
        try:
            facts = os.stat(name, dir_fd=folder, follow_symlinks=False)
            yield parents, name, facts
            if stat.S_ISDIR(facts.st_mode):
                inner = os.open(name, _FOLDER, dir_fd=folder)
                try:
                    yield from walk(inner, (*parents, name))
                finally:
                    os.close(inner)
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue  # changed this moment by the code that runs, or a folder that it made unreadable for itself too


def take_over(root: int, target: Path, taking: Taking) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Copy what the code left in its working folder to `target`; return the files, and those left out with the reason.

    Raises FileNotFoundError if the folder around `target` has gone: what was made for it goes too.
    """
    taken: list[dict[str, object]] = []
    left_out: list[dict[str, object]] = []
    shutil.rmtree(target, ignore_errors=True)  # of an earlier try, cut by a crash
    work = os.open("work", _FOLDER, dir_fd=root)
    try:
        for parents, name, facts in walk(work):
            if stat.S_ISDIR(facts.st_mode):
                continue
            path = "/".join((*parents, name))
            reason = _why_not(parents, name, facts, len(taken), taking)
            if reason:
                left_out.append({"name": path.encode(errors="replace").decode()[:200], "reason": reason})
            else:
                taken.append({"name": path, "size": _copy(work, path, target)})
    finally:
        os.close(work)
    return taken, left_out


def _why_not(parents: tuple[str, ...], name: str, facts: os.stat_result, taken: int, taking: Taking) -> str:
    if not stat.S_ISREG(facts.st_mode) or facts.st_nlink != 1:
        return "no_file"
    if any(not part.isprintable() or part.startswith(".") or "\\" in part for part in (*parents, name)):
        return "name"
    if name.rpartition(".")[2].lower() not in taking.endings:
        return "type"
    if facts.st_size > taking.file_bytes:
        return "size"
    return "number" if taken >= taking.files else ""


def folder_below(root: Path, path: str) -> Path:
    """Make the folders of a path below a root, and return the last. Raises FileNotFoundError if the root has gone."""
    folder = root
    for part in path.split("/"):
        folder /= part
        folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _copy(work: int, path: str, target: Path) -> int:
    """Copy one file. The code has ended, so nothing changes under way; the path was walked without a link."""
    aim = target / path
    folder_below(target.parent, aim.parent.relative_to(target.parent).as_posix())
    source = os.open(path, _FILE, dir_fd=work)
    with open(source, "rb") as reading, open(os.open(aim, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as writing:
        shutil.copyfileobj(reading, writing)
        return writing.tell()
