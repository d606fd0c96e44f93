"""Sessions, runs and cards for tests, all made through the coordinator's doors."""

from datetime import timedelta
from typing import Any

from apps.accounts.models import User
from apps.chat.models import ChatSession, Run
from apps.common.clock import database_now
from apps.interactions.models import Interaction
from apps.interactions.submissions import Submission
from apps.providers.scripted import ScriptedModel
from apps.runs import services
from tests.support.runs import ask_user, asks, raw, run_to_rest, scripted

OPTIONS = [{"id": "safe", "label": "Analyse first"}, {"id": "implement", "label": "Implement now"}]


def make_session(user: User, title: str = "") -> ChatSession:
    """Make an empty session."""
    return services.make_session(user, title)


def make_run(user: User, message: str = "Hello", session: ChatSession | None = None, **parts: Any) -> Run:
    """Write a message; its run is queued."""
    session_id = session.public_id if session else ""
    return services.start_run(user, services.NewRun(message, session_id=session_id, **parts)).run


def make_cards(user: User, model: ScriptedModel | None = None, **parts: Any) -> list[Interaction]:
    """Write a message and drive its run to its questions; return them, oldest first."""
    run = run_to_rest(make_run(user, **parts), model or scripted())
    assert run.status == Run.Status.WAITING
    return [services.interaction_of(user, row.public_id) for row in run.interactions.order_by("id")]


def make_card(user: User, model: ScriptedModel | None = None, **parts: Any) -> Interaction:
    """Write a message and drive its run to its one question."""
    [card] = make_cards(user, model, **parts)
    return card


def ask_in_mode(mode: str, **arguments: Any) -> ScriptedModel:
    """Return a model that asks one question in this mode."""
    options: dict[str, Any] = {"options": OPTIONS} if mode in ("single", "multiple", "toggle") else {}
    return scripted(asks(ask_user(mode=mode, **options, **arguments)), {"text": "All done."})


def answer(card: Interaction, **submission: Any) -> services.Answered:
    """Answer a card; without anything said, with the word blue."""
    given = Submission(**submission) if submission else Submission(custom_input="blue")
    return services.answer(card.user, card.session.public_id, card.public_id, given, raw(customInput="blue"))


def let_expire(card: Interaction) -> None:
    """Move a card's deadline into the past, as if nobody had looked for a minute."""
    Interaction.objects.filter(pk=card.pk).update(expires_at=database_now() - timedelta(minutes=1))
