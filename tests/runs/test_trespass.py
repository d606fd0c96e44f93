"""Who asks for what belongs to somebody else learns nothing; the owner's trail says that it was tried."""

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.api.stream.doors import session_of
from apps.audit.models import AuditRecord
from apps.chat.models import ChatSession
from apps.interactions.models import Interaction
from apps.runs.services import make_session
from tests.api.caller import Caller
from tests.api.calls import ABOUT_SOMETHING, ApiCall
from tests.factories.accounts import UserFactory
from tests.factories.chat import make_card
from tests.factories.files import make_artifact
from tests.factories.sources import make_source

# A list of one's own that names a foreign session in its filter is about that session as well.
PAGES = ("s/{session}/", "s/{session}/live/", "s/{session}/older/", "s/{session}/dock/", "s/{session}/delete/", "q/{request}/")


@pytest.fixture
def owner(db: None) -> User:
    """Whose session it is."""
    return UserFactory.create(username="ada")


@pytest.fixture
def card(owner: User) -> Interaction:
    """The owner's open question."""
    return make_card(owner)


@pytest.fixture
def stranger(db: None) -> User:
    """Somebody else."""
    return UserFactory.create(username="bob")


def tries_of(session: ChatSession, known: int) -> list[AuditRecord]:
    return list(AuditRecord.objects.filter(session=session.public_id, number__gt=known).order_by("number"))


def state_of(card: Interaction) -> tuple[object, ...]:
    row = Interaction.objects.get(pk=card.pk)
    return (row.status, row.expires_at, row.run.status, ChatSession.objects.filter(pk=row.session_id).exists())


@pytest.mark.parametrize("call", ABOUT_SOMETHING, ids=str)
def test_h85_each_call_of_the_api_on_a_strangers_session_leaves_a_trace_and_nothing_else(
    call: ApiCall, card: Interaction, stranger: User
) -> None:
    before, known = state_of(card), AuditRecord.objects.filter(session=card.session.public_id).count()
    method, path, body = call.about(card)
    caller = Caller.of(stranger)
    answer = caller.send(method, path, body)
    assert answer.status_code == 404
    method, path, body = call.filled("sess_" + "0" * 32, "ask_" + "0" * 32)
    unknown = caller.send(method, path, body)
    assert (unknown.status_code, unknown.json()["code"]) == (404, answer.json()["code"])
    assert state_of(card) == before
    [tried] = tries_of(card.session, known)
    assert tried.kind in ("access_refused", "submission_refused")
    assert (tried.actor_kind, tried.channel) == ("token", "api")


def test_h85_a_try_on_a_strangers_file_names_a_file_as_what_was_asked_for(card: Interaction, stranger: User) -> None:
    Caller.of(stranger).get(f"/api/artifacts/{make_artifact(card.call).public_id}")
    [tried] = tries_of(card.session, 0)[-1:]
    assert (tried.kind, tried.request, tried.summary) == ("access_refused", "", {"subject": "artifact"})


@pytest.mark.parametrize("method", ["delete", "get", "post"])
def test_h85_a_try_on_a_strangers_attachment_through_a_session_of_ones_own_leaves_a_trace(
    method: str, card: Interaction, stranger: User
) -> None:
    own, foreign = make_session(stranger).public_id, make_source(card.session).public_id
    known = AuditRecord.objects.filter(session=card.session.public_id).count()
    client = Client()
    client.force_login(stranger)
    tries = {
        "delete": lambda: Caller.of(stranger).delete(f"/api/sessions/{own}/sources/{foreign}"),
        "get": lambda: client.get(f"/s/{own}/sources/{foreign}/"),
        "post": lambda: client.post(f"/s/{own}/sources/{foreign}/remove/"),
    }
    assert tries[method]().status_code == 404
    [tried] = tries_of(card.session, known)
    assert (tried.kind, tried.request, tried.summary) == ("access_refused", "", {"subject": "source"})


@pytest.mark.parametrize("page", PAGES)
def test_h85_each_page_of_a_strangers_session_leaves_a_trace(page: str, card: Interaction, stranger: User) -> None:
    known = AuditRecord.objects.filter(session=card.session.public_id).count()
    client = Client()
    client.force_login(stranger)
    assert client.get("/" + page.format(session=card.session.public_id, request=card.public_id)).status_code == 404
    [tried] = tries_of(card.session, known)
    assert (tried.kind, tried.actor_id, tried.channel) == ("access_refused", stranger.public_id, "web")


def test_many_tries_within_a_minute_are_one_record(card: Interaction, stranger: User) -> None:
    known = AuditRecord.objects.filter(session=card.session.public_id).count()
    for _try in range(5):
        Caller.of(stranger, "read").get(f"/api/sessions/{card.session.public_id}")
    caller = Caller.of(stranger, "read")
    for _try in range(5):
        caller.get(f"/api/sessions/{card.session.public_id}")
    # Each token is an actor of its own.
    assert len(tries_of(card.session, known)) == 6


def test_the_owners_own_mistakes_are_no_trespass(card: Interaction, owner: User) -> None:
    known = AuditRecord.objects.filter(session=card.session.public_id).count()
    Caller.of(owner).get("/api/sessions/sess_" + "0" * 32)
    Caller.of(owner).get(f"/api/interactions/{'ask_' + '0' * 32}")
    assert tries_of(card.session, known) == []


def test_h85_a_strangers_stream_leaves_a_trace(card: Interaction, stranger: User) -> None:
    known = AuditRecord.objects.filter(session=card.session.public_id).count()
    assert session_of(stranger.pk, card.session.public_id) is None
    assert session_of(card.user_id, card.session.public_id) == card.session_id
    [tried] = tries_of(card.session, known)
    assert (tried.kind, tried.actor_id, tried.channel) == ("access_refused", stranger.public_id, "api")
