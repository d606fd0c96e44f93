"""The product as people run it: a real server process with a data folder and a port of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Self

import httpx
import pytest

PROJECT = Path(__file__).resolve().parents[2]
PASSWORD = "correct-horse-battery"
READY = re.compile(r"^Handraise \S+ is ready at (\S+?)/?$", re.MULTILINE)
SIGN_IN_LINK = re.compile(r"^  (http\S+)$", re.MULTILINE)
_OURS = ("HANDRAISE_", "DJANGO_", "PYTEST_")
_NOT_FOR_THE_SERVER = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ALLOWED_HOSTS", "DEBUG")


def free_port() -> int:
    """Return a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def clean_environment() -> dict[str, str]:
    """Return this process's environment without anything that sets Handraise up."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_OURS) and name not in _NOT_FOR_THE_SERVER}


class ServerProcess:
    """One installation: ``start``, ``kill`` and ``start`` again as often as wanted; it keeps folder, port and tokens.

    `settings` may name a settings module under tests/, such as one with crash points.
    """

    def __init__(self, folder: Path, env: Mapping[str, str] | None = None, settings: str = "config.settings") -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.data = folder / "data"
        self.log = folder / "server.log"
        self.env = clean_environment() | {
            "HANDRAISE_DATA_DIR": str(self.data),
            "DJANGO_SETTINGS_MODULE": settings,
            "PYTHONUNBUFFERED": "1",
            "HANDRAISE_SANDBOX": "off",
            **(env or {}),
        }
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def start(self, *options: str, seconds: float = 60) -> Self:
        """Start it and return once it says that it is ready. Raises AssertionError with its log otherwise."""
        said_before = self.said()
        with self.log.open("ab") as log:
            self._process = self.popen("serve", "--port", str(self.port), *options, stdout=log, stderr=log)
        wait_until(lambda: self._is_ready(len(said_before)), seconds, lambda: f"not ready:\n{self.said()[-3000:]}")
        return self

    def _is_ready(self, after: int) -> bool:
        assert self.is_alive, f"serve ended with {self.process.returncode}:\n{self.said()[-3000:]}"
        return READY.search(self.said()[after:]) is not None

    def popen(self, *arguments: str, **options: object) -> subprocess.Popen[bytes]:
        """Start a command of this installation in a process group of its own; the caller ends it."""
        command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
        found: dict[str, object] = {"stdin": subprocess.DEVNULL, "start_new_session": True} | options
        return subprocess.Popen(command, cwd=self.folder, env=self.env, **found)  # type: ignore[call-overload]

    def manage(self, *arguments: str, stdin: str = "", seconds: float = 60) -> subprocess.CompletedProcess[str]:
        """Run a command of this installation to its end."""
        command = [sys.executable, str(PROJECT / "manage.py"), *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=self.env, input=stdin, capture_output=True, text=True, timeout=seconds, check=False
        )

    @property
    def process(self) -> subprocess.Popen[bytes]:
        """The server's process. Raises AssertionError before the first start."""
        assert self._process is not None, "the server was never started"
        return self._process

    @property
    def is_alive(self) -> bool:
        """Say whether the server runs."""
        return self._process is not None and self._process.poll() is None

    def said(self) -> str:
        """Return all that it has written, over all starts."""
        return self.log.read_text("utf-8", "replace") if self.log.exists() else ""

    def sign_in_link(self) -> str:
        """Return the link that the last start printed."""
        return SIGN_IN_LINK.findall(self.said())[-1]

    def kill(self) -> None:
        """``kill -9`` the server and all that it started."""
        self._signal_group(signal.SIGKILL)
        self.process.wait(10)

    def terminate(self, number: signal.Signals = signal.SIGTERM, seconds: float = 20) -> float:
        """Ask the server to stop; return how many seconds it took. Raises TimeoutExpired."""
        began = time.monotonic()
        self.process.send_signal(number)
        self.process.wait(seconds)
        return time.monotonic() - began

    def close(self) -> None:
        """Leave nothing running."""
        if self._process is not None:
            self.kill()

    def _signal_group(self, number: signal.Signals) -> None:
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            return  # it has ended already, with all its children

    def make_user(self, name: str = "ada", *flags: str) -> str:
        """Make a user with PASSWORD; return the name."""
        made = self.manage("create_user", name, *flags, stdin=PASSWORD + "\n")
        assert made.returncode == 0, made.stderr
        return name

    def make_token(self, name: str = "ada", *options: str) -> str:
        """Make a token for a user and return it."""
        made = self.manage("create_token", name, *options)
        assert made.returncode == 0, made.stderr
        return made.stdout.strip()

    def client(self, token: str = "", **headers: str) -> httpx.Client:
        """Return an HTTP client with a bearer token; close it."""
        sent = headers | ({"Authorization": f"Bearer {token}"} if token else {})
        return httpx.Client(base_url=self.address, headers=sent, timeout=20, trust_env=False)


def wait_until(is_so: Callable[[], bool], seconds: float, complaint: Callable[[], str] | str = "it did not happen") -> None:
    """Return once it is so, looking 50 times a second. Raises AssertionError after `seconds`."""
    deadline = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < deadline, complaint if isinstance(complaint, str) else complaint()
        time.sleep(0.02)


StartServer = Callable[..., ServerProcess]


@pytest.fixture
def start_server(tmp_path: Path) -> Iterator[StartServer]:
    """Start servers with ``start_server(env={...}, settings="...")``; they are killed at the end."""
    made: list[ServerProcess] = []

    def start(env: Mapping[str, str] | None = None, settings: str = "config.settings") -> ServerProcess:
        made.append(ServerProcess(tmp_path / f"server-{len(made)}", env, settings))
        return made[-1].start()

    yield start
    for server in made:
        server.close()
