"""The processes of a sandbox, and their folders, seen from outside."""

import tempfile
import time
from collections.abc import Collection, Mapping
from pathlib import Path

from apps.sandbox.scratch import PREFIX


def parents() -> Mapping[int, int]:
    """Return the parent of every process that lives."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, parent = path.read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state != "Z":
            found[int(path.parent.name)] = int(parent)
    return found


def descendants(pid: int) -> set[int]:
    """Return the processes that a process has started, and what these have started."""
    known, found = parents(), {pid}
    while more := {child for child, parent in known.items() if parent in found} - found:
        found |= more
    return found - {pid}


def wait_until_gone(pids: Collection[int], seconds: float = 10) -> None:
    """Wait until none of the processes lives. Raises AssertionError."""
    deadline = time.monotonic() + seconds
    while left := parents().keys() & set(pids):
        assert time.monotonic() < deadline, f"these live on: {left}"
        time.sleep(0.02)


def scratch_folders() -> set[str]:
    """Return the names of the folders that programs work in without bubblewrap."""
    return {path.name for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*")}


def wait_until_removed(folders: Collection[str], seconds: float = 10) -> None:
    """Wait until none of the folders is there. Raises AssertionError."""
    deadline = time.monotonic() + seconds
    while left := scratch_folders() & set(folders):
        assert time.monotonic() < deadline, f"these are left: {left}"
        time.sleep(0.02)
