"""A fresh installation calls nobody: no telemetry, no model, no update check."""

from pathlib import Path

import pytest

from tests.support import listening
from tests.support.server import ServerProcess, StartServer

pytestmark = pytest.mark.journey


def test_nothing_outside_of_the_machine_is_called(start_server: StartServer, tmp_path: Path) -> None:
    calls, folder = tmp_path / "calls", listening.__path__[0]
    server = start_server({"PYTHONPATH": folder, "HANDRAISE_TEST_CALLS": str(calls)})
    token = server.make_token(server.make_user())
    with server.client(token, Accept="text/event-stream") as client:
        answer = client.post("/api/chat", json={"message": "solve x^2+1=0"})
        assert "event: run_paused" in answer.text
        assert client.get(server.sign_in_link(), headers={"Accept": "text/html"}).status_code == 200
    assert not calls.exists(), calls.read_text()


def test_the_ear_hears(tmp_path: Path) -> None:
    calls, folder = tmp_path / "calls", listening.__path__[0]
    server = ServerProcess(tmp_path / "server", {"PYTHONPATH": folder, "HANDRAISE_TEST_CALLS": str(calls)})
    server.manage("shell", "-v0", "-c", CALL)
    assert calls.read_text() == "socket.connect 192.0.2.1\n"


CALL = "import socket; call = socket.socket(); call.setblocking(False); call.connect_ex(('192.0.2.1', 9))"
