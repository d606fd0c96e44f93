"""Whose upload is at work: few at once and one of each user, so that uploads never hold the threads of everybody else."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext as _

from apps.toolkit.sources.errors import SourcesBusy

AT_WORK = 2
INSIDE = 4
"""At work or waiting: half of the threads that answer requests."""
WAIT_SECONDS = 5.0


class Turns:
    """The uploads of one process."""

    def __init__(self) -> None:
        self._users: set[int] = set()
        self._lock = threading.Lock()
        self._slots = threading.Semaphore(AT_WORK)

    @contextmanager
    def of(self, user: int) -> Iterator[None]:
        """Be at work for a user, after a short wait if need be. Raises SourcesBusy."""
        self._enter(user)
        try:
            if not self._slots.acquire(timeout=WAIT_SECONDS):
                raise _busy()
            try:
                yield
            finally:
                self._slots.release()
        finally:
            self._leave(user)

    def _enter(self, user: int) -> None:
        with self._lock:
            if user in self._users or len(self._users) >= INSIDE:
                raise _busy()
            self._users.add(user)

    def _leave(self, user: int) -> None:
        with self._lock:
            self._users.discard(user)


def _busy() -> SourcesBusy:
    return SourcesBusy(_("Other files are being read at the moment. Try again in a few seconds."))


TURNS = Turns()
