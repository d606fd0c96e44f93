"""A worker of one command: it drives the runs that the command itself has started, under a name and lease of its own."""

import asyncio
from typing import Self

from apps.audit.context import AGENT, acting
from apps.events.hints import subscribe
from apps.providers.registry import current_model
from apps.runs import segments
from apps.runs.closing import abort_topic
from apps.runs.dispatch.ownership import Owner
from apps.runs.dispatch.threads import DatabaseThreads
from apps.runs.execution import execute
from apps.runs.segments import HEARTBEAT_SECONDS, Claimed


class OwnWorker:
    """Use it as a context manager; `drive` belongs on the event loop of one thread."""

    def __init__(self) -> None:
        self._owner, self.threads = Owner(), DatabaseThreads()
        self.name = self._owner.name

    async def drive(self, claimed: Claimed) -> None:
        """Drive the run until it rests or is no longer ours; cancelled, it lets go."""
        with acting(AGENT, "system"):
            work = asyncio.create_task(execute(claimed, current_model(), self.threads), name=claimed.run.public_id)
        beat = asyncio.create_task(self._beat(claimed.run.pk), name="heartbeat")
        aborted = subscribe(abort_topic(claimed.run.pk), lambda hint: _cancel(work))
        try:
            await asyncio.wait([work])
        finally:
            aborted.cancel()
            beat.cancel()
            work.cancel()
            await asyncio.gather(work, beat, return_exceptions=True)

    async def _beat(self, run: int) -> None:
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            await self.threads(segments.renew, self.name, {run})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.threads.close()
        self._owner.release()


def _cancel(task: "asyncio.Task[object]") -> None:
    task.cancel()
