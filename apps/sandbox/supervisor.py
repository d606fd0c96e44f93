"""The keeper of one sandbox, a process of its own: ``main(SOCKET, PLAN)``. Standard library only.

It starts the confined process, gives it one job, watches what it uses, takes its files over, and replies with one JSON
line. When its server is gone, by whatever death, or does not want the job any more, the channel closes: then it kills the
process and removes the folder. It is started in a session of its own, so nothing that ends the server ends it first.
"""

import array
import json
import os
import selectors
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.sandbox.scratch import Taking, TooMuch, measure, scratch_folder, take_over

POLL_SECONDS = 0.05
SHOWN = 20_000
"""Characters of each stream that are passed on: the beginning and the end."""
_INSIDE = Path(__file__).with_name("inside.py")
_CREDENTIALS = struct.Struct("3i")

Json = dict[str, Any]


class Unwanted(Exception):
    """The server is gone, or has no use for this sandbox any more."""


@dataclass
class Stream:
    """What the code writes to one of its two outputs, up to a limit."""

    pipe: int
    limit: int
    kept: bytearray = field(default_factory=bytearray)

    def read(self) -> bool:
        """Take in what there is; say whether more may come."""
        piece = os.read(self.pipe, 1 << 16)
        self.kept += piece
        return bool(piece)

    @property
    def is_over(self) -> bool:
        """Whether more was written than may be."""
        return len(self.kept) > self.limit

    def text(self) -> str:
        """Return what was written, its middle left out if it is long."""
        text = self.kept.decode(errors="replace")
        if len(text) <= SHOWN:
            return text
        tail = SHOWN // 4
        return f"{text[: SHOWN - tail]}\n[... {len(text) - SHOWN} characters left out ...]\n{text[-tail:]}"


