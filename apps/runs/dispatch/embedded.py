"""The embedded runner: one asyncio task a running run, none for a waiting one."""

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any

from apps.agent.model import Model
from apps.agent.steps import Step
from apps.audit.context import AGENT, acting
from apps.events.hints import QUEUE, subscribe
from apps.providers.registry import current_model
from apps.runs import segments
from apps.runs.closing import abort_topic
from apps.runs.dispatch import ownership
from apps.runs.dispatch.threads import DatabaseThreads
from apps.runs.execution import execute
from apps.runs.expiry import expire_due
from apps.runs.nightly import tidy
from apps.runs.segments import HEARTBEAT_SECONDS, LEASE, Claimed
from apps.toolkit.tools import work_tools

RUNS_AT_ONCE = 500
POLL_SECONDS = 2.0
SWEEP_SECONDS = 1.0
RECOVER_SECONDS = 5.0
TIDY_SECONDS = 600.0
Work = Callable[[], Coroutine[Any, Any, None]]
logger = logging.getLogger(__name__)


class Runner:
    """Claim queued runs by lease and drive them, hundreds at once, on the event loop that calls `serve`."""

    def __init__(self, model: Callable[[], Model] = current_model) -> None:
        self._model = model
        self._threads = DatabaseThreads()
        self._owner = ownership.Owner()
        self._tasks: dict[int, asyncio.Task[Step | None]] = {}
        self._news = asyncio.Event()
        self._renewed = time.monotonic()

    async def serve(self) -> None:
        """Work until cancelled; then let go: what was running is taken up by the next worker."""
        subscription = subscribe(QUEUE, lambda hint: self._news.set())
        try:
            await asyncio.to_thread(work_tools)  # which of them work here is found out before the first run needs them
            await self._recover()
            async with asyncio.TaskGroup() as group:
                group.create_task(self._claim_for_ever())
                group.create_task(self._every(HEARTBEAT_SECONDS, self._renew))
                group.create_task(self._every(RECOVER_SECONDS, self._recover))
                group.create_task(self._every(SWEEP_SECONDS, self._sweep))
                group.create_task(self._every(TIDY_SECONDS, self._tidy))
        finally:
            subscription.cancel()
            await self._let_go()

    async def _claim_for_ever(self) -> None:
        while True:
            self._news.clear()
            await self._safely(self._claim_queued)
            try:
                async with asyncio.timeout(POLL_SECONDS):
                    await self._news.wait()
            except TimeoutError:
                continue  # the poll is a net: a lost hint costs latency, never a run

    async def _claim_queued(self) -> None:
        room = RUNS_AT_ONCE - len(self._tasks)
        for run_id in await self._threads(segments.queued_runs, room) if room else ():
            claimed = await self._threads(segments.claim, run_id, self._owner.name)
            if claimed:
                self._start(claimed)

    def _start(self, claimed: Claimed) -> None:
        run = claimed.run.pk
        with acting(AGENT, "system"):
            task = asyncio.create_task(execute(claimed, self._model(), self._threads), name=claimed.run.public_id)
        self._tasks[run] = task
        subscription = subscribe(abort_topic(run), lambda hint: self._stop({run}))

        def done(ended: asyncio.Task[Step | None]) -> None:
            subscription.cancel()
            self._tasks.pop(run, None)
            if not ended.cancelled() and (error := ended.exception()):
                logger.error("the task of run %s ended by %s", ended.get_name(), type(error).__name__)

        task.add_done_callback(done)

    async def _every(self, seconds: float, work: Work) -> None:
        while True:
            await asyncio.sleep(seconds)
            await self._safely(work)

    async def _safely(self, work: Work) -> None:
        try:
            await work()
        except Exception as error:
            # The worker's edge: a database that is away for a moment must not end the worker.
            logger.error("%s failed with %s", work.__name__, type(error).__name__)

    async def _renew(self) -> None:
        """Renew the leases of what is at work here; stop what is no longer ours.

        A run whose task has ended by a fault is not renewed, so it goes back into the queue by time. A worker that
        cannot renew in time stops its own work first.
        """
        mine = set(self._tasks)
        try:
            held = await self._threads(segments.renew, self._owner.name, mine)
        except Exception:
            if time.monotonic() - self._renewed > LEASE.total_seconds() * 2 / 3:
                self._stop(mine)
            raise
        self._renewed = time.monotonic()
        self._stop(mine - held)

    def _stop(self, runs: set[int]) -> None:
        for run in runs:
            if task := self._tasks.get(run):
                task.cancel()

    async def _recover(self) -> None:
        await self._threads(recover, self._owner.name)

    async def _sweep(self) -> None:
        await self._threads(expire_due)

    async def _tidy(self) -> None:
        await self._threads(tidy)

    async def _let_go(self) -> None:
        self._stop(set(self._tasks))
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._threads.close()
        self._owner.release()


def recover(own_name: str) -> None:
    """Put the runs of workers that are gone back into the queue. Recovery does not execute anything."""
    owners = segments.open_owners() - {own_name}
    for segment in segments.lost_segments(ownership.dead(owners)):
        segments.requeue(segment)
    ownership.sweep(owners | {own_name})
