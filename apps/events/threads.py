"""A few threads for database work of an event loop, each with one connection however many streams there are."""

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

import django.db
from django.db import connection

IDLE_SECONDS = 5.0
"""A thread without work closes its connection after this."""

Job = tuple[Future[Any], Callable[[], Any]]


class DatabaseThreads:
    """Run plain functions on up to `count` threads. A connection is kept while there is work: opening one costs 0.4 ms."""

    def __init__(self, name: str, count: int) -> None:
        self._name, self._count = name, count
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []

    async def __call__[**P, T](self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Call the function on one of the threads; return what it returns, raise what it raises."""
        self._start()
        future: Future[T] = Future()
        self._jobs.put((future, partial(function, *args, **kwargs)))
        return await asyncio.wrap_future(future)

    def close(self) -> None:
        """End the threads with their connections; return when they have ended. Further work starts others."""
        threads, self._threads = self._threads, []
        for _ in threads:
            self._jobs.put(None)
        for thread in threads:
            thread.join()

    def _start(self) -> None:
        while len(self._threads) < self._count:
            thread = threading.Thread(target=self._work, name=self._name, daemon=True)
            self._threads.append(thread)
            thread.start()

    def _work(self) -> None:
        try:
            while (job := self._next_job()) is not None:
                _do(*job)
        finally:
            connection.close()

    def _next_job(self) -> Job | None:
        try:
            return self._jobs.get(timeout=IDLE_SECONDS)
        except queue.Empty:
            connection.close()
            return self._jobs.get()


def _do(future: Future[Any], function: Callable[[], Any]) -> None:
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(function())
    except django.db.Error as error:
        # The connection may be the reason; the next job gets a fresh one.
        connection.close()
        future.set_exception(error)
    except Exception as error:
        # The worker's edge: whoever awaits the result gets the error.
        future.set_exception(error)