class Inmate:
    """The confined process: bubblewrap around it, or it alone."""

    def __init__(self, plan: Json, folder: str) -> None:
        self._plan, self._folder, self.root, self.pid = plan, folder, -1, 0
        self.channel, theirs = socket.socketpair()
        self.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        with theirs:
            self.process = subprocess.Popen(
                command(plan, folder, theirs.fileno()),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment(folder),
                cwd=f"{folder}/work" if plan["sandbox"] == "landlock" else "/",
                pass_fds=(theirs.fileno(),),
                user=plan["user"],
                group=plan["user"],
                extra_groups=None if plan["user"] is None else [],
            )
        assert self.process.stdout
        assert self.process.stderr
        self.streams = [Stream(pipe.fileno(), plan["output_bytes"]) for pipe in (self.process.stdout, self.process.stderr)]
        self.channel.sendall(json.dumps(self._orders()).encode() + b"\n")

    def _orders(self) -> Json:
        given = ("memory_bytes", "file_bytes", "cpu_seconds", "packages", "modules", "seeds", "calls")
        devices = ["/dev/null", "/dev/urandom"]
        readable = [*self._plan["readable"], *devices]
        orders = {key: self._plan[key] for key in given}
        return orders | {"folder": self._folder, "readable": readable, "writable": [self._folder, "/dev/null"]}

    def greet(self) -> None:
        """Take the word that the walls stand: its folder, and its id as the kernel names it. Raises OSError."""
        _data, ancillary, _flags, _address = self.channel.recvmsg(16, socket.CMSG_SPACE(16) + socket.CMSG_SPACE(12))
        for _level, kind, content in ancillary:
            if kind == socket.SCM_RIGHTS:
                self.root = array.array("i", content[:4])[0]
            elif kind == socket.SCM_CREDENTIALS:
                self.pid = _CREDENTIALS.unpack(content[:12])[0]
        # A thread that was there before the walls would stand outside of them.
        if self.root < 0 or not self.pid or _count(self.pid, "status", "Threads") != 1:
            raise OSError("the sandbox did not come up")

    def excess(self) -> str:
        """Return what the code has more of than it may have; empty: nothing."""
        if _count(self.pid, "status", "Threads") > self._plan["threads"]:
            return "threads"
        if _count(self.pid, "io", "wchar") > self._plan["written_bytes"]:
            return "disk"
        try:
            return "disk" if measure(self.root, self._plan["entries"]) > self._plan["disk_bytes"] else ""
        except TooMuch:
            return "disk"

    def end(self) -> None:
        """Kill it, and all that is in its sandbox, and wait for that."""
        if self.pid and self.process.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(self.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.channel.close()
        if self.root >= 0:
            os.close(self.root)


def command(plan: Json, folder: str, channel: int) -> list[str]:
    """Return the command of the confined process."""
    inner = [plan["python"], "-I", "-S", "-c", _INSIDE.read_text(encoding="utf-8"), str(channel)]
    if plan["sandbox"] == "landlock":
        return inner
    # No /proc: it would show the environment of bubblewrap itself. No --dev: it would bring a /dev/shm to fill.
    # Parents before what lies in them, and the folder last: what is mounted later hides what was there before.
    shown = [part for path in sorted(plan["readable"]) for part in ("--ro-bind", path, path)]
    devices = [part for name in ("null", "urandom") for part in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")]
    own = ["--size", str(plan["disk_bytes"]), "--tmpfs", folder, "--dir", f"{folder}/work", "--chdir", f"{folder}/work"]
    walls = ["--unshare-user", "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    walls += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--uid", "65534", "--gid", "65534"]
    return [plan["bubblewrap"], *walls, *shown, *devices, *own, "--remount-ro", "/", "--", *inner]


def environment(folder: str) -> dict[str, str]:
    """Return all that the confined process, and bubblewrap around it, have for an environment."""
    home = f"{folder}/home"
    return {
        "HOME": home,
        "TMPDIR": f"{home}/tmp",
        "MPLCONFIGDIR": f"{home}/matplotlib",
        "MPLBACKEND": "Agg",
        "LC_ALL": "C.UTF-8",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }


def _count(pid: int, file: str, key: str) -> int:
    """Return a number that the kernel keeps of a process; 0: it has ended."""
    try:
        lines = Path(f"/proc/{pid}/{file}").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return 0
    return next((int(line.partition(":")[2]) for line in lines if line.startswith(f"{key}:")), 0)


class Keeper:
    """Waits for the server, the process and its outputs at once."""

    def __init__(self, server: socket.socket, inmate: Inmate) -> None:
        self._server, self._inmate = server, inmate
        self._ended = os.pidfd_open(inmate.process.pid)
        self._next_look = 0.0

    def wait_until_ready(self, seconds: float) -> None:
        """Wait until the walls stand. Raises Unwanted, OSError."""
        with _selecting(self._server, self._inmate.channel, self._ended) as ready:
            happened = ready(seconds)
        if self._server in happened:
            raise Unwanted
        self._inmate.greet()

    def read_order(self) -> Json:
        """Wait for the job. Raises Unwanted, also when the process ends meanwhile."""
        line = b""
        while not line.endswith(b"\n"):
            with _selecting(self._server, self._ended) as ready:
                happened = ready(None)
            piece = self._server.recv(1 << 16) if self._server in happened else b""
            if not piece:
                raise Unwanted
            line += piece
        order: Json = json.loads(line)
        return order

    def watch(self, seconds: float) -> str:
        """Read the outputs until the process has ended, or is to be ended; return the reason of that, or empty."""
        deadline = time.monotonic() + seconds
        self._next_look = time.monotonic() + POLL_SECONDS
        streams = {stream.pipe: stream for stream in self._inmate.streams}
        while streams or self._inmate.process.poll() is None:
            with _selecting(self._server, self._ended, *streams) as ready:
                happened = ready(POLL_SECONDS)
            if self._server in happened:
                raise Unwanted
            for pipe in [each for each in happened if each in streams]:
                if not streams[pipe].read():
                    del streams[pipe]
            reason = self._reason(deadline)
            if reason:
                return reason
        return self._inmate.excess()

    def _reason(self, deadline: float) -> str:
        if any(stream.is_over for stream in self._inmate.streams):
            return "output"
        now = time.monotonic()
        if now > deadline:
            return "timeout"
        if now < self._next_look:
            return ""
        self._next_look = now + POLL_SECONDS
        return self._inmate.excess()


@contextmanager
def _selecting(*sources: Any) -> Iterator[Callable[[float | None], set[Any]]]:
    with selectors.DefaultSelector() as selector:
        for source in sources:
            selector.register(source, selectors.EVENT_READ)
        yield lambda seconds: {key.fileobj for key, _events in selector.select(seconds)}


def work(job: Json, keeper: Keeper, inmate: Inmate, plan: Json) -> Json:
    """Do the one job; return the reply."""
    began = time.monotonic()
    inmate.channel.sendall(json.dumps({"code": job["code"]}).encode() + b"\n")
    reason = keeper.watch(job["seconds"])
    seconds = time.monotonic() - began
    code = None if reason else inmate.process.wait()
    files: list[dict[str, object]] = []
    left_out: list[dict[str, object]] = []
    if not reason and job["files_to"]:
        taking = Taking(plan["files"], plan["file_bytes"], plan["endings"])
        files, left_out = take_over(inmate.root, Path(job["files_to"]), taking)
    return {
        "reason": reason,
        "exit_code": 128 - code if code is not None and code < 0 else code,
        "stdout": inmate.streams[0].text(),
        "stderr": inmate.streams[1].text(),
        "files": files,
        "left_out": left_out,
        "seconds": round(seconds, 3),
    }


def serve(server: socket.socket, plan: Json) -> None:
    """Keep one sandbox from its start to its end."""
    with ExitStack() as stack:
        is_alone = plan["sandbox"] == "landlock"
        folder = str(stack.enter_context(scratch_folder(plan["user"]))) if is_alone else "/sandbox"
        inmate = Inmate(plan, folder)
        stack.callback(inmate.end)
        keeper = Keeper(server, inmate)
        keeper.wait_until_ready(plan["start_seconds"])
        server.sendall(b'{"ready":true}\n')
        job = keeper.read_order()["job"]
        reply = work(job, keeper, inmate, plan)
    try:
        server.sendall(json.dumps({"result": reply}, ensure_ascii=False).encode() + b"\n")
    except OSError:
        if job["files_to"]:
            shutil.rmtree(job["files_to"], ignore_errors=True)  # nobody is left who wants the files


def main(descriptor: str, plan: str) -> None:
    """Set up the process and serve."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that everything is cleared away
    try:
        with socket.socket(fileno=int(descriptor)) as server, suppress(Unwanted, OSError):
            serve(server, json.loads(plan))
    finally:
        end_group()


def end_group() -> None:
    """Kill what is left of the keeper's process group, and the keeper with it: the last thing that it does.

    Bubblewrap, killed while it starts, leaves a child that waits for it for ever, and that nobody else knows of.
    """
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
