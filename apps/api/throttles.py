"""How often a user may call: a sliding minute, counted in the memory of each process.

With several processes a user may thus call up to that many times as often. Counting in the database would cost a
synced write for every request, which is more than most requests cost themselves.
"""

import math
import threading
import time
from collections import deque
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from apps.accounts.models import User

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


class _Rate(BaseThrottle):
    """A limit that a setting names; 0 is none."""

    window: SlidingWindow
    setting: str
    _wait = 0.0

    def allow_request(self, request: Request, view: Any) -> bool:
        """Say whether the user may call once more."""
        limit = getattr(settings, self.setting)
        if not limit or not isinstance(request.user, User):
            return True
        self._wait = self.window.take(request.user.pk, limit)
        return self._wait <= 0

    def wait(self) -> float:
        """Return the whole seconds until the next try can succeed."""
        return math.ceil(self._wait)


class RequestRate(_Rate):
    """All calls: HANDRAISE_RATE_REQUESTS."""

    window, setting = SlidingWindow(), "RATE_REQUESTS"


class RunRate(_Rate):
    """Calls that start a run: HANDRAISE_RATE_RUNS."""

    window, setting = SlidingWindow(), "RATE_RUNS"
