"""What models really do, each through the real adapter to its end: the result of every call, byte for byte."""

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.support.journeys import Person, received_results, results_everywhere
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.journey

Json = dict[str, Any]
DONE: Json = {"text": "That is all."}
LONG = "A text that is long enough to be cut off in the middle of its stream."


@dataclass(frozen=True)
class Scenario:
    """What the model does, what the person answers, and what each call's result must be."""

    script: list[Json]
    answers: list[Json] = field(default_factory=list)
    results: list[str] = field(default_factory=list)
    requests: int = 2


def ask(ident: str = "c1", **arguments: Any) -> Json:
    return {"id": ident, "name": "ask_user", "arguments": {"title": f"{ident}?"} | arguments}


def questions(arguments: Any) -> list[Json]:
    return [{"calls": [{"id": "c1", "name": "ask_user_question", "arguments": arguments}]}, DONE]


def one(mode: str, body: Json, result: str, **arguments: Any) -> Scenario:
    return Scenario([{"calls": [ask(mode=mode, **arguments)]}, DONE], [body], [result])


def text(words: str) -> str:
    return f'{{"status":"answered","selections":[],"customInput":"{words}","cancelled":false,"answeredBy":"user"}}'


OPTIONS = [{"id": "x", "label": "Left, up"}, {"id": "y", "label": "Left"}, {"id": "z", "label": "up"}]
PICK = [{"label": "Quick (Recommended)"}, {"label": "Slow"}]
HALF_FORM = [
    {"id": "q1", "question": "How?", "options": PICK},
    {"id": "q2", "question": "What?", "multi_select": True, "options": PICK},
]

