"""Daphne with a runner on its event loop: web, API, streams and runs in one process.

One loop, because a hint that crosses from another thread's loop would arrive late; and the runner starts when the
loop is chosen, because a task made earlier would wait on a loop that never runs.
"""

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from typing import Any

# Daphne chooses Twisted's reactor, so it comes before anything else of Twisted.
from daphne.server import Server as DaphneServer  # isort: skip
from daphne.endpoints import build_endpoint_description_strings
from twisted.internet.defer import Deferred

from apps.runs.dispatch.serving import drive_runs

STOP_SECONDS = 3.0
"""How long requests, streams and runs get to end by themselves once the server stops."""
LIMIT_SECONDS = 4.5
"""After this the process ends whatever still runs: all that counts is in the database."""
SWITCH_SECONDS = 0.0005
"""How long a thread keeps the interpreter while others want it. An answer crosses four threads on its way to the first
event; with Python's 5 ms each crossing may wait that long for a run at work."""


class Server(DaphneServer):
    """Serve an ASGI application and drive runs until Ctrl-C or SIGTERM; streams may be open then."""

    def __init__(self, application: Any, host: str, port: int, on_ready: Callable[[int], None]) -> None:
        """`on_ready` is called with the port once the server listens. An `http_timeout` would cut streams: none is set."""
        endpoints = build_endpoint_description_strings(host=host, port=port)
        super().__init__(application, endpoints=endpoints, server_name="Handraise", ready_callable=self._start)
        self.could_listen = True
        self._on_ready = on_ready
        self._runner: asyncio.Task[None] | None = None

    def run(self) -> None:
        """Serve until the end."""
        sys.setswitchinterval(SWITCH_SECONDS)
        super().run()

    def _start(self) -> None:
        self._runner = asyncio.get_event_loop().create_task(drive_runs(), name="runner")
        self._on_ready(self.listening_addresses[0][1])

    def listen_error(self, failure: Any) -> None:
        """Remember that somebody else has the port; whoever started the server says so."""
        self.could_listen = False
        self.stop()

    def kill_all_applications(self) -> Deferred[object]:
        """End requests, streams and the runner; Twisted waits for it before it stops the loop."""
        _end_process_after(LIMIT_SECONDS)
        return Deferred.fromFuture(asyncio.ensure_future(self._wind_down()))

    async def _wind_down(self) -> None:
        # A kept-alive connection between two requests has no application.
        running = [details.get("application_instance") for details in self.connections.values()]
        tasks = [task for task in (self._runner, *running) if task is not None and not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=STOP_SECONDS)


def _end_process_after(seconds: float) -> None:
    timer = threading.Timer(seconds, os._exit, [0])
    timer.daemon = True
    timer.start()
