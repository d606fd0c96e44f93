"""Waiting costs nothing: thousands of paused sessions hold no thread, no memory and no time of the server."""

import re
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.providers.registry import override_model
from tests.factories.accounts import UserFactory
from tests.factories.chat import make_card
from tests.journeys.paused import copy_paused
from tests.support.journeys import Person, asked, browser, submission
from tests.support.model_server import ModelServer
from tests.support.runs import scripted
from tests.support.server import ServerProcess

FEW, MANY = 500, 10_000
KIBIBYTES_OF_NOISE = 8 * 1024
IDLE_SECONDS = 3.0
ASK = {"calls": [{"id": "c1", "name": "ask_user", "arguments": {"title": "Which colour?", "mode": "text"}}]}


class Held(NamedTuple):
    """What a process holds: threads, open files, resident memory, and the CPU time that it has used."""

    threads: int
    files: int
    kibibytes: int
    cpu_seconds: float


def held(server: ServerProcess) -> Held:
    folder = Path(f"/proc/{server.process.pid}")
    status = (folder / "status").read_text()
    numbers = {name: int(value) for name, value in re.findall(r"^(Threads|VmRSS):\s+(\d+)", status, re.MULTILINE)}
    times = (folder / "stat").read_text().rpartition(")")[2].split()
    cpu_seconds = (int(times[11]) + int(times[12])) / 100
    return Held(numbers["Threads"], len(list((folder / "fd").iterdir())), numbers["VmRSS"], cpu_seconds)


def converse(person: Person, model: ModelServer) -> None:
    """Ask, look at every list, answer, end."""
    script = model.add(ASK, {"text": "All done."})
    card = asked(person.chat(f"Go. [[{script}#{uuid.uuid4().hex[:8]}]]"))
    for path in ("/api/sessions", "/api/interactions", "/api/interactions?status=pending"):
        person.get(path)
    assert person.go_on(card, customInput="blue").events[-1].kind == "run_completed"


def add_paused(server: ServerProcess, person: Person, model: ModelServer, count: int) -> None:
    """Ask one question as `person`; let bob have so many copies of it."""
    session = asked(person.chat(f"Wait. [[{model.add(ASK)}#{uuid.uuid4().hex[:8]}]]"))["sessionId"]
    code = f"from tests.journeys.paused import copy_paused; copy_paused('{session}', {count}, 'bob')"
    made = server.manage("shell", "-c", code, seconds=300)
    assert made.returncode == 0, made.stderr


@pytest.mark.journey
@pytest.mark.parametrize("count", [FEW, pytest.param(MANY, marks=pytest.mark.full)])
def test_paused_sessions_hold_no_thread_no_file_and_no_memory(
    server: ServerProcess, ada: Person, model: ModelServer, count: int
) -> None:
    alone = Person(server, ada.token)
    for _ in range(5):
        converse(alone, model)
    before = held(server)
    add_paused(server, alone, model, count)
    for _ in range(5):
        converse(alone, model)
    idle = held(server)
    time.sleep(IDLE_SECONDS)
    after = held(server)
    assert after.threads <= before.threads + 2
    assert after.files <= before.files + 4
    assert after.kibibytes - before.kibibytes < KIBIBYTES_OF_NOISE
    assert after.cpu_seconds - idle.cpu_seconds < IDLE_SECONDS / 10


@pytest.mark.journey
def test_the_inbox_of_somebody_with_many_questions_comes_in_pages(
    server: ServerProcess, ada: Person, bob: Person, model: ModelServer
) -> None:
    add_paused(server, ada, model, 60)
    with browser(server, "bob") as page:
        shown = page.get("/inbox/")
    assert shown.status_code == 200
    assert shown.text.count('class="list-row"') <= 50
    assert 'href="?page=2' in shown.text
    card = bob.get("/api/interactions", status="pending")["results"][0]
    assert bob.call("POST", "/api/chat/continue", submission(card, customInput="blue")).status_code == 202


# --- the same number of queries, in this process ----------------------------------------------------


@pytest.fixture
def scripted_model() -> Iterator[None]:
    with override_model(scripted()):
        yield


def queries_of_pages(client: Client, session: str) -> dict[str, int]:
    """Count the queries of each page at its second look: the first one records what it has shown."""
    counts = {}
    for path in ("/inbox/", "/sessions/", "/sidebar/", f"/s/{session}/", f"/s/{session}/live/"):
        client.get(path)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(path).status_code == 200, path
        counts[path] = len(captured)
    return counts


@pytest.mark.django_db
def test_pages_take_the_same_queries_beside_ten_and_beside_thousands_of_paused_sessions(scripted_model: None) -> None:
    card = make_card(UserFactory.create())
    user, session = card.user, card.session.public_id
    client = Client()
    client.force_login(user)
    copy_paused(session, 10, user.username)
    few = queries_of_pages(client, session)
    copy_paused(session, 50, user.username)
    copy_paused(session, 2000, make_card(UserFactory.create()).user.username)
    assert queries_of_pages(client, session) == few
    assert max(few.values()) <= 17
