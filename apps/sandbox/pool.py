"""A few workers that answer jobs for whichever event loop asks; nothing is started before the first job.

WorkerPool uses a worker again as long as it is well. SparePool uses each once, and keeps one more that is ready.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from typing import Any

from apps.sandbox.errors import JobFailed, SandboxError, WorkerFailed
from apps.sandbox.worker import Limits, Start, Worker, importing


class Pool:
    """At most `size` workers at work for each event loop; `spare_seconds` is how long one that is ready waits for a job.

    0: no spare is kept, and a worker is used again.
    """

    def __init__(self, make: Callable[[], Worker], size: int, spare_seconds: float = 0.0) -> None:
        self._make, self._size, self._spare_seconds = make, size, spare_seconds
        self._of_loop: dict[asyncio.AbstractEventLoop, _LoopWorkers] = {}

    async def compute(self, job: dict[str, Any], *, seconds: float) -> dict[str, Any]:
        """Run one job and return its result. The seconds count from the moment a ready worker takes it.

        Cancelling the caller kills the job. Raises TimedOut, OutOfMemory, JobFailed, WorkerFailed.
        """
        return await (await self._workers()).compute(job, seconds)

    async def warm(self) -> None:
        """Start one worker ahead of the first job. Raises WorkerFailed."""
        await (await self._workers()).warm()

    async def close(self) -> None:
        """End the workers of this loop; a later job starts new ones."""
        workers = self._of_loop.get(asyncio.get_running_loop())
        if workers is not None:
            await workers.keeper.aclose()

    async def _workers(self) -> "_LoopWorkers":
        loop = asyncio.get_running_loop()
        if loop not in self._of_loop:
            workers = self._of_loop[loop] = _LoopWorkers(self._make, self._size, self._spare_seconds)
            workers.keeper = self._keep(loop, workers)
            await anext(workers.keeper)
        return self._of_loop[loop]

    async def _keep(self, loop: asyncio.AbstractEventLoop, workers: "_LoopWorkers") -> AsyncGenerator[None]:
        # A loop that shuts down closes its generators: that is the moment to end its workers.
        try:
            yield
        finally:
            self._of_loop.pop(loop, None)
            workers.end()


class WorkerPool(Pool):
    """Workers that are used again as long as they are well.

    `module` is imported in the worker and must have ``run(job: dict) -> dict``, both plain JSON.
    """

    def __init__(self, module: str, *, size: int = 2, limits: Limits | None = None) -> None:
        limits = limits or Limits()
        super().__init__(lambda: Worker(importing(module, limits), limits), size)


class SparePool(Pool):
    """Workers for one job each. After the first job one more is started ahead, and waits `spare_seconds` for the next."""

    def __init__(self, start: Start, limits: Limits, *, size: int, spare_seconds: float) -> None:
        super().__init__(lambda: Worker(start, limits), size, spare_seconds)


class _LoopWorkers:
    """The workers of one event loop."""

    keeper: AsyncGenerator[None]

    def __init__(self, make: Callable[[], Worker], size: int, spare_seconds: float) -> None:
        self._make, self._spare_seconds = make, spare_seconds
        self._slots = asyncio.Semaphore(size)
        self._idle: list[Worker] = []
        self._is_open = True
        self._spare: asyncio.Task[None] | None = None

    async def compute(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        async with self._slots:
            worker = await self._take()
            if self._spare_seconds:
                self._keep_spare()
            try:
                return await self._run(worker, job, seconds)
            except WorkerFailed:
                # One that had idled may have been killed meanwhile: whether it was the job, a new worker shows.
                if worker.is_new:
                    raise
            return await self._run(await self._start(), job, seconds)

    async def _run(self, worker: Worker, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        is_well = False
        try:
            result = await worker.compute(job, seconds)
            is_well = True
        except JobFailed:
            is_well = True
            raise
        finally:
            self._put_back(worker, is_well)
        return result

    async def warm(self) -> None:
        async with self._slots:
            self._put_back(await self._take(), True)

    def end(self) -> None:
        self._is_open = False
        if self._spare:
            self._spare.cancel()
        while self._idle:
            self._idle.pop().end()

    def _keep_spare(self) -> None:
        """Start the next worker now, or let the one that waits wait anew."""
        if self._spare:
            self._spare.cancel()
        self._spare = asyncio.create_task(self._wait_with_spare(), name="spare worker")

    async def _wait_with_spare(self) -> None:
        with suppress(SandboxError):  # the next job will start a worker itself, and say what is wrong
            if not self._idle:
                self._put_back(await self._start(), True)
            await asyncio.sleep(self._spare_seconds)
            while self._idle:
                self._idle.pop().end()

    async def _take(self) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_fit:
                return worker
            worker.end()
        return await self._start()

    async def _start(self) -> Worker:
        worker, is_ready = self._make(), False
        try:
            await worker.wait_until_ready()
            is_ready = True
        finally:
            if not is_ready:
                worker.end()
        return worker

    def _put_back(self, worker: Worker, is_well: bool) -> None:
        if is_well and self._is_open and worker.is_fit:
            self._idle.append(worker)
        else:
            worker.end()
