"""deep_solve over HTTP with a model of its own process: how each run ends, and what every request held."""

import uuid
from dataclasses import dataclass
from typing import Any

import pytest

from tests.solve.conftest import SOLVED, finish, made, plan, replan
from tests.support.journeys import Person, asked
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.journey

Json = dict[str, Any]
TWO = {"calls": [plan("p", "One", "Two")]}
NINE = {"calls": [made(f"t{n}", "no_such_tool", n=n) for n in range(9)]}


@dataclass(frozen=True)
class Solving:
    """What the model does, how the run must end, and how the steps of every version must stand then."""

    script: list[Json]
    outcome: str
    plans: list[list[str]]


CASES = {
    "as planned": Solving(SOLVED, "finished", [["done", "done"]]),
    "skipping and guessing ids": Solving(
        [
            TWO,
            *({"calls": [finish(f"f{n}", step)]} for n, step in enumerate(("S2", "S99", "S1", "S1", "S2"))),
            {"text": "Finished."},
        ],
        "finished",
        [["done", "done"]],
    ),
    "three replans, two allowed": Solving(
        [TWO, *({"calls": [replan(f"r{n}", f"Try {n}")]} for n in range(3)), {"text": "Best so far."}],
        "finished_with_open_steps",
        [["dropped", "dropped"], ["dropped"], ["current"]],
    ),
    "no plan": Solving([{"calls": [finish("f", "S1")]}, {"text": "Direct answer."}], "finished_without_plan", []),
    "a failed step": Solving(
        [TWO, {"calls": [finish("f1", "S1", outcome="failed")]}, {"calls": [finish("f2", "S2")]}, {"text": "Partly."}],
        "finished",
        [["failed", "done"]],
    ),
    "several finishes in a turn": Solving(
        [TWO, {"calls": [finish("f1", "S1", "one"), finish("f2", "S2", "two")]}, {"text": "Both."}],
        "finished",
        [["done", "done"]],
    ),
    "nine parallel calls": Solving(
        [TWO, NINE, {"calls": [finish("f1", "S1"), finish("f2", "S2")]}, {"text": "Well."}], "finished", [["done", "done"]]
    ),
    "an empty closing text": Solving(
        [TWO, {"calls": [finish("f1", "S1"), finish("f2", "S2")]}, {"text": ""}], "rounds_exhausted", [["done", "done"]]
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_every_run_ends_as_it_must_and_every_request_is_sound(ada: Person, model: ModelServer, name: str) -> None:
    case, key = CASES[name], uuid.uuid4().hex[:8]
    message = f"Solve it [[{model.add(*case.script)}#{key}]]"
    stream = ada.chat(message, capability="solve", config={"plan_review": "off"})
    end = stream.events[-1]
    assert (end.kind, end.data["outcome"]) == ("run_completed", case.outcome)
    assert end.data["text"].strip()
    plans = ada.get(f"/api/sessions/{end.data['sessionId']}/plans")["results"]
    assert [[step["status"] for step in each["steps"]] for each in plans] == case.plans
    called = [event.data["toolCallId"] for event in stream.events if event.kind == "tool_call"]
    assert sorted(called) == sorted(event.data["toolCallId"] for event in stream.events if event.kind == "tool_result")
    assert not model.problems


def test_plan_next_step_and_the_users_answer_are_in_every_request_after_every_fold(ada: Person, model: ModelServer) -> None:
    key = uuid.uuid4().hex[:8]
    ask = made("q", "ask_user", title="Which numbers?", mode="single", options=[{"id": "complex", "label": "Complex"}])
    script = model.add(
        {"calls": [plan("p", "Fix the domain", "Solve it", "Verify it")]},
        {"calls": [ask]},
        {"calls": [finish("f1", "S1", "domain fixed")]},
        {"calls": [finish("f2", "S2", "roots found")]},
        {"calls": [finish("f3", "S3", "verified")]},
        {"text": "x = i"},
    )
    card = asked(ada.chat(f"Solve it [[{script}#{key}]]", capability="solve", config={"plan_review": "off"}))
    assert ada.go_on(card, selections=["complex"]).events[-1].data["outcome"] == "finished"
    folded = [str(request["body"]["messages"]) for request in model.requests(key)][3:]
    assert len(folded) == 3
    for request, summary in zip(folded, ("domain fixed", "roots found", "verified"), strict=True):
        for words in ("Solve it", "Verify it", "Which numbers?", "complex", summary):
            assert words in request
    assert all(request.count("Which numbers?") == 1 for request in folded[1:])
    assert not model.problems
