"""Wrong answers bounce to the person, not to the agent: 4xx with the field, the question still open, every list still there."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.journeys import Installation, Person, asked, browser, submission
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey

Json = dict[str, Any]
OPTIONS = [{"id": "a", "label": "Tea"}, {"id": "b", "label": "Coffee"}]
QUESTIONS = [{"id": "q1", "question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}, {"id": "q2", "question": "Why?"}]
CALLS: dict[str, Json] = {
    "single": {"name": "ask_user", "arguments": {"title": "One?", "mode": "single", "options": OPTIONS}},
    "own": {"name": "ask_user", "arguments": {"title": "Own?", "mode": "single", "options": OPTIONS, "allowCustom": True}},
    "multiple": {"name": "ask_user", "arguments": {"title": "Some?", "mode": "multiple", "options": OPTIONS}},
    **{mode: {"name": "ask_user", "arguments": {"title": "?", "mode": mode}} for mode in ("text", "number", "date", "directory")},
    "questions": {"name": "ask_user_question", "arguments": {"questions": QUESTIONS}},
}
RIGHT: dict[str, Json] = {
    "single": {"selections": ["a"]},
    "own": {"customInput": "mine"},
    "multiple": {"selections": ["a", "b"]},
    "text": {"customInput": "fine \N{OWL}"},
    "number": {"customInput": "3.2"},
    "date": {"customInput": "2026-03-01"},
    "directory": {"customInput": "sub/dir"},
    "questions": {"answers": [{"id": "q1", "selected": ["A"]}, {"id": "q2", "selected": []}]},
}

UNUSABLE: list[tuple[str, Json, str]] = [
    ("single", {"selections": ["root"]}, "selections[0]"),
    ("single", {"selections": ["a", "b"]}, "selections"),
    ("single", {"selections": []}, "selections"),
    ("single", {}, "selections"),
    ("single", {"selections": ["a"], "customInput": "more"}, "customInput"),
    ("own", {"selections": ["a"], "customInput": "both"}, "customInput"),
    ("own", {"selections": [], "customInput": " \u200b\n"}, "selections"),
    ("multiple", {"selections": ["a", "a"]}, "selections[1]"),
    ("multiple", {"selections": [""]}, "selections[0]"),
    ("text", {"customInput": ""}, "customInput"),
    ("text", {"customInput": " \t\n"}, "customInput"),
    ("text", {"customInput": "\u200b"}, "customInput"),
    ("text", {"selections": ["a"], "customInput": "x"}, "selections"),
    ("text", {}, "customInput"),
    ("number", {"customInput": "3,2"}, "customInput"),
    ("number", {"customInput": "3,2,.2,"}, "customInput"),
    ("number", {"customInput": "NaN"}, "customInput"),
    ("number", {"customInput": "1e400"}, "customInput"),
    ("number", {"customInput": "0x10"}, "customInput"),
    ("date", {"customInput": "2026-02-30"}, "customInput"),
    ("date", {"customInput": "01.03.2026"}, "customInput"),
    ("directory", {"customInput": "../up"}, "customInput"),
    ("directory", {"customInput": "/etc"}, "customInput"),
    ("questions", {"answers": []}, "answers"),
    ("questions", {"answers": [{"id": "q1", "selected": ["A"]}]}, "answers"),
    ("questions", {"answers": [{"id": "q1", "selected": ["C"]}, {"id": "q2", "selected": []}]}, "answers[0].selected[0]"),
    ("questions", {"decision": "approve"}, "decision"),
]
MALFORMED: list[tuple[str, bytes, str]] = [
    ("text", b'{"customInput": ["a", "list"]}', "customInput"),
    ("text", b'{"customInput": 5}', "customInput"),
    ("text", b'{"customInput": "x", "answeredBy": "root"}', "answeredBy"),
    ("text", b'{"customInput": "x", "user": "bob", "at": "2020-01-01"}', "user"),
    ("text", b'{"customInput": "ok\\u0000x"}', "customInput"),
    ("text", b'{"customInput": "cut \\ud83d"}', "customInput"),
    ("single", b'{"selections": "a"}', "selections"),
    ("single", b'{"selections": {"0": "a"}}', "selections"),
    ("single", b'{"selections": ["a"], "toolCallId": "c9", "state": {}, "expiresAt": null}', "toolCallId"),
    ("number", b'{"customInput": NaN}', ""),
    ("number", b'{"customInput": 3.2}', "customInput"),
    ("single", b'{"selections": ["a"], "cancelled": "yes"}', "cancelled"),
    ("questions", b'{"answers": {"q1": "A"}}', "answers"),
    ("questions", b'{"answers": [{"selected": []}]}', "answers[0].id"),
    ("text", b'{"customInput": "\xff\xfe"}', ""),
    ("text", b"[" * 20_000 + b"]" * 20_000, ""),
    ("text", b"", ""),
]
LISTS = (
    "/api/interactions/pending",
    "/api/interactions/pending?sessionId={session}",
    "/api/interactions",
    "/api/interactions?status=pending",
    "/api/interactions/{request}",
    "/api/sessions",
    "/api/sessions/{session}",
    "/api/sessions/{session}/messages",
    "/api/sessions/{session}/events",
    "/api/sessions/{session}/evidence",
)
PAGES = ("/inbox/", "/sessions/", "/s/{session}/", "/sidebar/")


@pytest.fixture(scope="module")
def cards(server: ServerProcess, installed: Installation, model: ModelServer) -> dict[str, Json]:
    """An open card of each kind."""
    person = Person(server, installed.ada)
    found = {}
    for name, call in CALLS.items():
        script = model.add({"calls": [{"id": "c1", **call}]}, {"text": "All done."})
        found[name] = asked(person.chat(f"Go. [[{script}#{uuid.uuid4().hex[:8]}]]"))
    return found


@pytest.fixture(autouse=True)
def still_open(ada: Person, cards: dict[str, Json], request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever a test sends: all cards are open afterwards, word for word as before."""
    yield
    if "right" not in request.node.name:
        ours = {card["id"]: card for card in cards.values()}
        assert {card["id"]: card for card in ada.pending() if card["id"] in ours} == ours


