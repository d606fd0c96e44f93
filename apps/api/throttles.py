"""How often a user may call the API: HANDRAISE_RATE_REQUESTS for all calls, HANDRAISE_RATE_RUNS and
HANDRAISE_RATE_UPLOADS for those that start a run or bring files."""

import math
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from apps.accounts.models import User
from apps.runs.rates import RUNS, UPLOADS, SlidingWindow


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

    window, setting = RUNS, "RATE_RUNS"


class UploadRate(_Rate):
    """Calls that attach files: HANDRAISE_RATE_UPLOADS."""

    window, setting = UPLOADS, "RATE_UPLOADS"