SCENARIOS = {
    "single": one(
        "single", {"selections": ["y"]},
        '{"status":"answered","selections":["y"],"customInput":"","cancelled":false,"answeredBy":"user"}', options=OPTIONS,
    ),
    "single, own text": one("single", {"selections": [], "customInput": "mine"}, text("mine"), options=OPTIONS, allowCustom=True),
    "h01 multiple": one(
        "multiple", {"selections": ["x"], "customInput": "a, b; c|d"},
        '{"status":"answered","selections":["x"],"customInput":"a, b; c|d","cancelled":false,"answeredBy":"user"}',
        options=OPTIONS, allowCustom=True,
    ),
    "toggle": one(
        "toggle", {"selections": ["z", "x"]},
        '{"status":"answered","selections":["z","x"],"customInput":"","cancelled":false,"answeredBy":"user"}', options=OPTIONS,
    ),
    "text": one("text", {"customInput": 'Zoë "says"\n中文 \N{OWL}'}, text('Zoë \\"says\\"\\n中文 \N{OWL}')),
    "number": one(
        "number", {"customInput": " 3 "},
        '{"status":"answered","selections":[],"customInput":"3","cancelled":false,"value":3,"answeredBy":"user"}',
    ),
    "h11 date": one(
        "date", {"customInput": "2026-03-01"},
        '{"status":"answered","selections":[],"customInput":"2026-03-01","cancelled":false,"value":"2026-03-01","answeredBy":"user"}',
    ),
    "h89 directory": one(
        "directory", {"customInput": "sub/./dir/"},
        '{"status":"answered","selections":[],"customInput":"sub/dir","cancelled":false,"value":"sub/dir","answeredBy":"user"}',
    ),
    "h02 questions": Scenario(
        questions({"questions": HALF_FORM}),
        [{"answers": [{"id": "q2", "selected": ["Slow"], "custom": "on Mondays"}, {"id": "q1", "selected": []}]}],
        ['{"status":"answered","answers":[{"id":"q1","selected":[]},{"id":"q2","selected":["Slow"],"custom":"on Mondays"}]}'],
    ),
    "a flat question": Scenario(
        questions({"question": "How?", "options": PICK}),
        [{"answers": [{"id": "q1", "selected": ["Quick (Recommended)"]}]}],
        ['{"status":"answered","answers":[{"id":"q1","selected":["Quick (Recommended)"]}]}'],
    ),
    "h06 questions inside a text": Scenario(
        questions('{"questions": "[{\\"question\\": \\"Pick\\", \\"options\\": [\\"A\\", {\\"label\\": \\"B\\"}, null]}]"}'),
        [{"answers": [{"id": "q1", "selected": ["B"]}]}],
        ['{"status":"answered","answers":[{"id":"q1","selected":["B"]}]}'],
    ),
    "h29 two questions around a tool": Scenario(
        [{"calls": [ask("r1", mode="text"), {"id": "t", "name": "no_such_tool", "arguments": {}}, ask("r2", mode="text")]}, DONE],
        [{"customInput": "one"}, {"customInput": "two"}],
        [text("one"), "UNKNOWN_TOOL", text("two")],
    ),
    "h37 one after the other": Scenario(
        [*({"calls": [ask(ident, mode="text")]} for ident in ("r1", "r2", "r3")), DONE],
        [{"customInput": "1"}, {"customInput": "2"}, {"customInput": "3"}],
        [text("1"), text("2"), text("3")],
        requests=4,
    ),
    "h41 calls in pieces, by turns": Scenario(
        [
            {
                "calls": [ask("r1", mode="text"), ask("r2", mode="text")],
                "deltas": [
                    {"tool_calls": [{"index": 0, "id": "{KEY}-r1", "function": {"name": "ask_user", "arguments": ""}}]},
                    {"tool_calls": [{"index": 1, "id": "{KEY}-r2", "function": {"name": "ask_user", "arguments": '{"title":'}}]},
                    {"tool_calls": [{"index": 0, "function": {"arguments": '{"title":"1?","mode":"text"}'}}]},
                    {"tool_calls": [{"index": 1, "function": {"arguments": '"2?","mode":"text"}'}}]},
                ],
            },
            DONE,
        ],
        [{"customInput": "one"}, {"customInput": "two"}],
        [text("one"), text("two")],
    ),
    "no question": Scenario(questions({"questions": []}), results=["EMPTY_QUESTIONS"]),
    "h06 arguments that are no JSON": Scenario(
        [{"calls": [ask() | {"arguments": '{"title": "x", '}]}, DONE], results=["BAD_QUESTION"]
    ),
    "h04 an id twice": Scenario([{"calls": [ask(mode="single", options=[OPTIONS[0]] * 2)]}, DONE], results=["BAD_QUESTION"]),
    "an unknown tool": Scenario([{"calls": [{"id": "c1", "name": "nope", "arguments": {}}]}, DONE], results=["UNKNOWN_TOOL"]),
    "a busy server": Scenario([DONE | {"fault": {"kind": "status", "status": 429, "times": 2, "retry_after": 0}}], requests=3),
    "a cut stream": Scenario([{"text": LONG, "fault": {"kind": "cut", "times": 1}}]),
}  # fmt: skip


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_scenario_ends_well_and_its_results_reach_the_model_unchanged(ada: Person, model: ModelServer, name: str) -> None:
    scenario, key = SCENARIOS[name], uuid.uuid4().hex[:8]
    stream = ada.chat(f"Go. [[{model.add(*scenario.script)}#{key}]]")
    session = stream.events[0].data["sessionId"]
    for body in scenario.answers:
        stream = ada.go_on(ada.pending(session)[0], **body)
    assert (stream.events[-1].kind, stream.events[-1].data["text"]) == ("run_completed", scenario.script[-1]["text"])
    assert len(model.requests(key)) == scenario.requests
    received = received_results(model, key)
    assert results_everywhere(ada, model, session, key) == received
    assert len(received) == len(scenario.results)
    for content, expected in zip(received.values(), scenario.results, strict=True):
        assert expected in (content, _code(content)), content
    assert model.problems == []


def test_a_server_that_never_answers_fails_the_run_and_retry_goes_on(ada: Person, model: ModelServer) -> None:
    key = uuid.uuid4().hex[:8]
    script = model.add(DONE | {"fault": {"kind": "status", "status": 500, "times": 5}})
    failed = ada.chat(f"Go. [[{script}#{key}]]").events[-1]
    assert (failed.kind, failed.data["retryable"]) == ("run_failed", True)
    again = ada.call("POST", "/api/chat/retry", {"sessionId": failed.data["sessionId"]})
    assert again.status_code == 202
    with ada.events_of(failed.data["sessionId"], after=failed.data["seq"]) as stream:
        assert stream.until("run_completed", 30).data["text"] == DONE["text"]


def _code(content: str) -> str:
    return str(json.loads(content).get("code", ""))
