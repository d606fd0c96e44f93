"""Whole answers: problems of our own, and those of the Django application, asked in the same process."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

from apps.api.errors import MEDIA_TYPE, Problem
from apps.common.text import compact_json

Headers = list[tuple[bytes, bytes]]
Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer over HTTP, ready to be sent."""

    status: int
    headers: Headers
    body: bytes

    def header(self, name: str) -> str | None:
        """Return the value of a header; None if it is not there."""
        wanted = name.lower().encode("ascii")
        return next((value.decode("latin-1") for key, value in self.headers if key.lower() == wanted), None)


def refusal(problem: Problem) -> Answer:
    """Return a problem as an answer: the same bytes as from every other door of the API."""
    headers = {"Content-Type": MEDIA_TYPE, **problem.all_headers}
    sent = [(name.encode("ascii"), value.encode("latin-1")) for name, value in headers.items()]
    return Answer(problem.status, sent, compact_json(problem.body).encode())


async def ask(application: Application, scope: Scope, body: bytes) -> Answer:
    """Hand a request to the application and collect its answer.

    The application is never told that the client has gone: what a request began is finished, read or not.
    """
    requests: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    sent: list[Message] = []

    async def receive() -> Message:
        if not requests:
            await asyncio.get_running_loop().create_future()
        return requests.pop()

    async def send(message: Message) -> None:
        sent.append(message)

    await application(scope, receive, send)
    start = next(message for message in sent if message["type"] == "http.response.start")
    parts = (message.get("body", b"") for message in sent if message["type"] == "http.response.body")
    return Answer(start["status"], list(start["headers"]), b"".join(parts))
