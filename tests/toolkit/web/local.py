"""A web server of the tests, and the way to it: names answer with documentation addresses, connections end here."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpcore

from apps.toolkit.web.addresses import is_public
from apps.toolkit.web.fetching import Fetcher
from apps.toolkit.web.guarding import GuardedBackend

PUBLIC = "192.0.2.7"
"""Stands for an address on the internet: one for documentation, which nobody has."""

Answers = Mapping[str, bytes]


def answer(body: bytes = b"", *headers: str, status: str = "200 OK", type: str = "text/html") -> bytes:
    """Return a whole HTTP answer."""
    head = [f"HTTP/1.1 {status}", f"Content-Type: {type}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*head, "", ""]).encode() + body


@dataclass
class Local(httpcore.AsyncNetworkBackend):
    """Connects to the test's server whatever address is asked for, and remembers which it was."""

    port: int
    asked: list[tuple[str, int]] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    real: Any = field(default_factory=httpcore.AnyIOBackend)

    async def connect_tcp(self, host: str, port: int, *args: Any, **options: Any) -> httpcore.AsyncNetworkStream:
        """Connect to the server."""
        self.asked.append((host, port))
        stream: httpcore.AsyncNetworkStream = await self.real.connect_tcp("127.0.0.1", self.port)
        return stream


@asynccontextmanager
async def serving(answers: Answers) -> AsyncIterator[Local]:
    """Serve these answers by path; below ``hang`` nothing more is sent until the other side leaves."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        local.requests.append(head)
        path = head.split(" ")[1]
        writer.write(answers.get(path, answer(status="404 Not Found")))
        if path.endswith("hang"):
            await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    local = Local(server.sockets[0].getsockname()[1])
    async with server:
        yield local


def resolving(*answers: Sequence[str]) -> Any:
    """Return a resolver that gives these answers, one a look-up; the last one for all that follow."""
    left = list(answers)

    async def resolver(host: str, port: int) -> Sequence[str]:
        return left.pop(0) if len(left) > 1 else left[0]

    return resolver


def fetcher(local: Local, *answers: Sequence[str]) -> Fetcher:
    """Return a fetcher whose every name has these addresses, and for which PUBLIC is on the internet."""
    guard = GuardedBackend(resolving(*(answers or ([PUBLIC],))), local, lambda each: each == PUBLIC or is_public(each))
    return Fetcher(guard)
