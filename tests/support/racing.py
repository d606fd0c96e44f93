"""Do the same thing at the same moment from many threads, each with a database connection of its own."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection


def at_once(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """Run the works behind a barrier; return what each returned or raised, in their order."""
    barrier = threading.Barrier(len(works))

    def run(work: Callable[[], Any]) -> Any:
        connection.ensure_connection()
        barrier.wait(30)
        try:
            return work()
        except Exception as error:
            # What one of the racers raised is the result that the test looks at.
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))
