"""Two server processes on one installation: one winner, the loser sees what won, whichever process it asked."""

import re
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Barrier
from typing import Any

import httpx
import pytest

from tests.support.groups import REDIS_URL
from tests.support.journeys import Person, asked, browser, furnish, model_environment
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey

Json = dict[str, Any]
ROUNDS = 20
OPTIONS = [{"id": "test", "label": "Staging"}, {"id": "prod", "label": "Production"}]
CALL = {"id": "c1", "name": "ask_user", "arguments": {"title": "Where to?", "mode": "single", "options": OPTIONS}}


@dataclass
class Pair:
    """Two processes, and the same person at each of them: by token at one, in a browser at the other."""

    token_door: Person
    page_door: httpx.Client
    page_server: ServerProcess


def second_door(first: ServerProcess, folder: Path) -> ServerProcess:
    """Return another server, not started, on the installation of the first."""
    return ServerProcess(folder, first.env)


@pytest.fixture(scope="module")
def other_server(server: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A second process on the data folder of the shared server."""
    other = second_door(server, tmp_path_factory.mktemp("other"))
    yield other.start()
    other.close()


@pytest.fixture
def pair(ada: Person, other_server: ServerProcess) -> Iterator[Pair]:
    with browser(other_server) as page:
        yield Pair(ada, page, other_server)


def question(person: Person, model: ModelServer) -> Json:
    script = model.add({"calls": [CALL]}, {"text": "All done."})
    return asked(person.chat(f"Go. [[{script}#{uuid.uuid4().hex[:8]}]]"))


def race(pair: Pair, card: Json) -> tuple[httpx.Response, httpx.Response]:
    """Answer the card at both doors at the same moment: the token says Staging, the page Production."""
    barrier = Barrier(2)

    def by_token() -> httpx.Response:
        barrier.wait(20)
        return pair.token_door.answer(card, selections=["test"])

    def by_page() -> httpx.Response:
        barrier.wait(20)
        return pair.page_door.post(f"/s/{card['sessionId']}/q/{card['id']}/answer/", data={"choice": "1"})

    with ThreadPoolExecutor(2) as pool:
        api, page = pool.submit(by_token), pool.submit(by_page)
        return api.result(), page.result()


def check_race(pair: Pair, card: Json) -> str:
    """Race once; check that one won, that the loser was told what won, and that both processes show it; return the winner."""
    other_door = pair.token_door.at(pair.page_server)
    with other_door.events_of(card["sessionId"]) as there, pair.token_door.events_of(card["sessionId"]) as here:
        there.until("run_paused", 20)
        here.until("run_paused", 20)
        api, page = race(pair, card)
        seen = [stream.until("user_input_resolved", 20).data["answer"]["selections"] for stream in (there, here)]
        there.until("run_completed", 20)
    winner = "api" if api.status_code == 202 else "web"
    won = ["test"] if winner == "api" else ["prod"]
    assert seen == [won, won]
    if winner == "api":
        assert page.status_code == 409
        assert re.search(r"Already answered .* ago .*Staging", page.text)
    else:
        assert (api.status_code, page.status_code) == (409, 303)
        receipt = api.json()["receipt"]
        assert (receipt["answer"]["selections"], receipt["channel"], receipt["answeredBy"]) == (won, "web", "ada")
    numbers = [event.id for event in there.events if event.id]
    assert len(numbers) == len(set(numbers))
    return winner


def test_h15_a_tab_against_a_token_over_two_processes_has_one_winner(pair: Pair, model: ModelServer) -> None:
    winners = [check_race(pair, question(pair.token_door, model)) for _ in range(ROUNDS)]
    assert len(winners) == ROUNDS
    assert not model.problems


def test_h48_h58_a_stream_of_the_other_process_shows_question_and_answer(
    ada: Person, other_server: ServerProcess, model: ModelServer
) -> None:
    card = question(ada, model)
    other = ada.at(other_server)
    with other.events_of(card["sessionId"]) as stream, browser(other_server) as page:
        assert asked(stream) == card
        address = f"/s/{card['sessionId']}/"
        assert f'data-request="{card["id"]}"' in page.get(address).text
        ada.answer(card, selections=["test"])
        stream.until("user_input_resolved", 10)
        shown = page.get(f"{address}live/", headers={"HX-Request": "true"}).text
        assert "card-form" not in shown
        assert "Staging" in shown


def test_h26_a_run_is_stopped_from_the_other_process(ada: Person, other_server: ServerProcess, model: ModelServer) -> None:
    key = uuid.uuid4().hex[:8]
    script = model.add({"text": "Long text.", "gate_at": 1})
    session = ada.start(f"Go. [[{script}#{key}]]")
    model.wait_for(key)
    stopped = ada.at(other_server).call("POST", "/api/chat/abort", {"sessionId": session})
    assert stopped.status_code == 202
    events = ada.to_the_end(session)
    assert (events[-1]["type"], events[-1]["reason"]) == ("run_cancelled", "user")
    model.wait_until_closed(key, 15)
    assert ada.chat("Go on. [[none#none]]", sessionId=session).events[-1].kind == "run_completed"


@pytest.mark.postgres
@pytest.mark.redis
def test_on_postgresql_with_redis_as_well(tmp_path: Path, postgres_url: str, model: ModelServer) -> None:
    env = model_environment(model) | {"DATABASE_URL": postgres_url, "REDIS_URL": REDIS_URL}
    first = ServerProcess(tmp_path / "first", env)
    other = second_door(first, tmp_path / "other")
    (token,) = furnish(first, "ada")
    try:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(ServerProcess.start, (first, other)))
        with browser(other) as page:
            pair = Pair(Person(first, token), page, other)
            for _ in range(ROUNDS):
                check_race(pair, question(pair.token_door, model))
    finally:
        first.close()
        other.close()
