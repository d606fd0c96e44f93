"""Terminals for tests: one in memory with lines written beforehand, one real (a pseudo terminal with a process in it)."""

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Callable, Iterable
from typing import IO, Self

from apps.runs.terminal import Terminal
from tests.support.server import ServerProcess

Act = Callable[[], str]


class TypedTerminal(Terminal):
    """Gets lines (or functions that act and return one, or raise); keeps what is written."""

    def __init__(self, lines: Iterable[str | Act]) -> None:
        self._lines, self.written = iter(lines), ""
        super().__init__(self._next, self._keep)

    def _next(self, prompt: str) -> str:
        line = next(self._lines, None)
        if line is None:
            raise EOFError
        return line if isinstance(line, str) else line()

    def _keep(self, text: str) -> None:
        self.written += text


class RealTerminal:
    """A command of an installation in a pseudo terminal. `seconds` below are limits, never waits."""

    def __init__(self, server: ServerProcess, *arguments: str, stderr: int | IO[bytes] = subprocess.STDOUT) -> None:
        self.shown = ""
        self._ours, theirs = pty.openpty()
        self._process = server.popen(*arguments, stdin=theirs, stdout=theirs, stderr=stderr)
        os.close(theirs)

    def see(self, text: str, seconds: float = 30) -> None:
        """Read until the text is shown after what was seen before."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            is_in_time = time.monotonic() < deadline and self._read()
            assert is_in_time, f"not shown: {text!r}, but:\n{self.shown}"
        self.shown = self.shown.partition(text)[2]

    def type(self, text: str) -> None:
        """Type; Ctrl-C is ``\\x03``, Ctrl-D ``\\x04``. Ctrl-C goes to the process, as a terminal in the foreground does."""
        os.write(self._ours, text.encode())

    def interrupt(self) -> None:
        """Send what Ctrl-C sends: this terminal controls no process, so it cannot."""
        self._process.send_signal(signal.SIGINT)

    def end(self, seconds: float = 30) -> int:
        """Wait for the end; return the exit code."""
        return self._process.wait(seconds)

    def _read(self) -> bool:
        if not select.select([self._ours], [], [], 0.5)[0]:
            return self._process.poll() is None
        try:
            self.shown += os.read(self._ours, 65536).decode()
        except OSError:
            return False  # the process has closed its side
        return True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._ours)
