"""The seven rows of the acceptance table, each with its evidence: raw request, raw stream, tool trace, tool result."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.journeys import (
    Evidence,
    Installation,
    Person,
    asked,
    browser,
    model_environment,
    results_everywhere,
    submission,
)
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey

SAFE = {"id": "safe", "label": "Analyse first", "description": "Read only, then propose", "recommended": True}
IMPLEMENT = {"id": "implement", "label": "Implement now", "description": "Starts changing the workspace"}
SINGLE = {"title": "How shall I go on?", "mode": "single", "options": [SAFE, IMPLEMENT], "submitLabel": "Continue"}
COLOURS = [{"id": "a", "label": "Red, green"}, {"id": "b", "label": "Red"}, {"id": "c", "label": "green"}]
MULTIPLE = {"title": "Which parts?", "mode": "multiple", "options": COLOURS, "allowCustom": True}


class Talk:
    """A conversation whose model asks one question and then is done."""

    def __init__(self, model: ModelServer, question: dict[str, Any]) -> None:
        self.model, self.key = model, uuid.uuid4().hex[:8]
        script = model.add({"text": "I must ask.", "calls": [call(question)]}, {"text": "All done."})
        self.message, self.call_id = f"Please do it. [[{script}#{self.key}]]", f"{self.key}-c1"

    def result(self, person: Person, session: str) -> dict[str, Any]:
        """Return the one result, after comparing it wherever it stands."""
        found = results_everywhere(person, self.model, session, self.key)
        assert list(found) == [self.call_id]
        return dict(json.loads(found[self.call_id]))

    @property
    def model_calls(self) -> int:
        """How often the model was asked."""
        return len(self.model.requests(self.key))


def call(question: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c1", "name": "ask_user", "arguments": question}


def result_of(body: dict[str, Any]) -> dict[str, Any]:
    return {"status": "answered", "selections": [], "customInput": "", "cancelled": False, "answeredBy": "user"} | body


@pytest.fixture(autouse=True)
def no_bad_request(model: ModelServer) -> Iterator[None]:
    """A strict model server found nothing wrong with any request."""
    yield
    assert not model.problems


def test_single_choice(ada: Person, model: ModelServer, evidence: Evidence) -> None:
    talk = Talk(model, SINGLE)
    card = asked(ada.chat(talk.message))
    assert (card["toolCallId"], card["mode"], [o["id"] for o in card["options"]]) == (
        talk.call_id,
        "single",
        ["safe", "implement"],
    )
    gone_on = ada.go_on(card, selections=["safe"], customInput="", cancelled=False)
    assert gone_on.events[-1].data["text"] == "All done."
    assert gone_on.until("tool_result").data["toolCallId"] == talk.call_id
    assert talk.result(ada, card["sessionId"]) == result_of({"selections": ["safe"]})
    assert talk.model_calls == 2
    check_evidence(evidence, talk, b'"selections": ["safe"]')


def test_multiple_choice_with_own_text(ada: Person, model: ModelServer, evidence: Evidence, server: ServerProcess) -> None:
    talk, own = Talk(model, MULTIPLE), 'only "these", x; y|z 中文 🦉'
    card = asked(ada.chat(talk.message))
    gone_on = ada.go_on(card, selections=["a", "c"], customInput=own)
    assert gone_on.events[-1].kind == "run_completed"
    assert talk.result(ada, card["sessionId"]) == result_of({"selections": ["a", "c"], "customInput": own})
    receipt = ada.get(f"/api/interactions/{card['id']}")["receipt"]
    assert (receipt["status"], receipt["answer"]["selections"], receipt["answer"]["customInput"]) == ("answered", ["a", "c"], own)
    with browser(server) as page:
        shown = page.get(f"/s/{card['sessionId']}/").text
    evidence.keep("receipt.html", shown.encode())
    chosen = [line for line in shown.split("<li ")[1:] if line.startswith('class="is-chosen"')]
    assert ["Red, green" in chosen[0], ">green<" in chosen[1], len(chosen)] == [True, True, 2]
    assert "only &quot;these&quot;, x; y|z 中文 🦉" in shown
    assert 'id="card-form"' not in shown
    check_evidence(evidence, talk, b'"selections": ["a", "c"]')


def test_cancel(ada: Person, model: ModelServer, evidence: Evidence) -> None:
    talk = Talk(model, SINGLE)
    card = asked(ada.chat(talk.message))
    stopped = ada.go_on(card, selections=[], customInput="", cancelled=True)
    assert stopped.kinds()[-3:] == ["user_input_resolved", "tool_result", "run_cancelled"]
    assert stopped.events[-1].data["reason"] == "cancelled_card"
    result = talk.result(ada, card["sessionId"])
    assert (result["status"], result["cancelled"], result["selections"]) == ("cancelled", True, [])
    assert ada.pending(card["sessionId"]) == []
    assert ada.chat("Something else. [[none#none]]", sessionId=card["sessionId"]).events[-1].kind == "run_completed"
    assert talk.model_calls == 1, "after a cancelled question the model is not asked again"
    check_evidence(evidence, talk, b'"cancelled": true')


def test_duplicate_submission(ada: Person, model: ModelServer, evidence: Evidence) -> None:
    talk = Talk(model, SINGLE)
    card = asked(ada.chat(talk.message))
    first = ada.go_on(card, selections=["safe"])
    for chosen in ("safe", "implement"):
        second = ada.answer(card, selections=[chosen])
        assert (second.status_code, second.json()["code"]) == (409, "already_resolved")
        assert second.json()["receipt"]["answer"]["selections"] == ["safe"]
    assert first.kinds().count("tool_result") == 1
    assert talk.result(ada, card["sessionId"]) == result_of({"selections": ["safe"]})
    assert talk.model_calls == 2
    check_evidence(evidence, talk, b'"selections": ["implement"]')


def test_submission_to_another_session(ada: Person, bob: Person, model: ModelServer, evidence: Evidence) -> None:
    talk, other = Talk(model, SINGLE), Talk(model, SINGLE)
    card = asked(ada.chat(talk.message))
    others = asked(ada.chat(other.message))
    crossed = ada.call("POST", "/api/chat/continue", submission(card, selections=["safe"]) | {"sessionId": others["sessionId"]})
    assert (crossed.status_code, crossed.json()["code"]) == (403, "wrong_session")
    strange = bob.answer(card, selections=["safe"])
    assert (strange.status_code, strange.json()["code"]) == (404, "interaction_not_found")
    assert ada.pending(card["sessionId"]) == [card]
    assert ada.pending(others["sessionId"]) == [others]
    assert ada.go_on(card, selections=["implement"]).events[-1].kind == "run_completed"
    assert talk.result(ada, card["sessionId"]) == result_of({"selections": ["implement"]})
    assert (talk.model_calls, other.model_calls) == (2, 1)
    refused = [r["summary"]["reason"] for r in ada.proof(card["sessionId"])["audit"] if r["kind"] == "submission_refused"]
    assert sorted(refused) == ["foreign", "wrong_session"]
    check_evidence(evidence, talk, b'"selections": ["implement"]')


def test_reload_of_the_page(ada: Person, model: ModelServer, evidence: Evidence, server: ServerProcess) -> None:
    talk = Talk(model, SINGLE)
    session = ada.start(talk.message)
    with ada.events_of(session) as stream:
        sent = asked(stream)
    assert ada.pending(session) == [sent]
    with browser(server) as page:
        shown = page.get(f"/s/{session}/").text
        evidence.keep("reloaded.html", shown.encode())
        assert f'data-request="{sent["id"]}"' in shown
        assert "Analyse first" in shown
        handed_in = page.post(f"/s/{session}/q/{sent['id']}/answer/", data={"choice": "0"})
    assert handed_in.status_code == 303
    assert ada.to_the_end(session)[-1]["text"] == "All done."
    assert talk.result(ada, session) == result_of({"selections": ["safe"]})
    check_evidence(evidence, talk, b"")


def test_restart_of_the_service_is_an_exact_continuation(
    tmp_path: Path, installed: Installation, model: ModelServer, evidence: Evidence
) -> None:
    talk = Talk(model, SINGLE)
    server = installed.server(tmp_path / "own", model_environment(model)).start()
    try:
        ada = Person(server, installed.ada, evidence)
        card = asked(ada.chat(talk.message))
        server.kill()
        server.start()
        assert ada.pending(card["sessionId"]) == [card]
        assert card["resumable"] is True
        gone_on = ada.go_on(card, selections=["safe"])
        assert gone_on.events[-1].data["text"] == "All done."
        assert gone_on.until("tool_result").data["toolCallId"] == talk.call_id
        assert talk.result(ada, card["sessionId"]) == result_of({"selections": ["safe"]})
        assert talk.model_calls == 2, "what was stored is not asked of the model again"
        with ada.events_of(card["sessionId"]) as stream:
            stream.until("run_completed")
            assert [int(event.id or 0) for event in stream.events] == list(range(1, len(stream.events) + 1))
    finally:
        server.close()
    check_evidence(evidence, talk, b'"selections": ["safe"]')


def check_evidence(evidence: Evidence, talk: Talk, submitted: bytes) -> None:
    """What must be kept of a journey is there: not that the model says it asked, but that the wire shows it."""
    assert any(talk.message.encode() in request for request in evidence.requests())
    assert any(submitted in request for request in evidence.requests())
    assert b"event: user_input_required\n" in evidence.streams()
    assert f'"toolCallId":"{talk.call_id}"'.encode() in evidence.streams()
    assert json.loads((evidence.folder / "trace.json").read_bytes())[0]["toolCallId"] == talk.call_id
    if talk.model_calls > 1:
        assert json.loads((evidence.folder / f"result-{talk.call_id}.json").read_bytes())["status"] == "answered"


def test_an_evidence_folder_holds_no_token(ada: Person, evidence: Evidence) -> None:
    ada.get("/api/sessions")
    kept = [path.read_bytes() for path in evidence.folder.iterdir()]
    assert kept
    assert not any(ada.token.encode() in content for content in kept)


def test_nothing_went_wrong_in_the_server(server: ServerProcess) -> None:
    assert server.is_alive
    assert "Traceback" not in server.said()
    assert " ERROR " not in server.said()