def addressed(card: Json, raw: bytes) -> bytes:
    """Put the address of a card into a body, before what stands in it."""
    address = json.dumps(submission(card)).encode()[:-1]
    return address + b", " + raw[1:] if raw.startswith(b"{") else raw


def fields(problem: Json) -> list[str]:
    assert all(error["message"] for error in problem["errors"])
    return [error["field"] for error in problem["errors"]]


@pytest.mark.parametrize(("name", "body", "field"), UNUSABLE)
def test_h13_what_is_no_answer_is_refused_by_its_field(
    ada: Person, cards: dict[str, Json], name: str, body: Json, field: str
) -> None:
    refused = ada.answer(cards[name], **body)
    assert (refused.status_code, refused.json()["code"]) == (422, "invalid_answer")
    assert field in fields(refused.json())


@pytest.mark.parametrize(("name", "raw", "field"), MALFORMED)
def test_h12_h87_a_malformed_or_forged_body_is_refused_by_its_field(
    ada: Person, cards: dict[str, Json], name: str, raw: bytes, field: str
) -> None:
    refused = ada.call("POST", "/api/chat/continue", addressed(cards[name], raw))
    assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json")
    assert refused.json()["code"] == "malformed_body"
    assert not field or field in fields(refused.json())


@pytest.mark.parametrize("size", [65 * 1024, 1_000_000, 10_000_000])
def test_a_body_that_is_too_large_is_refused(ada: Person, cards: dict[str, Json], size: int) -> None:
    body = json.dumps(submission(cards["text"], customInput="x" * size)).encode()
    refused = ada.call("POST", "/api/chat/continue", body)
    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")


def test_a_question_of_another_session_or_user_is_none_of_ones_business(ada: Person, bob: Person, cards: dict[str, Json]) -> None:
    swapped = submission(cards["text"], customInput="x") | {"sessionId": cards["number"]["sessionId"]}
    assert ada.call("POST", "/api/chat/continue", swapped).status_code == 403
    unknown = bob.call("POST", "/api/chat/continue", submission(cards["text"], customInput="x") | {"requestId": "ask_none"})
    foreign = bob.answer(cards["text"], customInput="x")
    assert (foreign.status_code, foreign.json()) == (404, unknown.json())


def test_every_list_is_still_there(ada: Person, cards: dict[str, Json], server: ServerProcess) -> None:
    ids = {"session": cards["text"]["sessionId"], "request": cards["text"]["id"]}
    for path in LISTS:
        answer = ada.call("GET", path.format(**ids), Accept="application/json")
        assert answer.status_code == 200, path
    with browser(server) as page:
        for path in PAGES:
            assert page.get(path.format(**ids)).status_code == 200, path


@pytest.mark.parametrize(
    ("name", "form"), [("number", {"text": "abc"}), ("number", {"text": "3,2"}), ("date", {"text": "2026-02-30"})]
)
def test_h09_h61_a_page_says_the_same_beside_the_field_and_keeps_what_was_typed(
    ada: Person, cards: dict[str, Json], server: ServerProcess, name: str, form: dict[str, str]
) -> None:
    said = ada.answer(cards[name], customInput=form["text"]).json()["errors"][0]["message"]
    address = f"/s/{cards[name]['sessionId']}/q/{cards[name]['id']}/answer/"
    with browser(server) as page:
        for headers in ({}, {"HX-Request": "true"}):
            refused = page.post(address, data=form, headers=headers)
            assert refused.status_code == 422
            assert said in refused.text
            assert f'value="{form["text"]}"' in refused.text


@pytest.mark.parametrize("name", RIGHT)
def test_the_right_answer_is_taken_all_the_same(ada: Person, cards: dict[str, Json], model: ModelServer, name: str) -> None:
    assert ada.go_on(cards[name], **RIGHT[name]).events[-1].kind == "run_completed"
    assert not model.problems
