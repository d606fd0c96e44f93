"""Sessions in every state, and a browser without scripts."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.interactions.models import Interaction
from apps.providers.scripted import ScriptedModel
from apps.runs import services
from apps.runs.starting import NewRun, Started
from tests.factories.accounts import UserFactory
from tests.support.runs import DONE, ask_questions, ask_user, asks, run_to_rest, scripted

HTMX = {"HX-Request": "true"}

OPTIONS = [
    {"id": "safe", "label": "Analyse first", "description": "Read only", "recommended": True},
    {"id": "implement", "label": "Implement now"},
]
QUESTIONS: list[dict[str, Any]] = [
    {"id": "mode", "header": "Mode", "question": "How?", "options": [{"label": "Fast (Recommended)"}, {"label": "Careful"}]},
    {"id": "parts", "question": "Which parts?", "multi_select": True, "options": [{"label": "API"}, {"label": "Web"}]},
    {"id": "path", "question": "Which folder?"},
]

Say = Callable[..., Started]
Ask = Callable[..., Interaction]


@pytest.fixture
def user(db: None) -> User:
    """Return somebody."""
    return UserFactory.create()


@pytest.fixture
def browser(user: User) -> Client:
    """Return a browser without scripts in which they are signed in."""
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def say(user: User) -> Say:
    """Return a function that sends a message and lets the model play these steps until the run rests."""

    def send(*steps: dict[str, Any], session: str = "", message: str = "Help me", model: ScriptedModel | None = None) -> Started:
        started = services.start_run(user, NewRun(message, session_id=session))
        run_to_rest(started.run, model or scripted(*steps))
        return started

    return send


@pytest.fixture
def ask(say: Say) -> Ask:
    """Return a function that lets the agent ask, and returns the open interaction: ask_user with these arguments."""

    def put(**arguments: Any) -> Interaction:
        started = say(asks(ask_user(**arguments)), DONE)
        return Interaction.objects.get(run=started.run)

    return put


@pytest.fixture
def ask_several(say: Say) -> Ask:
    """Return a function that puts a card of three questions, or of these."""

    def put(*questions: dict[str, Any]) -> Interaction:
        started = say(asks(ask_questions(questions=questions or QUESTIONS)), DONE)
        return Interaction.objects.get(run=started.run)

    return put


def address(row: Interaction, act: str = "answer") -> str:
    """Return the address of an act on a card."""
    return f"/s/{row.session.public_id}/q/{row.public_id}/{act}/"


def page_of(browser: Client, row: Interaction) -> str:
    """Return the chat page of a card's session."""
    return browser.get(f"/s/{row.session.public_id}/").content.decode()


def result_of(row: Interaction) -> Any:
    """Return the tool result of a card's call, as an object."""
    from apps.interactions.events import answer_of, with_owners

    return answer_of(with_owners().get(pk=row.pk))
