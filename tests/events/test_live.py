"""The running text in memory, and as a row for others."""

import asyncio
from collections.abc import Callable

import pytest
from channels.db import database_sync_to_async
from django.db import OperationalError

from apps.events import live, partial
from apps.events.hints import Hint, subscribe
from apps.events.log import NewEvent, append, open_stream
from apps.events.models import PartialText
from apps.events.partial import PartialWriter, drop, read, rewrite, write_first

pytestmark = pytest.mark.usefixtures("no_net")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write after 20 ms, not 300."""
    monkeypatch.setattr(partial, "WRITE_SECONDS", 0.02)
    monkeypatch.setattr(live, "_running", {})


class Database:
    """Counts writes; each takes as long as the test says."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.written: list[str] = []
        self.answers: list[bool | Exception] = []
        self.is_writing = False
        self._seconds = seconds

    async def __call__(self, write: Callable[[], bool]) -> bool:
        self.is_writing = True
        await asyncio.sleep(self._seconds)
        self.written.append(write.args[1].text)  # type: ignore[attr-defined]
        answer = self.answers.pop() if self.answers else True
        if isinstance(answer, Exception):
            raise answer
        return answer


async def test_pieces_are_told_of_as_they_come() -> None:
    told: list[Hint] = []
    subscription = subscribe("text:7", told.append)
    live.begin(7, 1, "msg_1", "pre")
    live.delta(7, "fix")
    await asyncio.sleep(0)
    subscription.cancel()
    text = live.current(7)
    assert text is not None
    assert (text.text, len(told)) == ("prefix", 2)


async def test_a_restart_forgets_the_text_and_counts() -> None:
    text = live.begin(7, 1, "msg_1")
    live.delta(7, "wrong")
    live.restart(7)
    live.delta(7, "right")
    assert (text.text, text.generation) == ("right", 1)


async def test_a_round_that_has_ended_is_not_shown_to_who_comes_later() -> None:
    live.begin(7, 1, "msg_1")
    live.end(7)
    live.end(7)
    assert live.current(7) is None


async def until(is_so: Callable[[], bool]) -> None:
    for _ in range(2000):
        if is_so():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not happen")


async def test_many_pieces_are_few_writes_and_the_last_is_whole() -> None:
    database, text = Database(), live.begin(7, 1, "msg_1")
    writer = PartialWriter(7, text, database)
    began = asyncio.get_running_loop().time()
    for _ in range(50):
        live.delta(7, "x")
        writer.touch()
        await asyncio.sleep(0.001)
    await until(lambda: database.written[-1:] == ["x" * 50])
    took = asyncio.get_running_loop().time() - began
    assert len(database.written) <= took / partial.WRITE_SECONDS + 1
    await writer.close()


async def test_a_short_round_writes_nothing() -> None:
    database = Database()
    writer = PartialWriter(7, live.begin(7, 1, "msg_1"), database)
    live.delta(7, "quick")
    writer.touch()
    await writer.close()
    await asyncio.sleep(0.05)
    assert database.written == []


async def test_nothing_is_under_way_after_close() -> None:
    database = Database(seconds=0.03)
    writer = PartialWriter(7, live.begin(7, 1, "msg_1"), database)
    writer.touch()
    await until(lambda: database.is_writing)
    writer.touch()
    await writer.close()
    written = len(database.written)
    await asyncio.sleep(0.08)
    assert len(database.written) == written == 1


async def test_a_writer_whose_row_was_taken_writes_no_more() -> None:
    database = Database()
    database.answers = [False]
    writer = PartialWriter(7, live.begin(7, 1, "msg_1"), database)
    for _ in range(3):
        writer.touch()
        await asyncio.sleep(0.03)
    assert len(database.written) == 1


async def test_a_failed_write_is_made_up_for_by_the_next() -> None:
    database = Database()
    database.answers = [OperationalError("away")]
    writer = PartialWriter(7, live.begin(7, 1, "msg_1", "a"), database)
    for count in (1, 2):
        writer.touch()
        await until(lambda count=count: len(database.written) == count)
    assert database.written == ["a", "a"]
    await writer.close()


STARTED = NewEvent("run_resumed", run=1, facts={"segment": 1})
CANCELLED = NewEvent("run_cancelled", run=1, facts={"reason": "user"})


def test_the_row_holds_the_round_and_only_its_own_writer_changes_it(session: int) -> None:
    write_first(session, live.RunningText(1, "msg_old", "old"))
    write_first(session, live.RunningText(2, "msg_new", "so far", 1))
    assert not rewrite(session, live.RunningText(1, "msg_old", "older"))
    assert rewrite(session, live.RunningText(2, "msg_new", "so far and on", 1))
    row = read(session)
    assert row is not None
    assert (row.run, row.message_id, row.text, row.generation) == (2, "msg_new", "so far and on", 1)


def test_a_row_that_was_dropped_does_not_come_back(session: int) -> None:
    write_first(session, live.RunningText(1, "msg_1", "a"))
    drop(session)
    assert not rewrite(session, live.RunningText(1, "msg_1", "ab"))
    assert read(session) is None


def test_a_writer_that_comes_after_the_end_of_its_run_makes_no_row(session: int) -> None:
    append(session, [STARTED, CANCELLED])
    assert not write_first(session, live.RunningText(1, "msg_1", "late"))
    append(session, [STARTED])
    assert write_first(session, live.RunningText(1, "msg_2", "the run goes on"))


def test_a_row_left_by_a_dead_worker_counts_no_more_once_its_run_has_gone_on(session: int) -> None:
    append(session, [STARTED])
    write_first(session, live.RunningText(1, "msg_1", "cut off"))
    assert read(session) is not None
    append(session, [STARTED])
    assert PartialText.objects.exists()
    assert read(session) is None


@pytest.mark.django_db(transaction=True)
async def test_a_written_row_is_told_of() -> None:
    await database_sync_to_async(open_stream)(7, "sess_7")
    told: list[Hint] = []
    subscription = subscribe("text:7", told.append)
    writer = PartialWriter(7, live.RunningText(1, "msg_1", "a"), lambda write: database_sync_to_async(write)())
    writer.touch()
    await until(lambda: bool(told))
    await writer.close()
    subscription.cancel()
    assert told == [Hint("text:7")]
    assert await PartialText.objects.acount() == 1
