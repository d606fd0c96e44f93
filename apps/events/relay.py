"""Carry hints to other processes over the channel layer, where Redis is configured.

The layer belongs to one event loop, so the relay has a thread with a loop of its own: whoever commits only drops the
hint there. One group and one receiver a process, however many streams are open. Hints carry ids only.
"""

import asyncio
import logging
import secrets
import threading
from collections.abc import Callable
from typing import Any

from channels.layers import get_channel_layer
from django.conf import settings

from apps.events import hints

logger = logging.getLogger(__name__)

GROUP = "handraise.hints"
RETRY_SECONDS = 1.0
_PROCESS = secrets.token_hex(8)


class Relay(threading.Thread):
    """The thread with its loop."""

    def __init__(self) -> None:
        super().__init__(name="handraise-relay", daemon=True)
        self._loop = asyncio.new_event_loop()
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self) -> None:
        """Receive the hints of other processes until `stop`."""
        asyncio.set_event_loop(self._loop)
        self._spawn(self._receive())
        self._loop.run_forever()
        for task in self._tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
        self._loop.close()

    def send(self, hint: hints.Hint) -> None:
        """Send a hint to the other processes; from any thread, without waiting."""
        self._soon(lambda: self._spawn(self._send(hint)))

    def stop(self) -> None:
        """End the thread; return when it has ended."""
        self._soon(self._loop.stop)
        self.join()

    def _soon(self, act: Callable[[], Any]) -> None:
        self._loop.call_soon_threadsafe(act)

    def _spawn(self, work: Any) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, hint: hints.Hint) -> None:
        message = {"type": "hint", "from": _PROCESS, "topic": hint.topic, "note": hint.note}
        try:
            await get_channel_layer().group_send(GROUP, message)
        except Exception as error:
            # The worker's edge: redis-py and its transports raise many kinds. A lost hint costs at most two seconds.
            logger.warning("A hint was not sent: %s", type(error).__name__)

    async def _receive(self) -> None:
        while True:
            try:
                await self._receive_hints()
            except Exception as error:
                # The worker's edge, as above; until Redis is back the net finds the news.
                logger.warning("Hints of other processes do not arrive: %s", type(error).__name__)
                await asyncio.sleep(RETRY_SECONDS)

    async def _receive_hints(self) -> None:
        layer = get_channel_layer()
        channel = await layer.new_channel()
        await layer.group_add(GROUP, channel)
        while True:
            message = await layer.receive(channel)
            if message["from"] != _PROCESS:
                hints.deliver(hints.Hint(message["topic"], message["note"]))


_lock = threading.Lock()
_relay: Relay | None = None


def start() -> Relay | None:
    """Start the relay unless it runs; None where no Redis is configured."""
    global _relay
    if not settings.REDIS_URL:
        return None
    with _lock:
        if _relay is None or not _relay.is_alive():
            _relay = Relay()
            _relay.start()
        return _relay


def send(hint: hints.Hint) -> None:
    """Send a hint to the other processes, if there is a way."""
    relay = start()
    if relay is not None:
        relay.send(hint)
