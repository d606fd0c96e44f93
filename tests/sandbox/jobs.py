"""What the sandbox tests have a worker do. Imported in the worker only."""

import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

_kept: dict[str, Any] = {"count": 0}


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Do what the job names."""
    _kept["count"] += 1
    return {"echo": _echo, "look": _look, "spin": _spin, "hog": _hog, "raise": _raise, "die": _die, "write": _write}[job["do"]](
        job
    )


def _echo(job: dict[str, Any]) -> dict[str, Any]:
    time.sleep(job.get("seconds", 0))
    return {"text": job.get("text", ""), "pid": os.getpid(), "count": _kept["count"]}


def _look(_: dict[str, Any]) -> dict[str, Any]:
    return {
        "environment": dict(os.environ),
        "modules": sorted(sys.modules),
        "descriptors": _open_descriptors(),
        "group": os.getpgid(0) == os.getpid(),
        "core": resource.getrlimit(resource.RLIMIT_CORE)[0],
    }


def _open_descriptors() -> int:
    return sum(1 for number in range(64) if _is_open(number))


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _spin(_: dict[str, Any]) -> dict[str, Any]:
    while True:
        pass


def _hog(_: dict[str, Any]) -> dict[str, Any]:
    return {"length": len(bytearray(4 << 30))}


def _raise(job: dict[str, Any]) -> dict[str, Any]:
    raise LookupError(job["text"])


def _die(_: dict[str, Any]) -> dict[str, Any]:
    os._exit(3)


def _write(job: dict[str, Any]) -> dict[str, Any]:
    Path(job["path"]).write_text("x" * 10)
    return {}
