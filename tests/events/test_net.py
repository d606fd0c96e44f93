"""The net finds the news that no hint told of."""

import asyncio
from collections.abc import Callable

import pytest
from channels.db import database_sync_to_async
from django.db import OperationalError, connection, transaction

from apps.events import hints, net
from apps.events.hints import Hint, subscribe
from apps.events.live import RunningText
from apps.events.log import NewEvent, append, open_stream
from apps.events.partial import write_first
from tests.events.ears import Ear

CANCELLED = NewEvent("run_cancelled", facts={"reason": "user"})


def append_one() -> None:
    with transaction.atomic():
        append(7, [CANCELLED])


def dropping(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose every hint of a commit; only those of the net arrive."""
    monkeypatch.setattr(hints, "_publish", lambda hint: None)


WITHIN_SECONDS = {"sqlite": 0.6, "postgresql": net.NET_SECONDS + 0.5}
"""SQLite shows at once that another connection has committed; elsewhere only the slow look is left without hints."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("watching_net")
async def test_h49_an_event_whose_hint_was_lost_is_told_of_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    dropping(monkeypatch)
    await database_sync_to_async(open_stream)(7, "sess_7")
    ear = Ear("session:7")
    await ear.first()
    ear.forget()
    await database_sync_to_async(append_one)()
    assert await ear.first(WITHIN_SECONDS[connection.vendor]) == Hint("session:7", mark=1)


def sweep_of(topics: list[str], monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[Hint]]:
    """Return a function that sweeps once, by the same net, and tells what was told."""
    told: list[Hint] = []
    monkeypatch.setattr(hints, "deliver", told.append)
    swept = net.Net()

    def sweep() -> list[Hint]:
        told.clear()
        swept.sweep(topics)
        return list(told)

    return sweep


def test_a_topic_is_told_of_only_when_its_mark_is_another(session: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = sweep_of(["session:7", "text:7"], monkeypatch)
    assert sweep() == [Hint("session:7", mark=0), Hint("text:7")]
    assert sweep() == []
    append(session, [CANCELLED])
    assert sweep() == [Hint("session:7", mark=1)]
    write_first(session, RunningText(1, "msg_1", "so far"))
    assert [hint.topic for hint in sweep()] == ["text:7"]


def test_the_queue_is_told_of_at_every_look(session: int, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep = sweep_of(["queue"], monkeypatch)
    assert sweep() == sweep() == [Hint("queue")]


def test_a_topic_outside_of_the_net_is_never_told_of_by_it(session: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sweep_of(["abort:7"], monkeypatch)() == []


def test_two_thousand_sessions_cost_two_queries(session: int, django_assert_num_queries: Callable[[int], object]) -> None:
    with django_assert_num_queries(2):  # type: ignore[attr-defined]
        net.Net().sweep([f"session:{number}" for number in range(2000)])


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("watching_net")
async def test_the_net_outlives_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    await database_sync_to_async(open_stream)(7, "sess_7")
    looks = iter([OperationalError("away"), {7: 1}])

    def look(keys: object) -> object:
        found = next(looks)
        if isinstance(found, Exception):
            raise found
        return found

    monkeypatch.setitem(net._looks, "session", look)
    monkeypatch.setattr(net, "NET_SECONDS", 0.0)
    ear = Ear("session:7")
    await ear.first()
    assert ear.heard == [Hint("session:7", mark=1)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("watching_net")
async def test_the_thread_ends_when_nobody_listens_and_begins_again_with_the_next() -> None:
    subscription = subscribe("queue", lambda hint: None)
    first = net._net
    assert first is not None
    subscription.cancel()
    await asyncio.to_thread(first.join, 2)
    assert not first.is_alive()
    again = subscribe("queue", lambda hint: None)
    assert net._net is not None
    assert net._net.is_alive()
    again.cancel()
