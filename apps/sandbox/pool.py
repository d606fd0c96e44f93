"""A few workers that answer jobs for whichever event loop asks; nothing is started before the first job.

WorkerPool uses a worker again as long as it is well. SparePool uses each once, and keeps one more that is ready.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from apps.sandbox.errors import JobFailed, SandboxError, WorkerFailed
from apps.sandbox.worker import Limits, Start, Worker, importing


@dataclass(frozen=True, slots=True)
class Spares:
    """How a worker is made that waits for the next job, and for how many seconds it does."""

    make: Callable[[], Worker]
    seconds: float


class Pool:
    """At most `size` workers at work for each event loop."""

    def __init__(self, make: Callable[[], Worker], size: int, spares: "Spares | None" = None) -> None:
        self._make, self._size, self._spares = make, size, spares
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
            workers = self._of_loop[loop] = _LoopWorkers(self._make, self._size, self._spares)
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
    """Workers for one job each. After a job one more is started ahead, and waits `spare_seconds` for the next; 0: none is.

    `start_ahead` is what starts that one: it may take its time.
    """

    def __init__(
        self, start: Start, limits: Limits, *, size: int, start_ahead: Start | None = None, spare_seconds: float = 0.0
    ) -> None:
        spares = Spares(lambda: Worker(start_ahead or start, limits), spare_seconds) if spare_seconds else None
        super().__init__(lambda: Worker(start, limits), size, spares)


class _LoopWorkers:
    """The workers of one event loop."""

    keeper: AsyncGenerator[None]

    def __init__(self, make: Callable[[], Worker], size: int, spares: Spares | None) -> None:
        self._make, self._spares = make, spares
        self._slots = asyncio.Semaphore(size)
        self._idle: list[Worker] = []
        self._is_open = True
        self._spare: asyncio.Task[None] | None = None
        self._dismissal: asyncio.TimerHandle | None = None

    async def compute(self, job: dict[str, Any], seconds: float) -> dict[str, Any]:
        async with self._slots:
            worker = await self._take()
            try:
                return await self._run(worker, job, seconds)
            except WorkerFailed:
                # One that had idled may have been killed meanwhile: whether it was the job, a new worker shows.
                if worker.is_new:
                    raise
            return await self._run(await self._started(self._make()), job, seconds)

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
            self._keep_spare()
        return result

    async def warm(self) -> None:
        async with self._slots:
            self._put_back(await self._take(ahead=True), True)

    def end(self) -> None:
        self._is_open = False
        if self._spare:
            self._spare.cancel()
        if self._dismissal:
            self._dismissal.cancel()
        self._dismiss()

    def _keep_spare(self) -> None:
        """See to it that a worker waits for the next job, from now on for as long as spares do."""
        if not self._spares or not self._is_open:
            return
        if self._dismissal:
            self._dismissal.cancel()
        self._dismissal = asyncio.get_running_loop().call_later(self._spares.seconds, self._dismiss)
        if not self._idle and (self._spare is None or self._spare.done()):
            self._spare = asyncio.create_task(self._start_spare(self._spares), name="spare worker")

    async def _start_spare(self, spares: Spares) -> None:
        with suppress(SandboxError):  # the next job will start a worker itself, and say what is wrong
            self._put_back(await self._started(spares.make()), True)

    def _dismiss(self) -> None:
        while self._idle:
            self._idle.pop().end()

    async def _take(self, *, ahead: bool = False) -> Worker:
        while self._idle:
            worker = self._idle.pop()
            if worker.is_fit:
                return worker
            worker.end()
        return await self._started(self._spares.make() if self._spares and ahead else self._make())

    async def _started(self, worker: Worker) -> Worker:
        is_ready = False
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
