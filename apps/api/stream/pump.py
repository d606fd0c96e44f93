"""Work that is done once for any number of wake-ups."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

logger = logging.getLogger(__name__)


class Pump:
    """Run `work` after a wake-up, and once more if another came meanwhile; no task exists while there is nothing to do."""

    __slots__ = ("_fail", "_is_closed", "_is_news", "_task", "_work")

    def __init__(self, work: Callable[[], Awaitable[None]], fail: Callable[[], Awaitable[None]]) -> None:
        self._work, self._fail = work, fail
        self._is_news = self._is_closed = False
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Have the work done soon."""
        self._is_news = True
        if self._task is None and not self._is_closed:
            self._task = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        """Do no more work. The work itself may call this."""
        self._is_closed = True
        if self._task is not None and self._task is not asyncio.current_task():
            self._task.cancel()

    async def _run(self) -> None:
        try:
            while self._is_news and not self._is_closed:
                self._is_news = False
                await self._work()
        except Exception as error:
            # The worker's edge: the stream ends and its client comes back with its cursor. The error may hold text
            # of people, so only its type is logged.
            logger.error("A stream ended by %s", type(error).__name__)
            await self._fail()
        finally:
            self._task = None
