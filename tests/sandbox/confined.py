"""Sandboxes for tests: of each kind, started by each kind of user that the tests can become."""

import atexit
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.conf import settings

from apps.sandbox.code import KEEP, KINDS, CodePool, Interpreter, Kind, Sandbox
from apps.sandbox.pool import SparePool
from apps.sandbox.worker import Limits, Start
from tests.support.project import PROJECT

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet

NOBODY = 65534
SYSTEM_PYTHON = Path("/usr/bin/python3")
"""An interpreter that every user can start; the tests' own may lie in somebody's home."""


@dataclass(frozen=True)
class Way:
    """A kind of sandbox, and who starts it: ``self`` with the installation's interpreter or the system's, or ``nobody``."""

    kind: Kind
    user: str

    def __str__(self) -> str:
        return f"{self.kind}-{self.user}"

    @property
    def uid(self) -> int | None:
        """The user to become; None: the tests' own."""
        return NOBODY if self.user == "nobody" else None


def ways() -> Sequence["ParameterSet"]:
    """Return every kind with every user. Root may become nobody; others are what they are.

    Root's own keeper starts the code as nobody where nobody can start the interpreter: Landlock, the system's Python.
    """
    users = ["self", "nobody"] if os.geteuid() == 0 else ["self"]
    found = [Way(kind, user) for kind in KINDS for user in users]
    found += [Way("landlock", "self_with_system_python")] if os.geteuid() == 0 else []
    return [marked(way) for way in found]


def marked(way: Way) -> "ParameterSet":
    """Return the way as a parameter of tests that are left out where its sandbox is missing.

    Both kinds need Landlock.
    """
    marks = [pytest.mark.landlock, *([pytest.mark.bubblewrap] if way.kind == "bubblewrap" else [])]
    return pytest.param(way, marks=marks, id=str(way))


@cache
def interpreter(path: Path) -> Interpreter:
    """Ask an interpreter once."""
    return Interpreter.at(path)


def sandbox(way: Way) -> Sandbox:
    """Return the sandbox with nothing imported ahead: that takes a second."""
    return Sandbox(way.kind, interpreter(Path(settings.SANDBOX_PYTHON) if way.user == "self" else SYSTEM_PYTHON), modules=())


def code_pool(way: Way, size: int = 2) -> CodePool:
    """Return a pool whose keepers are started by the user of the way."""
    made = CodePool(sandbox(way), size=size, spare_seconds=0)
    if way.uid is not None:
        limits = Limits(jobs=1, grace_seconds=5)
        made._pool = SparePool(starting_as(way), limits, size=size, spare_seconds=0)
    return made


def starting_as(way: Way) -> Start:
    """Return what starts a keeper as another user, who can read neither the tests' interpreter nor their checkout."""
    plan = json.dumps(dict(sandbox(way).plan()) | {"user": None})
    command = [str(SYSTEM_PYTHON), "-I", "-S", "-B", "-c", KEEP, str(_copy_of_keeper())]
    return lambda channel: subprocess.Popen(
        [*command, str(channel.fileno()), plan],
        stdin=subprocess.DEVNULL,
        env={},
        cwd="/",
        user=way.uid,
        group=way.uid,
        extra_groups=[],
        start_new_session=True,
        pass_fds=(channel.fileno(),),
    )


@cache
def _copy_of_keeper() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="handraise-test-keeper-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    (folder / "apps" / "sandbox").mkdir(parents=True)
    for name in ("__init__", "sandbox/__init__", "sandbox/inside", "sandbox/scratch", "sandbox/supervisor"):
        shutil.copy(PROJECT / "apps" / f"{name}.py", folder / "apps" / f"{name}.py")
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)
    return folder
