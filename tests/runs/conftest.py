"""A coordinator to test: real rows, real threads, a scripted model; the tests themselves are the worker."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from apps.accounts.models import User
from apps.chat.models import Run
from apps.events.read import read_events
from apps.interactions.models import Interaction
from apps.interactions.submissions import Submission
from apps.providers.scripted import ScriptedModel
from apps.runs import segments, services
from apps.runs.dispatch.threads import DatabaseThreads
from apps.runs.execution import execute
from tests.factories.accounts import UserFactory


def ask(ident: str = "c1", **arguments: Any) -> dict[str, Any]:
    """Return a script's call of ask_user."""
    return {"id": ident, "name": "ask_user", "arguments": {"title": "Which?", "mode": "text"} | arguments}


def ask_questions(ident: str = "c1", *questions: str) -> dict[str, Any]:
    """Return a script's call of ask_user_question with free-text questions."""
    asked = [{"id": f"q{n}", "question": text} for n, text in enumerate(questions or ("Which?",), 1)]
    return {"id": ident, "name": "ask_user_question", "arguments": {"questions": asked}}


DONE = {"text": "All done."}
TEXT = Submission(custom_input="blue")


@dataclass
class Desk:
    """One user at work with a scripted model; what a worker would do is done by `drive`."""

    user: User
    script: list[dict[str, Any]] = field(default_factory=list)
    config: dict[str, Any] = field(default_factory=dict)
    session: str = ""

    def __post_init__(self) -> None:
        self.model = ScriptedModel({"s": self.script or [{"calls": [ask()]}, DONE]}, keep_requests=True)

    def say(self, text: str = "hello [[s#k]]", **parts: Any) -> Run:
        """Write a message; the run is queued."""
        new = services.NewRun(text, session_id=self.session, config=self.config or None, **parts)
        started = services.start_run(self.user, new)
        self.session = started.session.public_id
        return started.run

    def drive(self, run: Run, owner: str = "worker-test") -> Run:
        """Claim the run and drive it to its rest."""
        claimed = segments.claim(run.pk, owner)
        if claimed is not None:
            asyncio.run(_execute(claimed, self.model))
        run.refresh_from_db()
        return run

    def asked(self, text: str = "hello [[s#k]]") -> Run:
        """Write a message and drive its run to the question."""
        run = self.drive(self.say(text))
        assert run.status == Run.Status.WAITING
        return run

    def card(self) -> Interaction:
        """Return the oldest open card."""
        return Interaction.objects.filter(user=self.user, status="pending").select_related("call", "session").earliest("id")

    def answer(self, card: Interaction | None = None, submission: Submission = TEXT) -> services.Answered:
        """Answer a card."""
        card = card or self.card()
        return services.answer(self.user, card.session.public_id, card.public_id, submission, json.dumps({"customInput": "blue"}))

    def kinds(self) -> list[str]:
        """Return the kinds of the session's events in order."""
        return [event.kind for event in self.events()]

    def events(self) -> list[Any]:
        """Return the session's events as they stand on the wire."""
        session = services.session_of(self.user, self.session)
        return list(read_events(session.pk, 0, 500))


async def _execute(claimed: segments.Claimed, model: ScriptedModel) -> None:
    threads = DatabaseThreads()
    try:
        await execute(claimed, model, threads)
    finally:
        threads.close()


@pytest.fixture
def desk(transactional_db: None) -> Desk:
    """A user whose model asks one text question and then is done."""
    return Desk(UserFactory())
