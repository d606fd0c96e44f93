"""How often a user may call: a sliding minute, counted in the memory of each process.

With several processes a user may thus call up to that many times as often. Counting in the database would cost a
synced write for every request, which is more than most requests cost themselves.
"""

import threading
import time
from collections import deque

from django.conf import settings

WINDOW_SECONDS = 60.0
_SWEEP_AT = 1000


class SlidingWindow:
    """The times of the last calls of each user."""

    def __init__(self) -> None:
        self._times: dict[int, deque[float]] = {}
        self._lock = threading.Lock()

    def take(self, user: int, limit: int) -> float:
        """Take one of `limit` calls a minute; return 0, or the seconds until there is one again."""
        now = time.monotonic()
        with self._lock:
            if len(self._times) > _SWEEP_AT:
                self._sweep(now)
            times = self._times.setdefault(user, deque())
            while times and times[0] <= now - WINDOW_SECONDS:
                times.popleft()
            if len(times) >= limit:
                return times[0] + WINDOW_SECONDS - now
            times.append(now)
            return 0.0

    def forget(self) -> None:
        """Forget all calls."""
        with self._lock:
            self._times.clear()

    def _sweep(self, now: float) -> None:
        self._times = {user: times for user, times in self._times.items() if times and times[-1] > now - WINDOW_SECONDS}


RUNS = SlidingWindow()
"""The runs that each user has started, through whichever door."""


def take_run(user: int) -> float:
    """Take one of the runs that a user may start a minute (HANDRAISE_RATE_RUNS; 0: any number).

    Returns 0, or the seconds until there is one again.
    """
    return RUNS.take(user, settings.RATE_RUNS) if settings.RATE_RUNS else 0.0


UPLOADS = SlidingWindow()
"""The uploads of each user, through whichever door."""


def take_upload(user: int) -> float:
    """Take one of the uploads that a user may send a minute (HANDRAISE_RATE_UPLOADS; 0: any number).

    Returns 0, or the seconds until there is one again.
    """
    return UPLOADS.take(user, settings.RATE_UPLOADS) if settings.RATE_UPLOADS else 0.0
