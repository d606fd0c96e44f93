"""Collects hints."""

import asyncio
import threading

from apps.events.hints import Hint, Subscription, subscribe


class Ear:
    """Hears the hints of one topic, and remembers the threads that they came on."""

    def __init__(self, topic: str) -> None:
        self.heard: list[Hint] = []
        self.threads: set[int] = set()
        self._news = asyncio.Event()
        self.subscription: Subscription = subscribe(topic, self._hear)

    async def first(self, seconds: float = 3) -> Hint:
        """Wait for the first hint since the last `forget`. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            await self._news.wait()
        return self.heard[0]

    def forget(self) -> None:
        """Begin anew."""
        self.heard.clear()
        self._news.clear()

    def _hear(self, hint: Hint) -> None:
        self.heard.append(hint)
        self.threads.add(threading.get_ident())
        self._news.set()
