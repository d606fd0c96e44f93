"""GET /api/inbox/events: how many questions wait, told when that changes."""

from collections import Counter

import pytest
from channels.db import database_sync_to_async as in_database

from apps.accounts.models import User
from apps.api.stream import inbox
from apps.api.stream.switch import Switch
from apps.events import net
from apps.events.hints import announce, user_topic
from tests.api.stream.client import Exchange, exchange, no_django
from tests.api.stream.conftest import bearer

pytestmark = pytest.mark.django_db(transaction=True)

app = Switch(no_django)


@pytest.fixture
def waiting(monkeypatch: pytest.MonkeyPatch) -> Counter[int]:
    """Return how many questions wait for each user; the test changes it."""
    counted = Counter[int]()
    monkeypatch.setattr(inbox, "pending_counts", lambda users: {user: counted[user] for user in users})
    monkeypatch.setitem(net._looks, "user", lambda users: {user: counted[user] for user in users})
    return counted


def told(stream: Exchange) -> list[tuple[int, str | None]]:
    assert all(event.kind == "pending" and event.id is None for event in stream.events)
    return [(event.data["pending"], event.data["sessionId"]) for event in stream.events]


async def test_the_present_count_comes_first_then_each_change_with_its_session(ada: User, waiting: Counter[int]) -> None:
    waiting[ada.pk] = 2
    async with exchange(app, "/api/inbox/events", **await bearer(ada)) as stream:
        await stream.until(lambda answer: answer.events)
        waiting[ada.pk] = 3
        await in_database(announce)(user_topic(ada.pk), "sess_1")
        await stream.until(lambda answer: (3, "sess_1") in told(answer))
    assert told(stream) == [(2, None), (3, "sess_1")]


async def test_a_change_that_no_hint_told_of_comes_with_the_net(ada: User, waiting: Counter[int]) -> None:
    async with exchange(app, "/api/inbox/events", **await bearer(ada)) as stream:
        await stream.until(lambda answer: told(answer) == [(0, None)])
        waiting[ada.pk] = 1
        await stream.until(lambda answer: told(answer) == [(0, None), (1, None)], net.NET_SECONDS + 1)


async def test_nobody_has_an_inbox() -> None:
    async with exchange(app, "/api/inbox/events") as answer:
        assert (answer.status, answer.problem["code"]) == (401, "not_authenticated")
