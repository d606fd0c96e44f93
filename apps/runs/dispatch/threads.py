"""The small thread pool in which a runner's transactions run; one is a plain function, never held across an await."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from django.db import connection

THREADS = {"sqlite": 1, "postgresql": 8}


class DatabaseThreads:
    """Run functions that use the database, off the event loop. SQLite has one writer, so one thread."""

    def __init__(self) -> None:
        self._keep = connection.vendor == "sqlite"
        self._pool = ThreadPoolExecutor(THREADS.get(connection.vendor, 4), thread_name_prefix="runner-db")

    async def __call__[**P, T](self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
        """Run the function in the pool and return what it returns."""
        loop = asyncio.get_running_loop()
        context = contextvars.copy_context()  # who acts, for the audit
        work = partial(function, *args, **kwargs)
        return await loop.run_in_executor(self._pool, lambda: context.run(self._run, work))

    def _run[T](self, work: Callable[[], T]) -> T:
        try:
            return work()
        finally:
            # PostgreSQL's connections go back to the pool; SQLite's one connection is kept while it is sound.
            if not self._keep or connection.errors_occurred:
                connection.close()

    def close(self) -> None:
        """Close the pool and its connections; what is running is finished first."""
        self._pool.submit(lambda: connection.close())  # not `connection.close`: that is the caller's own connection
        self._pool.shutdown(wait=True)
