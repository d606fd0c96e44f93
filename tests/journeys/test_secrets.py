"""What people write is in the stored answer and the request to the model: in no log line, no address, no other's stream."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.journeys import Installation, Person, asked, browser, model_environment, submission
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess
from tests.support.sse import StreamClient

pytestmark = pytest.mark.journey

SECRET = "MY-SECRET-42"
ASK = {"calls": [{"id": "c1", "name": "ask_user", "arguments": {"title": "Which colour?", "mode": "text"}}]}
BAD_BODIES: list[dict[str, Any]] = [
    {"customInput": [SECRET]},
    {SECRET: "x"},
    {"selections": [SECRET]},
    {"customInput": "x", "decision": SECRET},
]


@pytest.fixture(scope="module")
def loud(tmp_path_factory: pytest.TempPathFactory, installed: Installation, model: ModelServer) -> Iterator[ServerProcess]:
    """A server that logs at the level DEBUG."""
    server = installed.server(tmp_path_factory.mktemp("loud"), model_environment(model), "tests.journeys.loud_settings")
    yield server.start()
    server.close()


def test_h90_an_answer_is_in_no_log_line_whatever_happens_to_it(
    loud: ServerProcess, installed: Installation, model: ModelServer
) -> None:
    ada, key = Person(loud, installed.ada), uuid.uuid4().hex[:8]
    broken = {"kind": "status", "status": 400, "times": 9, "message": f"cannot read {SECRET}"}
    card = asked(ada.chat(f"{SECRET} [[{model.add(ASK, {'text': 'never', 'fault': broken})}#{key}]]"))
    bobs = {"Authorization": f"Bearer {installed.bob}"}
    with StreamClient(loud.port, "/api/inbox/events", headers=bobs) as his_inbox:
        for body in BAD_BODIES:
            assert ada.answer(card, **body).status_code in (400, 422)
        assert ada.call("POST", "/api/chat/continue", b'{"' + SECRET.encode()).status_code == 400
        assert (
            Person(loud, installed.bob).call("POST", "/api/chat/continue", submission(card, customInput=SECRET)).status_code
            == 404
        )
        end = ada.go_on(card, customInput=SECRET).events[-1]
        his_inbox.until_comments(1)
        assert SECRET.encode() not in his_inbox.raw
    assert end.kind == "run_failed"
    assert SECRET not in end.text
    with browser(loud) as page:
        assert SECRET in page.get(f"/s/{card['sessionId']}/").text
        page.get("/inbox/", params={"page": SECRET})
    assert SECRET in str(model.requests(key)[-1]["body"])
    assert ada.get(f"/api/interactions/{card['id']}")["receipt"]["answer"]["customInput"] == SECRET
    said = loud.said()
    assert "DEBUG" in said
    assert SECRET not in said
    assert installed.ada not in said
