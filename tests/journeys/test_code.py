"""Programs on a real server: it answers meanwhile, an abort ends them, a kill leaves nothing and the run goes on."""

import json
import time
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from apps.sandbox.code import KINDS
from tests.sandbox.confined import Way, marked
from tests.sandbox.processes import descendants, wait_until_gone
from tests.support.journeys import PATIENCE_SECONDS, Installation, Person
from tests.support.server import wait_until
from tests.toolkit.scripts import code

pytestmark = pytest.mark.journey
SLOW = "import time\ntime.sleep(3)\nopen('slow.csv', 'w').write('x')\nprint('computed')"
ENDLESS = "open('endless.csv', 'w').write('x')\nwhile True: pass"
SCRIPTS = {
    "slow": [{"calls": [code(SLOW)]}, {"text": "Done."}],
    "endless": [{"calls": [code(ENDLESS)]}, {"text": "Done."}],
    "hello": [{"text": "Hello."}],
}


@pytest.fixture(scope="module", params=[marked(Way(kind, "self")) for kind in KINDS])
def ada(request: pytest.FixtureRequest, installed: Installation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """A person at a server of her own, whose sandbox is of one kind."""
    folder = tmp_path_factory.mktemp("code")
    script = folder / "scripts.json"
    script.write_text(json.dumps(SCRIPTS))
    environment = {"HANDRAISE_MODEL": f"scripted:{script}", "HANDRAISE_SANDBOX": request.param.kind}
    server = installed.server(folder / "server", environment).start()
    yield Person(server, installed.ada)
    server.close()


def start(ada: Person, script: str) -> tuple[str, set[int]]:
    """Start a run and wait until its program runs; return its session and the processes of the server."""
    session = ada.start(f"go [[{script}#{time.monotonic_ns()}]]")
    wait_for(ada, session, "tool_call")
    wait_until(lambda: len(descendants(ada.server.process.pid)) >= 2, PATIENCE_SECONDS, "no program was started")
    time.sleep(0.7)
    return session, descendants(ada.server.process.pid)


def wait_for(ada: Person, session: str, *kinds: str) -> None:
    with ada.events_of(session) as stream:
        stream.until(lambda event: event.kind in kinds, PATIENCE_SECONDS)


def results(ada: Person, session: str) -> Sequence[dict[str, Any]]:
    """Return the contents of the tool results of a session."""
    events = ada.get(f"/api/sessions/{session}/events")["results"]
    return [json.loads(event["content"]) for event in events if event["type"] == "tool_result"]


def test_others_are_answered_while_a_program_runs_and_an_abort_ends_it_without_a_trace(ada: Person) -> None:
    session, processes = start(ada, "endless")
    wait_for(ada, ada.start("hello [[hello#k]]"), "run_completed")
    assert processes & descendants(ada.server.process.pid)
    assert results(ada, session) == []
    assert ada.call("POST", "/api/chat/abort", {"sessionId": session}).status_code == 202
    wait_until_gone(processes)
    assert [content["code"] for content in results(ada, session)] == ["ABORTED"]
    assert not list(ada.server.data.rglob("endless.csv"))


def test_a_server_killed_under_a_program_runs_it_again_and_the_run_ends_once(ada: Person) -> None:
    session, processes = start(ada, "slow")
    ada.server.kill()
    wait_until_gone(processes)
    assert not list(ada.server.data.rglob("slow.csv"))
    ada.server.start()
    wait_for(ada, session, "run_completed", "run_failed")
    assert [content["stdout"] for content in results(ada, session)] == ["computed\n"]
    assert len(list(ada.server.data.rglob("slow.csv"))) == 1
