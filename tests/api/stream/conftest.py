"""Streams in this process, on sessions whose events need no transcript."""

from collections.abc import Iterator

import pytest
from channels.db import database_sync_to_async as in_database
from django.conf import settings
from django.db import transaction
from django.test import Client

from apps.accounts.models import User
from apps.api.stream.slots import slots
from apps.api.stream.threads import threads
from apps.chat.models import ChatSession, Run
from apps.events import live, net
from apps.events.log import NewEvent, append, open_stream
from tests.events.conftest import own_readers, own_subscriptions  # noqa: F401
from tests.factories.accounts import UserFactory, token_text
from tests.support.triggers import lift_append_only_triggers  # noqa: F401


@pytest.fixture(autouse=True)
def nothing_left(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    """Begin without running texts; end with no slot taken and no connection open."""
    monkeypatch.setattr(live, "_running", {})
    yield
    threads.close()
    net.stop()
    assert slots.total == 0


@pytest.fixture
async def ada() -> User:
    return await in_database(UserFactory)(username="ada")


@pytest.fixture
async def bob() -> User:
    return await in_database(UserFactory)(username="bob")


def make_session(user: User, events: int = 0) -> ChatSession:
    """Make a session with its stream and some events."""
    session = ChatSession.objects.create(user=user)
    open_stream(session.pk, session.public_id)
    add_events(session, events)
    return session


def add_events(session: ChatSession, count: int = 1) -> None:
    """Append events that need no other rows but their run's."""
    run = Run.objects.filter(session=session).first() or Run.objects.create(session=session)
    with transaction.atomic():
        append(session.pk, [NewEvent("run_resumed", run=run.pk, facts={"segment": 1})] * count)


def token_header(user: User, *scopes: str) -> dict[str, str]:
    """Return the header of a fresh token."""
    return {"authorization": f"Bearer {token_text(user, *scopes)}"}


def cookie_header(user: User) -> dict[str, str]:
    """Return the header of a browser in which the user is signed in."""
    client = Client()
    client.force_login(user)
    return {"cookie": f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"}


new_session, bearer, signed_in = in_database(make_session), in_database(token_header), in_database(cookie_header)
