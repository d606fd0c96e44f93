"""Work is done once for any number of wake-ups, and never missed."""

import asyncio

import pytest

from apps.api.stream.pump import Pump


class Work:
    """Counts how often it was done; one turn takes as long as `go` is not set."""

    def __init__(self) -> None:
        self.done = self.failed = 0
        self.go = asyncio.Event()
        self.pump = Pump(self.do, self.fail)

    async def do(self) -> None:
        await self.go.wait()
        self.done += 1

    async def fail(self) -> None:
        self.failed += 1


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_wake_ups_during_the_work_have_it_done_once_more() -> None:
    work = Work()
    for _ in range(3):
        work.pump.wake()
    await settle()
    for _ in range(3):
        work.pump.wake()
    work.go.set()
    await settle()
    assert work.done == 2


async def test_no_task_is_left_between_two_wake_ups() -> None:
    work = Work()
    work.go.set()
    work.pump.wake()
    await settle()
    assert asyncio.all_tasks() == {asyncio.current_task()}
    work.pump.wake()
    await settle()
    assert work.done == 2


async def test_closing_ends_the_work_under_way_and_takes_no_more() -> None:
    work = Work()
    work.pump.wake()
    await settle()
    work.pump.close()
    work.pump.wake()
    work.go.set()
    await settle()
    assert (work.done, asyncio.all_tasks()) == (0, {asyncio.current_task()})


async def test_the_work_may_close_its_own_pump() -> None:
    work = Work()

    async def close() -> None:
        work.pump.close()
        await asyncio.sleep(0)
        work.done += 1

    work.pump = Pump(close, work.fail)
    work.pump.wake()
    await settle()
    assert work.done == 1


async def test_a_fault_ends_the_stream_and_logs_no_text(caplog: pytest.LogCaptureFixture) -> None:
    work = Work()

    async def fail() -> None:
        raise ValueError("what a person wrote")

    Pump(fail, work.fail).wake()
    await settle()
    assert work.failed == 1
    assert "ValueError" in caplog.text
    assert "person" not in caplog.text
