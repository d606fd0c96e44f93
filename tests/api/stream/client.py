"""A client of the ASGI application, in the same process."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from apps.api.stream.answers import Application
from tests.support.sse import Event, Parser


async def no_django(scope: Any, receive: Any, send: Any) -> None:
    """Stand for the Django application where a request must not reach it."""
    raise AssertionError(f"{scope['method']} {scope['path']} went to Django")


def http_scope(method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
    address, _, query = path.partition("?")
    sent = {"host": "localhost", **{name.lower(): value for name, value in headers.items()}}
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": address,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
        "server": ("localhost", 80),
    }


class Exchange:
    """One request and what has come of its answer."""

    def __init__(self) -> None:
        self.status, self.headers, self.body = 0, dict[str, str](), b""
        self.ended = False
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.task: asyncio.Future[None] | None = None
        self._parser, self._news = Parser(), asyncio.Event()

    def kill(self) -> None:
        """End the application's task, as a server does that stops."""
        assert self.task is not None
        self.task.cancel()

    async def send(self, message: Mapping[str, Any]) -> None:
        """Take what the application sends, as a server does."""
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.decode().lower(): value.decode() for name, value in message["headers"]}
        else:
            self.body += message["body"]
            self._parser.feed(message["body"])
            self.ended = not message.get("more_body")
            if self.ended:
                self.received.put_nowait({"type": "http.disconnect"})
        self.wake()

    def wake(self) -> None:
        """Look again at what is waited for."""
        self._news.set()

    @property
    def events(self) -> list[Event]:
        return self._parser.events

    @property
    def comments(self) -> list[str]:
        return self._parser.comments

    @property
    def problem(self) -> Any:
        assert self.headers["content-type"] == "application/problem+json"
        return json.loads(self.body)

    async def until(self, there: Callable[["Exchange"], Any], seconds: float = 3) -> None:
        """Wait for something to be true of the answer. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while not there(self):
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def exchange(
    application: Application, path: str, *, method: str = "GET", body: bytes = b"", **headers: str
) -> AsyncIterator[Exchange]:
    """Send a request and wait for the head of its answer; leave at the end of the block."""
    made, scope = Exchange(), http_scope(method, path, {name.replace("_", "-"): value for name, value in headers.items()})
    task = made.task = asyncio.ensure_future(application(scope, made.received.get, made.send))
    task.add_done_callback(lambda _: made.wake())
    made.received.put_nowait({"type": "http.request", "body": body, "more_body": False})
    await made.until(lambda answer: answer.status or task.done())
    try:
        yield made
    finally:
        made.received.put_nowait({"type": "http.disconnect"})
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()
