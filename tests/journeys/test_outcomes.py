"""Four ways for a question to end, which a program can tell apart by fields: in the result, the receipt and the audit."""

import json
import uuid
from typing import Any

import pytest

from tests.support.journeys import Person, asked, received_results
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.journey

QUESTIONS = [{"id": "q1", "question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]
SCRIPT: list[dict[str, Any]] = [
    {"calls": [{"id": "c1", "name": "ask_user_question", "arguments": {"questions": QUESTIONS}}]},
    {"text": "All done."},
]
ENDINGS: dict[str, dict[str, Any]] = {
    "answered": {"answers": [{"id": "q1", "selected": ["A"]}]},
    "skipped": {"answers": [{"id": "q1", "selected": []}]},
    "cancelled": {"cancelled": True},
    "expired": {},
}
CLOSING = ("interaction_answered", "interaction_cancelled", "interaction_expired")


def outcome(person: Person, model: ModelServer, ending: str) -> tuple[Any, ...]:
    """Let a question end so; return what a program reads of it."""
    key = uuid.uuid4().hex[:8]
    config = {"ask_lifetime": 1 if ending == "expired" else 60}
    card = asked(person.chat(f"Go. [[{model.add(*SCRIPT)}#{key}]]", config=config))
    if ENDINGS[ending]:
        assert person.answer(card, **ENDINGS[ending]).status_code == 202
    assert person.to_the_end(card["sessionId"])[-1]["type"] == "run_completed"
    result = json.loads(received_results(model, key)[card["toolCallId"]])
    receipt = person.get(f"/api/interactions/{card['id']}")["receipt"]
    proof = person.proof(card["sessionId"])
    ends = [record for record in proof["audit"] if record["requestId"] == card["id"] and record["kind"] in CLOSING]
    kept = [(record["kind"], str(record["summary"].get("skipped"))) for record in ends]
    return result["status"], result.get("code"), receipt["status"], receipt["answeredBy"], *kept


def test_h05_answered_skipped_cancelled_and_expired_are_four_outcomes(ada: Person, model: ModelServer) -> None:
    outcomes = {ending: outcome(ada, model, ending) for ending in ENDINGS}
    assert len(set(outcomes.values())) == len(ENDINGS), outcomes
    assert [found[0] for found in outcomes.values()] == ["answered", "answered", "cancelled", "expired"]
    assert [found[1] for found in outcomes.values()] == [None, None, "ASK_CANCELLED", "ASK_EXPIRED"]
    assert len({found[-1] for found in outcomes.values()}) == len(ENDINGS), "the audit tells them apart as well"
