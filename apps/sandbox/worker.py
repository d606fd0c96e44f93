"""One worker process, seen from the server: start it, give it a job, end it."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.sandbox.errors import JobFailed, OutOfMemory, TimedOut, WorkerFailed

_ROOT = Path(__file__).resolve().parents[2]
_CHILD = Path(__file__).with_name("child.py")
# Nothing of the server's environment, which may hold keys. The fixed hash seed makes equal jobs give equal results.
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"}

Start = Callable[[socket.socket], "subprocess.Popen[bytes]"]
"""Starts a process that speaks JSON lines on its end of the channel, in a session and process group of its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one worker may use: bytes of memory and of a reply, open files, seconds to start, jobs until it is replaced.

    `grace_seconds` is how long it may clear away what it has, once its channel is closed, before it is killed.
    `reply_bytes` is how long one reply may be.
    """

    memory_bytes: int = 1 << 30
    open_files: int = 64
    start_seconds: float = 60.0
    jobs: int = 200
    grace_seconds: float = 0.0
    reply_bytes: int = 1 << 20


class Worker:
    """One process that answers jobs. Belongs to one event loop."""

    def __init__(self, start: Start, limits: Limits) -> None:
        self._limits, self._unread, self._jobs_done = limits, bytearray(), 0
        self._socket, theirs = socket.socketpair()
        self._socket.setblocking(False)
        with theirs:
            self._process = start(theirs)
        self._ended = weakref.finalize(self, _end, self._process, self._socket, limits.grace_seconds)

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def is_new(self) -> bool:
        """Whether the worker has not finished a job yet."""
        return self._jobs_done == 0

    @property
    def is_fit(self) -> bool:
        """Whether the worker can take another job."""
        return self._ended.alive and self._process.poll() is None and self._jobs_done < self._limits.jobs

    async def wait_until_ready(self) -> None:
        """Wait until the module is imported. Raises WorkerFailed."""
        try:
            async with asyncio.timeout(self._limits.start_seconds):
                await self._read()
        except TimeoutError:
            raise WorkerFailed("the worker did not start in time") from None

    async def compute(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Return what ``run(job)`` returned. Raises SandboxError; after any but JobFailed the worker must be ended."""
        order = json.dumps({"job": job, "seconds": seconds}).encode() + b"\n"
        try:
            async with asyncio.timeout(seconds):
                await self._write(order)
                reply = await self._read()
        except TimeoutError:
            raise TimedOut(f"the job ran longer than {seconds:g} s") from None
        self._jobs_done += 1
        return _result(reply)

    def end(self) -> None:
        """End the process and everything in its group; never waits."""
        if self._ended.detach():
            self._socket.close()
            if not self._limits.grace_seconds:
                _kill(self._process)
            # Taking down a gigabyte of memory takes the kernel a while: not on the event loop.
            threading.Thread(target=_wait, args=(self._process, self._limits.grace_seconds), daemon=True).start()

    async def _write(self, line: bytes) -> None:
        try:
            await asyncio.get_running_loop().sock_sendall(self._socket, line)
        except OSError:
            raise WorkerFailed("the worker is gone") from None

    async def _read(self) -> dict[str, Any]:
        loop = asyncio.get_running_loop()
        while b"\n" not in self._unread:
            try:
                piece = await loop.sock_recv(self._socket, 1 << 16)
            except OSError:
                piece = b""
            self._unread += piece
            if not piece or len(self._unread) > self._limits.reply_bytes:
                raise WorkerFailed("the worker ended without a reply" if not piece else "the reply is too long")
        line, _, self._unread = self._unread.partition(b"\n")
        return _decode(line)


def importing(module: str, limits: Limits) -> Start:
    """Return what starts a process that imports `module` and answers each job with its ``run(job)``."""

    def start(channel: socket.socket) -> "subprocess.Popen[bytes]":
        arguments = [_ROOT, module, channel.fileno(), os.getpid(), limits.memory_bytes, limits.open_files]
        # -P and -s: no module from the current or the user's folder.
        options = ["-P", "-s", *(["-B"] if sys.dont_write_bytecode else []), str(_CHILD)]
        return spawn([sys.executable, *options, *map(str, arguments)], channel)

    return start


def spawn(command: Sequence[str], channel: socket.socket) -> "subprocess.Popen[bytes]":
    """Start a process on its end of the channel: own session and process group, nothing inherited but that."""
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_ENVIRONMENT,
        cwd="/",
        start_new_session=True,
        pass_fds=(channel.fileno(),),
    )


def _decode(line: bytes | bytearray) -> dict[str, Any]:
    try:
        reply = json.loads(line)
    except ValueError:
        raise WorkerFailed("the reply is no JSON") from None
    if not isinstance(reply, dict):
        raise WorkerFailed("the reply is no object")
    return reply


def _result(reply: dict[str, Any]) -> dict[str, Any]:
    if reply.get("failure") == "memory":
        raise OutOfMemory("the job needed too much memory")
    if reply.get("failure"):
        raise JobFailed(str(reply.get("kind", "")))
    result: dict[str, Any] = reply["result"]
    return result


def _kill(process: "subprocess.Popen[bytes]") -> None:
    # poll() reaps first: the id of a process that is reaped may belong to somebody else.
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def _wait(process: "subprocess.Popen[bytes]", grace_seconds: float) -> None:
    """Wait until the process has ended, and kill it if it takes longer than it may."""
    try:
        process.wait(grace_seconds or None)
    except subprocess.TimeoutExpired:
        _kill(process)
        process.wait()


def _end(process: "subprocess.Popen[bytes]", channel: socket.socket, grace_seconds: float) -> None:
    """End a worker that was forgotten, or is left at the end of the program."""
    channel.close()
    if not grace_seconds:
        _kill(process)
    _wait(process, grace_seconds)
