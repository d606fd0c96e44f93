"""What idle streams cost, and how fast an event reaches its reader among them. One JSON line; run with -m.

A server process is filled with idle streams of different sessions, 20 a user. Then single events are written, first
by the server process itself, then by this one; `floor` is a bare answer of the same server at the same time.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[2]
PER_USER, WARM, TIMES, PORT, IDLE_SECONDS = 20, 100, 100, 8937, 4


class Reader:
    """One open stream."""

    def __init__(self, session: Any, token: str) -> None:
        self.session, self._token = session, token

    async def open(self) -> None:
        """Connect and read up to the first event."""
        self._from, self._to = await asyncio.open_connection("127.0.0.1", PORT)
        path = f"/api/sessions/{self.session.public_id}/events"
        self._to.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self._token}\r\n\r\n".encode())
        await self.event()

    async def event(self) -> None:
        """Read on to the end of the next event."""
        await self._from.readuntil(b"\ndata: ")
        await self._from.readuntil(b"\n\n")


async def get(path: str) -> bytes:
    """Send a GET to the server on a connection of its own; return the body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer.split(b"\r\n\r\n", 1)[1]


def make_readers(count: int) -> list[Reader]:
    """Make users, tokens and sessions with one event each."""
    from django.core.management import call_command
    from django.db import transaction

    from apps.accounts.models import User
    from apps.accounts.tokens import make_token
    from tests.api.stream.conftest import make_session

    call_command("migrate", verbosity=0)
    readers: list[Reader] = []
    with transaction.atomic():
        while len(readers) < count:
            user = User.objects.create(username=f"user{len(readers)}")
            token = make_token(user, "benchmark")[1]
            readers += [Reader(make_session(user, events=1), token) for _ in range(PER_USER)]
    return readers[:count]


async def open_all(readers: list[Reader]) -> None:
    """Open streams, fifty at a time."""
    room = asyncio.Semaphore(50)

    async def open_one(reader: Reader) -> None:
        async with room:
            await reader.open()

    await asyncio.gather(*map(open_one, readers))


async def latencies(readers: list[Reader], write: Callable[[Reader], Awaitable[Any]]) -> dict[str, dict[str, float]]:
    """Write one event at a time, each to another reader; return milliseconds from before and from after the write."""
    from_before, from_after = [], []
    for number in range(TIMES):
        reader = readers[number * 7 % len(readers)]
        arrival, began = asyncio.ensure_future(reader.event()), time.perf_counter()
        arrival.add_done_callback(lambda _, began=began: from_before.append((time.perf_counter() - began) * 1000))
        await write(reader)
        written = time.perf_counter()
        await arrival
        from_after.append((time.perf_counter() - written) * 1000)
    return {"from_before_the_write": spread(from_before), "from_its_answer": spread(from_after)}


def spread(found: list[float]) -> dict[str, float]:
    """Return the quantiles of some milliseconds."""
    cuts = statistics.quantiles(found, n=100)
    return {"p50": round(cuts[49], 2), "p95": round(cuts[94], 2), "p99": round(cuts[98], 2)}


async def floor() -> float:
    """Return the median milliseconds of a bare answer."""
    found = []
    for _ in range(TIMES):
        began = time.perf_counter()
        await get("/bare")
        found.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(found), 2)


async def measure(readers: list[Reader]) -> dict[str, Any]:
    """Fill the server with streams and measure."""
    from channels.db import database_sync_to_async

    from tests.api.stream.conftest import add_events

    await open_all(readers[:WARM])
    before = json.loads(await get("/probe"))
    await open_all(readers[WARM:])
    after = json.loads(await get("/probe"))
    await asyncio.sleep(IDLE_SECONDS)
    idle = json.loads(await get("/probe"))
    return {
        "streams": after["slots"],
        "kib_a_stream": round((after["kilobytes"] - before["kilobytes"]) / (after["slots"] - before["slots"]), 1),
        "threads": [before["threads"], after["threads"]],
        "connections": [before["connections"], after["connections"]],
        "idle_cpu_percent": round((idle["cpu_ms"] - after["cpu_ms"]) / IDLE_SECONDS / 10, 1),
        "floor_ms": await floor(),
        "same_process_ms": await latencies(readers, lambda reader: get(f"/append/{reader.session.pk}")),
        "other_process_ms": await latencies(readers, lambda reader: database_sync_to_async(add_events)(reader.session)),
    }


def main() -> None:
    """Run the benchmark on a data folder that is thrown away."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=2000)
    count = parser.parse_args().streams
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HANDRAISE_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
        import django

        django.setup()
        readers = make_readers(count)
        command = [sys.executable, "-m", "daphne", "-p", str(PORT), "-v", "0", "tests.api.stream.probe:application"]
        server = subprocess.Popen(command, cwd=PROJECT)
        try:
            print(json.dumps(asyncio.run(with_server(readers))))
        finally:
            server.terminate()
            server.wait()


async def with_server(readers: list[Reader]) -> dict[str, Any]:
    """Wait until the server answers, then measure."""
    for _ in range(200):
        try:
            await get("/probe")
        except OSError:
            await asyncio.sleep(0.1)
        else:
            break
    return await measure(readers)


if __name__ == "__main__":
    main()
