"""`manage.py serve` from outside: a fresh folder, a taken port, wrong values, the end."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.server import PROJECT, ServerProcess, StartServer, clean_environment
from tests.support.sse import StreamClient

pytestmark = pytest.mark.journey


def test_a_fresh_folder_ends_at_a_link_that_opens(start_server: StartServer) -> None:
    server = start_server()
    assert server.sign_in_link().startswith(server.address)
    with server.client() as client:
        assert client.get(server.sign_in_link()).status_code == 200
        assert client.get("/healthz").status_code == 200


def test_the_link_is_printed_again_until_an_administrator_has_a_password(start_server: StartServer) -> None:
    server = start_server()
    first = server.sign_in_link()
    server.kill()
    server.start()
    assert server.sign_in_link() != first
    server.terminate()
    server.make_user("root", "--superuser")
    server.log.unlink()
    server.start()
    assert "sign-in" not in server.said()


def test_keys_and_database_are_for_their_owner_only(start_server: StartServer) -> None:
    server = start_server()
    assert server.data.stat().st_mode & 0o077 == 0
    assert {path.stat().st_mode & 0o777 for path in server.data.glob("*_key")} == {0o600}


def test_a_taken_port_ends_it_with_one_line(start_server: StartServer) -> None:
    server = start_server()
    second = server.manage("serve", "--port", str(server.port))
    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr == (f"CommandError: Handraise cannot listen at 127.0.0.1 port {server.port}: Address already in use.\n")


def test_a_port_of_another_program_leaves_the_folder_without_a_database(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    with socket.create_server(("127.0.0.1", server.port)):
        assert server.manage("serve", "--port", str(server.port)).returncode == 1
    assert list(server.data.glob("*.sqlite3")) == []


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.full)])
def test_it_stops_within_five_seconds_with_open_streams(start_server: StartServer, number: signal.Signals) -> None:
    server = start_server()
    token = server.make_token(server.make_user())
    with server.client(token) as client:
        session = client.post("/api/chat", json={"message": "solve x^2+1=0"}).json()["sessionId"]
        headers = {"Authorization": f"Bearer {token}"}
        with StreamClient(server.port, f"/api/sessions/{session}/events", headers=headers) as stream:
            stream.until("run_paused", 60)
            assert server.terminate(number) < 5
    assert server.process.returncode == 0
    assert "Traceback" not in server.said()
    with pytest.raises(ProcessLookupError):
        os.killpg(server.process.pid, 0)


def test_two_servers_may_start_at_once_on_one_folder(tmp_path: Path) -> None:
    first, second = ServerProcess(tmp_path / "first"), ServerProcess(tmp_path / "second")
    second.env["HANDRAISE_DATA_DIR"] = first.env["HANDRAISE_DATA_DIR"]
    waiting = first.popen("serve", "--port", str(first.port), stdout=subprocess.DEVNULL)
    try:
        second.start()
        users = second.manage("shell", "-v0", "-c", "from apps.accounts.models import User; print(User.objects.count())")
        assert users.stdout == "1\n"
    finally:
        second.close()
        waiting.kill()
        waiting.wait()


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("HANDRAISE_ASK_LIFETIME", "soon", "must be a whole number"),
        ("HANDRAISE_RATE_RUNS", "-1", "must be between 0 and"),
        ("HANDRAISE_CONTEXT_CHARS", "10", "must be between 1000 and"),
        ("HANDRAISE_MODEL", "gpt", "must be 'builtin' or 'openai:<name>'"),
        ("HANDRAISE_PRICES", "gpt=cheap/10", "must be like model=2.50/10"),
        ("HANDRAISE_PRICES", "gpt=-1/10", "prices from 0 up"),
        ("HANDRAISE_CURRENCY", "dollars", "the three letters of a currency"),
        ("HANDRAISE_PUBLIC_URL", "handraise.example", "must begin with http:// or https://"),
        ("HANDRAISE_TRUST_PROXY", "perhaps", "must be on or off"),
        ("HANDRAISE_PUBLIC_URL", "https://[bad", "must begin with http:// or https://"),
        ("HANDRAISE_DATA_DIR", "/proc/nowhere", "is no folder that can be made"),
        ("DATABASE_URL", "nonsense", "is not a database address"),
        ("DATABASE_URL", "mysql://user:secret@host/name", "is not a database address"),
        ("REDIS_URL", "localhost", "must begin with redis://"),
        ("DEBUG", "maybe", "must be on or off"),
    ],
)
def test_a_wrong_value_ends_the_start_with_one_line(tmp_path: Path, name: str, value: str, words: str) -> None:
    ended = ServerProcess(tmp_path, {name: value}).manage("serve", "--port", "0")
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"Handraise: {name} ")
    assert words in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_a_model_without_an_address_ends_the_start_with_one_line(tmp_path: Path) -> None:
    ended = ServerProcess(tmp_path, {"HANDRAISE_MODEL": "openai:x"}).manage("serve", "--port", "0")
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert "HANDRAISE_MODEL_BASE_URL is missing" in ended.stderr


def test_a_database_that_is_away_ends_the_start_with_one_line(tmp_path: Path) -> None:
    url = "postgres://nobody:secret@127.0.0.1:1/none"
    ended = ServerProcess(tmp_path, {"DATABASE_URL": url}).manage("serve", "--port", "0")
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert "secret" not in ended.stderr


@pytest.mark.parametrize("arguments", [("--port", "99999"), ("--port", "x"), ("--host", "nowhere.invalid")])
def test_an_address_that_is_none_is_refused(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    assert ServerProcess(tmp_path).manage("serve", *arguments).returncode in (1, 2)


def test_the_start_imports_neither_sympy_nor_openai(tmp_path: Path) -> None:
    code = "import sys, config.asgi, apps.web.serving.server; print({'sympy', 'openai'} & set(sys.modules))"
    env = clean_environment() | {"HANDRAISE_DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    said = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=env, capture_output=True, text=True, check=True)
    assert said.stdout == "set()\n"


@pytest.mark.postgres
def test_it_starts_on_postgresql(start_server: StartServer, postgres_url: str) -> None:
    server = start_server({"DATABASE_URL": postgres_url})
    with server.client() as client:
        assert client.get("/readyz").status_code == 200
    assert server.terminate() < 5
