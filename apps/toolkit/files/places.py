"""Where the files of a call lie, how one is put there, and how it is opened: never through a link, only plain files."""

import hashlib
import io
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from apps.sandbox.scratch import folder_below

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# Not waiting: a pipe that somebody put there must not hold a thread.
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_HALF = ".half-"


def folder_of_call(kind: str, run_id: str, call_id: str) -> str:
    """Return the folder of a call's files in the workspace: the same if the call is run again, another for each call."""
    name = hashlib.sha256(f"{run_id} {call_id}".encode(errors="surrogatepass")).hexdigest()[:16]
    return f"{kind}/{name}"


def write_whole(workspace: Path, path: str, name: str, content: bytes) -> None:
    """Put a file into a folder: whole and on the disk, or not at all. A file of the same name is replaced.

    Raises FileNotFoundError if the workspace has gone: its data were erased meanwhile, and nothing may come back.
    """
    folder = folder_below(workspace, path)
    for half in folder.glob(f"{_HALF}*"):
        half.unlink(missing_ok=True)  # of an earlier try, cut by a crash
    half = folder / f"{_HALF}{secrets.token_hex(8)}"
    try:
        with open(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        half.replace(folder / name)
    finally:
        half.unlink(missing_ok=True)
    _sync(folder)


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, _FOLDER)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_inside(root: Path, path: str) -> io.BufferedReader:
    """Open a plain file inside a folder. Raises FileNotFoundError, for whatever else is there as well."""
    *parents, name = path.split("/")
    if not all(_is_plain(part) for part in (*parents, name)):
        raise FileNotFoundError
    try:
        with _opened(root, parents) as folder:
            return _plain_file(os.open(name, _FILE, dir_fd=folder))
    except OSError:
        raise FileNotFoundError from None


def _is_plain(part: str) -> bool:
    return part not in ("", ".", "..") and "\0" not in part


@contextmanager
def _opened(root: Path, parents: list[str]) -> Iterator[int]:
    """Open folder after folder, each from the last one, so that none of them can be a link."""
    folder = os.open(root, _FOLDER)
    try:
        for parent in parents:
            inner = os.open(parent, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _plain_file(descriptor: int) -> io.BufferedReader:
    file = open(descriptor, "rb")  # noqa: SIM115 - the caller closes it
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return file
    file.close()
    raise FileNotFoundError


def digest_of(root: Path, path: str) -> str:
    """Return the SHA-256 of a file, in hex. Raises FileNotFoundError."""
    with closing(open_inside(root, path)) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def count_folders(folder: Path) -> int:
    """Return how many entries a folder has; 0 if it is not there."""
    with suppress(FileNotFoundError):
        return len(os.listdir(folder))
    return 0
