"""Programs on a real server: it answers meanwhile, an abort ends them, a kill leaves nothing and the run goes on."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from apps.sandbox.code import KINDS
from tests.sandbox.confined import Way, marked
from tests.sandbox.processes import descendants, wait_until_gone
from tests.support.journeys import PATIENCE_SECONDS, Installation, Person
from tests.support.server import ServerProcess, wait_until
from tests.toolkit.scripts import code

pytestmark = pytest.mark.journey
SLOW = "import time\ntime.sleep(3)\nopen('made.csv', 'w').write('x')\nprint('computed')"
ENDLESS = "open('made.csv', 'w').write('x')\nwhile True: pass"


Serve = Callable[[str], tuple[ServerProcess, Person]]


@pytest.fixture(params=[marked(Way(kind, "self")) for kind in KINDS])
def serve(request: pytest.FixtureRequest, installed: Installation, tmp_path: Path) -> Iterator[Serve]:
    """Start a server with ``serve(program)``: its model runs the program when it is told to go, and else says hello."""
    servers = []

    def start(program: str) -> tuple[ServerProcess, Person]:
        script = tmp_path / "script.json"
        script.write_text(json.dumps({"go": [{"calls": [code(program)]}, {"text": "Done."}], "hello": [{"text": "Hello."}]}))
        environment = {"HANDRAISE_MODEL": f"scripted:{script}", "HANDRAISE_SANDBOX": request.param.kind}
        servers.append(installed.server(tmp_path / "server", environment).start())
        return servers[-1], Person(servers[-1], installed.ada)

    yield start
    for server in servers:
        server.close()


def at_work(server: ServerProcess, ada: Person, session: str) -> set[int]:
    """Wait until the program runs; return its processes."""
    wait_for(ada, session, "tool_call")
    wait_until(lambda: len(descendants(server.process.pid)) >= 2, PATIENCE_SECONDS, "no program was started")
    time.sleep(0.7)
    return descendants(server.process.pid)


def wait_for(ada: Person, session: str, *kinds: str) -> None:
    with ada.events_of(session) as stream:
        stream.until(lambda event: event.kind in kinds, PATIENCE_SECONDS)


def results(ada: Person, session: str) -> Sequence[dict[str, Any]]:
    """Return the contents of the tool results of a session."""
    events = ada.get(f"/api/sessions/{session}/events")["results"]
    return [json.loads(event["content"]) for event in events if event["type"] == "tool_result"]


def test_a_server_killed_under_a_program_runs_it_again_and_the_run_ends_once(serve: Serve) -> None:
    server, ada = serve(SLOW)
    session = ada.start("go [[go#k]]")
    processes = at_work(server, ada, session)
    server.kill()
    wait_until_gone(processes)
    assert not list(server.data.rglob("made.csv"))
    server.start()
    wait_for(ada, session, "run_completed", "run_failed")
    assert [content["stdout"] for content in results(ada, session)] == ["computed\n"]
    assert len(list(server.data.rglob("made.csv"))) == 1


def test_an_abort_ends_the_program_and_leaves_none_of_its_files(serve: Serve) -> None:
    server, ada = serve(ENDLESS)
    session = ada.start("go [[go#k]]")
    processes = at_work(server, ada, session)
    assert ada.call("POST", "/api/chat/abort", {"sessionId": session}).status_code == 202
    wait_until_gone(processes)
    assert [content["code"] for content in results(ada, session)] == ["ABORTED"]
    assert not list(server.data.rglob("made.csv"))


def test_others_are_answered_while_a_program_keeps_a_processor_busy(serve: Serve) -> None:
    server, ada = serve(ENDLESS)
    busy = ada.start("go [[go#k]]")
    processes = at_work(server, ada, busy)
    wait_for(ada, ada.start("hello [[hello#k]]"), "run_completed")
    assert processes & descendants(server.process.pid)
    assert results(ada, busy) == []
