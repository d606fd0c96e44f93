"""Kill -9 and go on: one server with many conversations is killed between their questions and their answers."""

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.journeys import Evidence, Installation, Person, asked, model_environment, received_results, submission
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey

Json = dict[str, Any]
OPTIONS = [{"id": "a", "label": "Tea", "description": "hot"}, {"id": "b", "label": "Coffee", "recommended": True}]
ANSWERS: dict[str, Json] = {
    "single": {"selections": ["b"]},
    "multiple": {"selections": ["a", "b"]},
    "toggle": {"selections": ["a"]},
    "text": {"customInput": "own words"},
    "number": {"customInput": "3.25"},
    "date": {"customInput": "2026-03-01"},
    "directory": {"customInput": "sub/./dir/"},
}
QUESTIONS = [{"id": "q1", "question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}, {"id": "q2", "question": "Why?"}]
SKIPPING = {"answers": [{"id": "q1", "selected": []}, {"id": "q2", "selected": [], "custom": "because"}]}
EXTRA_CALL: Json = {
    "index": 0,
    "id": "{KEY}-c1",
    "item_id": "fc_0042",
    "extra_content": {"signature": "c2lnbmVk=="},
    "function": {"name": "ask_user", "arguments": '{"title": "?", "mode": "text"}'},
}
"""A call as some providers send it: with fields of their own that must come back."""


def ask(ident: str, **arguments: Any) -> Json:
    return {"id": ident, "name": "ask_user", "arguments": {"title": f"{ident}?", "mode": "text"} | arguments}


def ask_in_mode(mode: str) -> Json:
    chooses = mode in ("single", "multiple", "toggle")
    return ask("c1", title=f"A {mode}?", mode=mode, **({"options": OPTIONS} if chooses else {}))


SCRIPTS: dict[str, list[Json]] = {
    **{mode: [{"calls": [ask_in_mode(mode)]}, {"text": "All done."}] for mode in ANSWERS},
    "questions": [
        {"calls": [{"id": "c1", "name": "ask_user_question", "arguments": {"questions": QUESTIONS}}]},
        {"text": "All done."},
    ],
    "with extras": [
        {
            "extras": {"reasoning_content": "Thinking \u4e2d, twice."},
            "calls": [ask("c1")],
            "deltas": [
                {"role": "assistant", "content": "", "reasoning_content": "Thinking \u4e2d, twice."},
                {"tool_calls": [EXTRA_CALL]},
            ],
        },
        {"text": "All done."},
    ],
    "two at once": [{"calls": [ask("c1"), ask("c2")]}, {"text": "All done."}],
    "twice": [{"calls": [ask("c1")]}, {"calls": [ask("c2")]}, {"text": "All done."}],
    "cancelled": [{"calls": [ask("c1")]}, {"text": "never"}],
    "repeated": [{"calls": [ask("c1")]}, {"text": "All done."}],
    "writing": [{"calls": [ask("c1")]}, {"text": "One two three four five six.", "chunk": 4, "gate_at": 3}],
}


@dataclass
class Before:
    """The server, killed and started again, and what stood in it before: one card a script, by the script's name."""

    server: ServerProcess
    keys: dict[str, str]
    cards: dict[str, Json] = field(default_factory=dict)
    accepted: Json = field(default_factory=dict)


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory, installed: Installation, model: ModelServer) -> Iterator[Before]:
    server = installed.server(tmp_path_factory.mktemp("restart"), model_environment(model)).start()
    made = Before(server, {name: uuid.uuid4().hex[:8] for name in SCRIPTS})
    person = Person(server, installed.ada, Evidence.of_test("before_the_kill", tmp_path_factory.mktemp("evidence")))
    for name, script in SCRIPTS.items():
        made.cards[name] = asked(person.chat(f"Go. [[{model.add(*script)}#{made.keys[name]}]]"))
    person.go_on(made.cards["twice"], customInput="first")
    made.accepted = acknowledged(person, made.cards["repeated"])
    person.answer(made.cards["writing"], customInput="go")
    model.wait_for(made.keys["writing"], 2)
    server.kill()
    yield Before(server.start(), made.keys, made.cards, made.accepted)
    server.close()


def acknowledged(person: Person, card: Json) -> Json:
    """Answer under an idempotency key; the reply is thrown away later, as if it had been lost."""
    answer = person.call("POST", "/api/chat/continue", submission(card, customInput="x"), **{"Idempotency-Key": "lost-reply"})
    assert answer.status_code == 202
    person.to_the_end(card["sessionId"])
    return dict(answer.json())


@pytest.fixture
def ada(before: Before, installed: Installation, evidence: Evidence) -> Person:
    return Person(before.server, installed.ada, evidence)


@pytest.mark.parametrize(("name", "body"), [*ANSWERS.items(), ("questions", SKIPPING)])
def test_h22_the_card_of_every_mode_is_the_same_as_before_and_its_answer_goes_to_its_call(
    ada: Person, before: Before, model: ModelServer, name: str, body: Json
) -> None:
    card = before.cards[name]
    assert ada.pending(card["sessionId"]) == [card]
    end = ada.go_on(card, **body).events[-1]
    assert (end.kind, end.data["text"]) == ("run_completed", "All done.")
    result = json.loads(received_results(model, before.keys[name])[card["toolCallId"]])
    assert result["status"] == "answered"
    assert len(model.requests(before.keys[name])) == 2, "what was stored is not asked of the model again"


def test_h43_h44_fields_of_the_provider_come_back_unchanged_after_the_restart(
    ada: Person, before: Before, model: ModelServer
) -> None:
    assert ada.go_on(before.cards["with extras"], customInput="x").events[-1].kind == "run_completed"
    key = before.keys["with extras"]
    asking = next(m for m in model.requests(key)[-1]["body"]["messages"] if m.get("tool_calls"))
    assert asking["reasoning_content"] == "Thinking \u4e2d, twice."
    (call,) = asking["tool_calls"]
    assert (call["item_id"], call["extra_content"]) == ("fc_0042", {"signature": "c2lnbmVk=="})
    assert call["function"]["arguments"] == EXTRA_CALL["function"]["arguments"]


def test_h18_h37_two_open_questions_are_both_there_and_the_run_waits_for_both(
    ada: Person, before: Before, model: ModelServer
) -> None:
    session = before.cards["two at once"]["sessionId"]
    first, second = ada.pending(session)
    assert first == before.cards["two at once"]
    assert ada.go_on(second, customInput="two").kinds() == ["user_input_resolved", "tool_result"]
    assert ada.pending(session) == [first]
    assert ada.go_on(first, customInput="one").events[-1].kind == "run_completed"
    assert list(received_results(model, before.keys["two at once"])) == [first["toolCallId"], second["toolCallId"]]


def test_h37_the_second_question_of_a_run_has_an_id_of_its_own_and_leads_to_the_end(ada: Person, before: Before) -> None:
    card = before.cards["twice"]
    (second,) = ada.pending(card["sessionId"])
    assert second["id"] != card["id"]
    assert second["toolCallId"] != card["toolCallId"]
    assert ada.go_on(second, customInput="second").events[-1].kind == "run_completed"


def test_h16_an_answer_whose_reply_was_lost_is_not_taken_twice(ada: Person, before: Before, model: ModelServer) -> None:
    card = before.cards["repeated"]
    again = ada.call("POST", "/api/chat/continue", submission(card, customInput="x"), **{"Idempotency-Key": "lost-reply"})
    assert (again.status_code, again.json()) == (202, before.accepted)
    other = ada.answer(card, customInput="x")
    assert (other.status_code, other.json()["receipt"]) == (409, before.accepted["receipt"])
    assert len(model.requests(before.keys["repeated"])) == 2
    events = ada.to_the_end(card["sessionId"])
    assert [event["type"] for event in events].count("tool_result") == 1


def test_h35_h39_a_run_killed_in_mid_stream_goes_on_by_itself_from_its_answer(
    ada: Person, before: Before, model: ModelServer
) -> None:
    card, key = before.cards["writing"], before.keys["writing"]
    model.release(key)
    events = ada.to_the_end(card["sessionId"])
    assert events[-1]["text"] == "One two three four five six."
    assert [event["type"] for event in events].count("user_input_required") == 1
    assert len(model.requests(key)) == 3, "the model call that the kill cut is made once more"
    assert ada.pending(card["sessionId"]) == []


def test_a_card_can_be_cancelled_after_the_restart(ada: Person, before: Before, model: ModelServer) -> None:
    card = before.cards["cancelled"]
    assert ada.go_on(card, cancelled=True).events[-1].kind == "run_cancelled"
    assert len(model.requests(before.keys["cancelled"])) == 1


def test_h47_event_numbers_go_on_where_they_were(ada: Person, before: Before) -> None:
    for card in before.cards.values():
        with ada.events_of(card["sessionId"], after=3) as stream:
            stream.until(lambda event: event.id == "4")
            assert stream.events[0].id == "4"
    events = ada.to_the_end(before.cards["repeated"]["sessionId"])
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def test_the_port_is_the_same_and_a_taken_port_is_one_clear_line(before: Before, ada: Person) -> None:
    second = ServerProcess(before.server.folder / "second", before.server.env)
    refused = second.manage("serve", "--port", str(before.server.port))
    assert refused.returncode == 1
    assert f"port {before.server.port}" in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
    assert "Traceback" not in before.server.said()
