"""Run Python code in a full sandbox: bubblewrap with Landlock, seccomp and limits, or all of these without bubblewrap."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from apps.sandbox.calls import compiled
from apps.sandbox.errors import Unavailable
from apps.sandbox.pool import SparePool
from apps.sandbox.probing import check
from apps.sandbox.worker import Limits, Start, spawn

Kind = Literal["bubblewrap", "landlock"]
KINDS: Sequence[Kind] = ("bubblewrap", "landlock")
_ROOT = Path(__file__).resolve().parents[2]
KEEP = "import sys; sys.path.append(sys.argv[1]); from apps.sandbox.supervisor import main; main(*sys.argv[2:])"
"""The program of a keeper; its arguments are the folder of the product, a socket and a plan."""
_NOBODY = 65534
_SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/usr/share/fonts", "/usr/share/zoneinfo")
_LOOK = """
import json, os, sys, sysconfig
paths = sysconfig.get_paths()
libraries = [paths["stdlib"], paths["platstdlib"], sysconfig.get_config_var("LIBDIR")]
packages = [paths["purelib"], paths["platlib"]]
print(json.dumps({"python": os.path.realpath(sys.executable), "libraries": libraries, "packages": packages}))
"""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one program may use. `written_bytes` counts what is written and deleted again, too."""

    memory_bytes: int = 1 << 30
    disk_bytes: int = 64 << 20
    written_bytes: int = 256 << 20
    file_bytes: int = 20 << 20
    entries: int = 500
    output_bytes: int = 200_000
    threads: int = 64
    cpu_seconds: int = 3600
    start_seconds: float = 30.0
    files: int = 20
    endings: Sequence[str] = (
        *("png", "jpg", "jpeg", "gif", "svg", "pdf"),
        *("csv", "tsv", "txt", "md", "json", "tex", "py", "xlsx", "npy", "npz"),
    )


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A Python for the code alone: its program, the folders that it needs to see, where its packages lie."""

    python: str
    readable: Sequence[str]
    packages: Sequence[str]

    @classmethod
    def at(cls, path: Path) -> "Interpreter":
        """Ask the interpreter itself. Raises Unavailable."""
        try:
            done = subprocess.run([path, "-I", "-c", _LOOK], env={}, capture_output=True, timeout=20, check=True)
            facts = json.loads(done.stdout)
        except (OSError, ValueError, subprocess.SubprocessError):
            raise Unavailable("its interpreter is not installed") from None
        packages = [folder for folder in dict.fromkeys(facts["packages"]) if os.path.isdir(folder)]
        places = dict.fromkeys([*_SYSTEM, facts["python"], *facts["libraries"], *packages])
        return cls(facts["python"], [place for place in places if os.path.exists(place)], packages)

    @property
    def is_open_to_all(self) -> bool:
        """Whether a user without any rights can start it and read its packages."""
        wanted = {Path(place) for place in (self.python, *self.packages)}
        return all(part.stat().st_mode & 0o001 for place in wanted for part in (place, *place.parents))


@dataclass(frozen=True)
class Sandbox:
    """One kind of sandbox around one interpreter."""

    kind: Kind
    interpreter: Interpreter
    allowance: Allowance = Allowance()
    modules: Sequence[str] = ("sympy", "numpy", "matplotlib.pyplot")
    seeds: Sequence[str] = ()

    @cached_property
    def start(self) -> Start:
        """What starts a keeper with a confined process. Raises Unavailable."""
        plan = json.dumps(self.plan())
        command = [sys.executable, "-I", "-S", *(["-B"] if sys.dont_write_bytecode else []), "-c", KEEP, str(_ROOT)]
        return lambda channel: spawn([*command, str(channel.fileno()), plan], channel)

    def plan(self) -> Mapping[str, Any]:
        """Return what the keeper is told. Raises Unavailable."""
        bubblewrap = shutil.which("bwrap") if self.kind == "bubblewrap" else None
        if self.kind == "bubblewrap" and not bubblewrap:
            raise Unavailable("bubblewrap is not installed")
        as_nobody = self.kind == "landlock" and os.geteuid() == 0 and self.interpreter.is_open_to_all
        return {
            **asdict(self.allowance),
            "sandbox": self.kind,
            "bubblewrap": bubblewrap,
            "user": _NOBODY if as_nobody else None,
            "python": self.interpreter.python,
            "packages": self.interpreter.packages,
            "readable": [*self.interpreter.readable, *self.seeds],
            "modules": self.modules,
            "seeds": self.seeds,
            "calls": compiled().hex(),
        }

    def check(self) -> None:
        """Run a program in it that tries to get out. Raises Unavailable."""
        if sys.platform != "linux":
            raise Unavailable("it needs Linux")
        check(replace(self, modules=()).start)


@dataclass(frozen=True, slots=True)
class Finished:
    """How a program ended. `reason` says why it was ended (timeout, output, disk, threads); empty: it ended by itself.

    `exit_code` is as shells count, 128 and the signal's number for one that was killed; None: it was ended.
    """

    reason: str
    exit_code: int | None
    stdout: str
    stderr: str
    files: Sequence[Mapping[str, Any]]
    left_out: Sequence[Mapping[str, Any]]
    seconds: float


class CodePool:
    """Runs programs, at most `size` at once, each in a sandbox of its own.

    After a program the next sandbox is made ready, its libraries imported, and waits `spare_seconds`.
    """

    def __init__(self, sandbox: Sandbox, *, size: int = 2, spare_seconds: float = 600.0) -> None:
        self.sandbox = sandbox
        limits = Limits(jobs=1, start_seconds=sandbox.allowance.start_seconds, grace_seconds=5.0)
        # Whoever has to wait for a sandbox does not wait for libraries that the program may not want.
        bare = replace(sandbox, modules=())
        self._pool = SparePool(bare.start, limits, size=size, start_ahead=sandbox.start, spare_seconds=spare_seconds)

    async def run(self, code: str, *, seconds: float, files_to: Path | None = None) -> Finished:
        """Run a program. Its files are put into the folder `files_to`, which is emptied first. None: they are dropped.

        Cancelling the caller ends the program, and leaves none of its files. Raises SandboxError.
        """
        job = {"code": code, "seconds": seconds, "files_to": str(files_to or "")}
        return Finished(**await self._pool.compute(job, seconds=seconds + self.sandbox.allowance.start_seconds))

    async def warm(self) -> None:
        """Start a sandbox ahead of the first program. Raises WorkerFailed."""
        await self._pool.warm()

    async def close(self) -> None:
        """End what this event loop has started."""
        await self._pool.close()
