"""The toolkit's acceptance: attachment, program, figure, approval and PDF in one run that two kills do not harm."""

import io
import json
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pypdf
import pytest

from apps.sandbox.scratch import PREFIX
from tests.journeys.test_sources import attach
from tests.sandbox.processes import descendants, wait_until_gone
from tests.support.journeys import PATIENCE_SECONDS, Installation, Person, browser, model_environment, results_everywhere
from tests.support.model_server import ModelServer
from tests.support.server import wait_until
from tests.toolkit.scripts import code, make
from tests.toolkit.sources import papers

pytestmark = [pytest.mark.journey, pytest.mark.landlock]
PROGRAM = "import time\nopen('begun-{key}.txt', 'w').close()\ntime.sleep(1)\nprint(6 * 4 // 2)"
FIGURE = ["A = (0, 0)", "B = (6, 0)", "C = (0, 4)", "t = Polygon(A, B, C)", "Area(t)"]
REPORT = "# 三角形的面积\n\nThe area is 12.\n\n| 底 | 高 | 面积 |\n|---|---|---|\n| 6 | 4 | 12 |\n"
CALLS = ["rag", "read_source", "code_execution", "geogebra_analysis", "exec"]


def script(source: str, key: str) -> list[dict[str, Any]]:
    """Return what the model does: one tool a turn, then its words with the source."""
    calls = [
        {"id": "c1", "name": "rag", "arguments": {"query": "面积"}},
        {"id": "c2", "name": "read_source", "arguments": {"source_id": source, "part": 2}},
        code(PROGRAM.format(key=key), "c3"),
        {"id": "c4", "name": "geogebra_analysis", "arguments": {"commands": FIGURE}},
        make("pdf", "报告.pdf", REPORT, "c5"),
    ]
    return [*({"calls": [call]} for call in calls), {"text": f"面积是 12 [source:{source}#2]。"}]


@pytest.fixture
def ada(installed: Installation, model: ModelServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """A person at a server of her own, with a sandbox."""
    environment = model_environment(model) | {"HANDRAISE_SANDBOX": "landlock"}
    server = installed.server(tmp_path_factory.mktemp("toolkit"), environment).start()
    yield Person(server, installed.ada)
    server.close()


def begin(ada: Person, model: ModelServer, key: str) -> tuple[str, str]:
    """Attach a paper to a session in which exec asks, and start the run; return the ids of both."""
    session = ada.call("POST", "/api/sessions", {}).json()["sessionId"]
    assert ada.call("PATCH", f"/api/sessions/{session}", {"tools": {"exec": "ask"}}).status_code == 200
    source = attach(ada, session, "几何.pdf", papers.pdf("A textbook", "三角形的面积是底乘高的一半"))["sourceId"]
    ada.start(f"面积？ [[{model.add(*script(source, key))}#{key}]]", sessionId=session, sources=[source])
    return session, source


def killed_under_the_program(ada: Person, key: str) -> None:
    """Kill the server while the program runs, and start it again."""
    begun = f"{PREFIX}*/**/begun-{key}.txt"
    wait_until(lambda: any(Path(gettempdir()).glob(begun)), PATIENCE_SECONDS, "no program was started")
    workers = descendants(ada.server.process.pid)
    ada.server.kill()
    wait_until_gone(workers)
    ada.server.start()


def killed_under_the_card(ada: Person, session: str) -> dict[str, Any]:
    """Kill the server while the approval waits, and start it again; return the card, which is the same."""
    card = ada.card(session)
    ada.server.kill()
    ada.server.start()
    assert ada.pending(session) == [card]
    return card


def assert_ended_once(events: Sequence[dict[str, Any]], text: str) -> None:
    """Check that the run has one end, its card one answer, each call one result."""
    kinds = [event["type"] for event in events]
    assert (kinds[-1], events[-1]["text"]) == ("run_completed", text)
    once = ("user_input_required", "user_input_resolved", "run_completed")
    assert [kinds.count(kind) for kind in once] == [1, 1, 1]
    assert [event["name"] for event in events if event["type"] == "tool_call"] == CALLS
    assert kinds.count("tool_result") == len(CALLS)


def assert_right(found: Any, read: Any, computed: Any, drawn: Any, written: Any) -> None:
    """Check what each tool has said."""
    assert [each["part"] for each in found["results"]] == [2]
    assert read["parts"] == [{"part": 2, "page": 2, "text": "三角形的面积是底乘高的一半"}]
    assert (computed["status"], computed["stdout"]) == ("done", "12\n")
    assert drawn["objects"][-1]["exact"] == "12"
    assert [file["name"] for file in written["files"]] == ["报告.pdf"]


def test_a_run_reads_computes_draws_asks_and_writes_once_although_its_server_is_killed_twice(
    ada: Person, model: ModelServer
) -> None:
    key = uuid.uuid4().hex[:8]
    session, source = begin(ada, model, key)
    killed_under_the_program(ada, key)
    card = killed_under_the_card(ada, session)
    assert (card["mode"], card["title"]) == ("approval", "exec")
    assert ada.answer(card, decision="approve").status_code == 202
    assert ada.answer(card, decision="deny").status_code == 409
    assert_ended_once(ada.to_the_end(session), f"面积是 12 [source:{source}#2]。")
    assert len(model.requests(key)) == len(CALLS) + 1, "what was stored is not asked of the model again"
    assert not model.problems

    results = [json.loads(text) for text in results_everywhere(ada, model, session, key).values()]
    assert_right(*results)
    made = [file for result in results for file in result.get("files", ())]
    assert [each["artifactId"] for each in ada.proof(session)["artifacts"]] == [file["id"] for file in made]
    [page] = pypdf.PdfReader(io.BytesIO(ada.call("GET", made[-1]["url"]).content)).pages
    assert "三角形的面积" in page.extract_text()
    with browser(ada.server) as pages:
        shown = pages.get(f"/s/{session}/").text
    for part in (f'href="/s/{session}/sources/{source}/#part-2"', f'href="{made[-1]["url"]}"', 'class="figure-drawing"'):
        assert part in shown
