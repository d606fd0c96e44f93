"""A hint is given at the commit, to whoever wants it, on the loop that they want it on."""

import asyncio
import threading

import pytest
from channels.db import database_sync_to_async
from django.db import transaction

from apps.events.hints import Hint, announce, deliver, topics
from apps.events.log import NewEvent, append, open_stream
from tests.events.ears import Ear

pytestmark = pytest.mark.usefixtures("no_net")


async def settled() -> None:
    """Let the calls run that other threads have left on this loop."""
    await asyncio.sleep(0.01)


@pytest.mark.django_db(transaction=True)
async def test_a_hint_is_given_at_the_commit_and_not_before() -> None:
    ear = Ear("user:1")

    def change() -> int:
        with transaction.atomic():
            announce("user:1", "sess_1")
            return len(ear.heard)

    before = await database_sync_to_async(change)()
    await settled()
    assert (before, ear.heard) == (0, [Hint("user:1", "sess_1")])


@pytest.mark.django_db(transaction=True)
async def test_what_is_rolled_back_gives_no_hint() -> None:
    ear = Ear("queue")

    def change() -> None:
        with transaction.atomic():
            announce("queue")
            transaction.set_rollback(True)

    await database_sync_to_async(change)()
    await settled()
    assert ear.heard == []


@pytest.mark.django_db(transaction=True)
async def test_appending_events_gives_a_hint_of_their_session_only() -> None:
    mine, other = Ear("session:7"), Ear("session:8")

    def change() -> None:
        open_stream(7, "sess_7")
        with transaction.atomic():
            append(7, [NewEvent("run_cancelled", facts={"reason": "user"})] * 3)

    await database_sync_to_async(change)()
    await settled()
    assert (len(mine.heard), len(other.heard)) == (1, 0)


async def test_a_hint_from_another_thread_is_heard_on_the_own_loop() -> None:
    ear = Ear("queue")
    thread = threading.Thread(target=deliver, args=[Hint("queue")])
    thread.start()
    thread.join()
    await settled()
    assert ear.threads == {threading.get_ident()}


async def test_who_cancels_hears_no_more_and_leaves_nothing() -> None:
    first, second = Ear("queue"), Ear("queue")
    first.subscription.cancel()
    deliver(Hint("queue"))
    await settled()
    second.subscription.cancel()
    assert (first.heard, len(second.heard), topics()) == ([], 1, [])


def test_a_loop_that_is_closed_is_forgotten() -> None:
    async def listen() -> None:
        Ear("queue")

    asyncio.run(listen())
    deliver(Hint("queue"))
    assert topics() == []
