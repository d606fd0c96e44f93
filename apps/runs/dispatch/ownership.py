"""Who holds a lease: a name, and a file lock that the operating system frees the moment its process is gone."""

import fcntl
import os
import secrets
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings


def _folder() -> Path:
    folder: Path = settings.DATA_DIR / "runners"
    folder.mkdir(exist_ok=True, mode=0o700)
    return folder


class Owner:
    """A worker's name, locked as long as the worker lives."""

    def __init__(self) -> None:
        self.name = f"worker-{os.getpid()}-{secrets.token_hex(6)}"
        self._path = _folder() / f"{self.name}.lock"
        self._file = os.open(self._path, os.O_CREAT | os.O_RDWR, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def release(self) -> None:
        """Give the name up."""
        self._path.unlink(missing_ok=True)
        os.close(self._file)


def dead(owners: Iterable[str]) -> set[str]:
    """Return those owners whose lock is free: their process is gone. One without a file here may live elsewhere."""
    return {owner for owner in owners if _is_free(_folder() / f"{owner}.lock")}


def _is_free(path: Path) -> bool:
    try:
        file = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(file)
    return True


def sweep(still_named: Iterable[str]) -> None:
    """Remove the lock files of workers that are gone and hold nothing any more."""
    kept = set(still_named)
    for path in _folder().glob("worker-*.lock"):
        if path.stem not in kept and _is_free(path):
            path.unlink(missing_ok=True)
