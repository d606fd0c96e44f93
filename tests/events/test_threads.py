"""A few threads with one connection each, kept while there is work."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from apps.events import threads as module
from apps.events.threads import DatabaseThreads


@pytest.fixture
def threads() -> Iterator[DatabaseThreads]:
    pool = DatabaseThreads("test-db", 2)
    yield pool
    pool.close()


def opened_connection() -> BaseDatabaseWrapper:
    connection.ensure_connection()
    return connections["default"]


def fail(error: Exception) -> None:
    raise error


async def test_results_and_errors_come_back(threads: DatabaseThreads) -> None:
    assert await threads(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await threads(divmod, 7, 0)


@pytest.mark.django_db(transaction=True)
async def test_h52_any_number_of_jobs_opens_one_connection_a_thread(threads: DatabaseThreads) -> None:
    used = await asyncio.gather(*(threads(opened_connection) for _ in range(100)))
    assert len(set(map(id, used))) <= 2


@pytest.mark.django_db(transaction=True)
async def test_h52_a_thread_without_work_closes_its_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "IDLE_SECONDS", 0.02)
    threads = DatabaseThreads("test-db", 1)
    of_thread = await threads(opened_connection)
    await asyncio.sleep(0.2)
    assert of_thread.connection is None
    threads.close()


@pytest.mark.django_db(transaction=True)
async def test_a_connection_that_failed_is_not_used_again(monkeypatch: pytest.MonkeyPatch) -> None:
    threads = DatabaseThreads("test-db", 1)
    await threads(opened_connection)
    with pytest.raises(OperationalError):
        await threads(fail, OperationalError("gone"))
    assert await threads(lambda: connection.connection) is None
    threads.close()


async def test_work_that_nobody_waits_for_any_more_is_not_begun() -> None:
    threads, begun, go = DatabaseThreads("test-db", 1), [], threading.Event()
    blocker = asyncio.ensure_future(threads(go.wait))
    waiting = asyncio.ensure_future(threads(begun.append, 1))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    go.set()
    await blocker
    threads.close()
    assert begun == []
