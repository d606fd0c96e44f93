"""One reader gets every stored event once, in order, and the running text in its place between them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from channels.db import database_sync_to_async as in_database
from django.db import transaction

from apps.api.stream.feed import Feed
from apps.events import hints, live, net, read
from apps.events.live import RunningText
from apps.events.log import NewEvent, append, delete_stream, open_stream
from apps.events.partial import drop, write_first
from tests.support.sse import Event, Parser

pytestmark = pytest.mark.django_db(transaction=True)

RESUMED = NewEvent("run_resumed", run=3, facts={"segment": 1})
CANCELLED = NewEvent("run_cancelled", run=3, facts={"reason": "user"})


def message(number: int) -> NewEvent:
    """Return the event that stores the message ``msg_<number>``."""
    return NewEvent("message", run=3, subject=number)


@in_database
def store(*events: NewEvent, then: Callable[[int], Any] = lambda session: None) -> None:
    with transaction.atomic():
        append(7, events)
        then(7)


class Reader:
    """Takes what a feed writes."""

    def __init__(self) -> None:
        self._parser, self._news = Parser(), asyncio.Event()
        self.ended = asyncio.Event()

    async def write(self, sent: bytes) -> None:
        self._parser.feed(sent)
        self._news.set()

    async def finish(self) -> None:
        self.ended.set()

    @property
    def seen(self) -> list[str]:
        """Each event as its number, or as its message and text."""
        return [event.id or f"{event.data['messageId']}:{event.data['text']}" for event in self._parser.events]

    async def until(self, wanted: str, seconds: float = 3) -> list[str]:
        """Read until this event has come; return all. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while wanted not in self.seen:
                self._news.clear()
                await self._news.wait()
        return self.seen

    @property
    def last(self) -> Event:
        return self._parser.events[-1]


@asynccontextmanager
async def reading(cursor: int = 0, **more: Any) -> AsyncIterator[Reader]:
    reader = Reader()
    feed = Feed(7, "sess_7", cursor, reader.write, reader.finish, **more)
    try:
        yield reader
    finally:
        feed.close()


@pytest.fixture(autouse=True)
async def stream() -> None:
    await in_database(open_stream)(7, "sess_7")


async def test_history_and_live_events_join_without_gap_or_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read.read_page, "__defaults__", (3,))
    await store(*[RESUMED] * 10)
    async with reading() as reader:
        await store(RESUMED, RESUMED)
        assert await reader.until("12") == [str(number) for number in range(1, 13)]


async def test_h48_two_readers_of_one_session_get_the_same() -> None:
    async with reading() as first, reading() as second:
        await store(RESUMED, RESUMED)
        await first.until("2")
        async with reading(cursor=1) as again:
            assert await again.until("2") == ["2"]
        assert await second.until("2") == first.seen == ["1", "2"]


async def test_h49_events_arrive_although_every_hint_of_a_commit_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "_publish", lambda hint: None)
    async with reading() as reader:
        await store(RESUMED)
        await store(RESUMED)
        assert await reader.until("2", net.NET_SECONDS + 1) == ["1", "2"]


async def test_a_feed_ends_after_its_last_event() -> None:
    async with reading(is_last=lambda event: event.kind == "run_cancelled") as reader:
        await store(RESUMED, CANCELLED, RESUMED)
        async with asyncio.timeout(3):
            await reader.ended.wait()
        assert reader.seen == ["1", "2"]


async def test_a_feed_ends_when_its_session_is_deleted() -> None:
    async with reading() as reader:
        await store(RESUMED)
        await reader.until("1")
        await in_database(delete_stream)(7)
        async with asyncio.timeout(3):
            await reader.ended.wait()


async def test_a_fault_of_the_database_ends_the_feed_so_that_its_client_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.api.stream.feed.read_page", lambda *_: 1 / 0)
    async with reading() as reader, asyncio.timeout(3):
        await reader.ended.wait()


async def test_pieces_come_as_they_are_written_and_all_of_them_before_the_message() -> None:
    async with reading() as reader:
        await store(RESUMED)
        await reader.until("1")
        live.begin(7, 3, "msg_5")
        live.delta(7, "a")
        await reader.until("msg_5:a")
        live.delta(7, "b")
        live.end(7)
        await store(message(5))
        assert await reader.until("2") == ["1", "msg_5:a", "msg_5:b", "2"]


async def test_a_piece_tells_its_session_run_and_a_time_that_does_not_go_back() -> None:
    async with reading() as reader:
        await store(RESUMED)
        await reader.until("1")
        at = reader.last.data["at"]
        live.begin(7, 3, "msg_5", "a")
        await reader.until("msg_5:a")
    data = reader.last.data
    assert (reader.last.kind, reader.last.id) == ("message_delta", None)
    assert (data["sessionId"], data["seq"], data["runId"]) == ("sess_7", None, "run_3")
    assert data["at"] >= at


async def test_who_joins_late_gets_the_text_so_far_at_once_as_a_snapshot() -> None:
    live.begin(7, 3, "msg_5", "so far")
    await store(RESUMED)
    async with reading() as reader:
        assert await reader.until("msg_5:so far") == ["1", "msg_5:so far"]
        assert reader.last.kind == "message_snapshot"
        live.delta(7, "!")
        await reader.until("msg_5:!")


async def test_pieces_that_come_after_an_abort_kept_the_text_are_not_sent() -> None:
    async with reading() as reader:
        live.begin(7, 3, "msg_5", "cut")
        await reader.until("msg_5:cut")
        await store(message(5), CANCELLED)
        await reader.until("2")
        live.delta(7, " late")
        await store(RESUMED)
        assert await reader.until("3") == ["msg_5:cut", "1", "2", "3"]


async def test_the_text_of_a_later_round_comes_after_the_events_in_between() -> None:
    async with reading() as reader:
        live.begin(7, 3, "msg_5", "first")
        await reader.until("msg_5:first")
        live.end(7)
        await store(message(5), RESUMED)
        live.begin(7, 3, "msg_6", "second")
        assert await reader.until("msg_6:second") == ["msg_5:first", "1", "2", "msg_6:second"]


async def test_text_written_by_another_process_is_read_from_its_row() -> None:
    async with reading() as reader:
        await store(RESUMED)
        await reader.until("1")
        await in_database(write_first)(7, RunningText(3, "msg_5", "over there"))
        await reader.until("msg_5:over there")
        await store(message(5), then=drop)
        assert await reader.until("2") == ["1", "msg_5:over there", "2"]


async def test_a_piece_in_memory_costs_no_query(monkeypatch: pytest.MonkeyPatch) -> None:
    async with reading() as reader:
        live.begin(7, 3, "msg_5", "a")
        await reader.until("msg_5:a")
        monkeypatch.setattr("apps.api.stream.feed.threads", None)
        monkeypatch.setattr("apps.api.stream.texts.threads", None)
        live.delta(7, "b")
        await reader.until("msg_5:b")
