"""A new question stands in an open inbox within a second, and nobody else hears of it."""

import time
import uuid

import pytest

from tests.support.journeys import Person, asked
from tests.support.model_server import ModelServer
from tests.support.sse import StreamClient

pytestmark = pytest.mark.journey

ASK = {"calls": [{"id": "c1", "name": "ask_user", "arguments": {"title": "Which colour?", "mode": "text"}}]}


def inbox(person: Person) -> StreamClient:
    return StreamClient(person.server.port, "/api/inbox/events", headers={"Authorization": f"Bearer {person.token}"})


def test_a_question_and_its_end_reach_the_inbox(ada: Person, bob: Person, model: ModelServer) -> None:
    message = f"Go. [[{model.add(ASK, {'text': 'All done.'})}#{uuid.uuid4().hex[:8]}]]"
    with inbox(ada) as hers, inbox(bob) as his:
        hers.until_comments(1)
        his.until_comments(1)
        card = asked(ada.chat(message))
        hint = hers.until(lambda event: event.data["sessionId"] == card["sessionId"], 5)
        assert hint.data["pending"] >= 1
        ada.answer(card, customInput="blue")
        hers.until(lambda event: event.data["pending"] == hint.data["pending"] - 1, 5)
        assert not [event for event in his.events if event.data["sessionId"] == card["sessionId"]]
        assert not [event for event in hers.events if event.id], "hints have no numbers"


def test_the_hint_is_pushed_and_not_polled(ada: Person, model: ModelServer) -> None:
    """The same question in ten rounds: a poll, however quick, would show as a spread of waiting times."""
    script, waited = model.add(ASK), []
    with inbox(ada) as stream:
        stream.until_comments(1)
        for _ in range(10):
            card = asked(ada.chat(f"Go. [[{script}#{uuid.uuid4().hex[:8]}]]"))
            began = time.monotonic()
            stream.until(lambda event, ours=card["sessionId"]: event.data["sessionId"] == ours, 5)  # type: ignore[misc]
            waited.append(time.monotonic() - began)
    assert sorted(waited)[2] < 0.1
