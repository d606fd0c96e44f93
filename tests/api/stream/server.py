"""A real daphne process with the product's ASGI application, on the database of the tests."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Self

from django.conf import settings

from tests.support.sse import StreamClient

START_SECONDS, STOP_SECONDS = 30, 5


class Server:
    """One process; `restart` starts another one on the same port."""

    def __init__(self, log: Path) -> None:
        self.log, self.port = log, _free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] = log.open("wb")
        self.start()

    def start(self) -> None:
        """Start the process and wait until it answers."""
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "tests.api.stream.server_settings",
            "HANDRAISE_TEST_DATABASE": str(settings.DATABASES["default"]["NAME"]),
            "HANDRAISE_DATA_DIR": str(settings.DATA_DIR),
        }
        command = [sys.executable, "-m", "daphne", "-p", str(self.port), "tests.api.stream.probe:application"]
        self._process = subprocess.Popen(command, env=environment, cwd=settings.BASE_DIR, stdout=self._log, stderr=self._log)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            is_starting = self._process.poll() is None and time.monotonic() < deadline
            assert is_starting, self.log.read_text()[-3000:]
            time.sleep(0.05)

    def kill(self) -> None:
        """End the process at once."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> float:
        """End the process as an administrator does; return how many seconds it took."""
        assert self._process is not None
        began = time.monotonic()
        self._process.terminate()
        self._process.wait(STOP_SECONDS)
        return time.monotonic() - began

    def request(self, path: str, headers: Mapping[str, str]) -> int:
        """Send an ordinary GET; return its status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path, headers={"Accept": "application/json", **headers})
        status = connection.getresponse().status
        connection.close()
        return status

    def stream(self, path: str, headers: Mapping[str, str]) -> StreamClient:
        """Open a stream."""
        return StreamClient(self.port, path, headers=headers)

    def append(self, session: int) -> None:
        """Have the server itself append an event."""
        self._get(f"/append/{session}")

    def counts(self) -> dict[str, int]:
        """Return what the process holds now."""
        found: dict[str, int] = json.loads(self._get("/probe"))
        return found

    def _get(self, path: str) -> bytes:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path)
        body = connection.getresponse().read()
        connection.close()
        return body

    def until(self, there: Callable[[dict[str, int]], bool], seconds: float = 5) -> dict[str, int]:
        """Look at the counts until this is true of them. Raises AssertionError."""
        deadline = time.monotonic() + seconds
        while not there(found := self.counts()):
            assert time.monotonic() < deadline, found
            time.sleep(0.05)
        return found

    def _answers(self) -> bool:
        try:
            return bool(self.counts())
        except OSError:
            return False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._log.close()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
