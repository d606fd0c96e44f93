"""One GET: time, size and types are limited, cookies and proxies are not there, nothing is decompressed."""

import asyncio
import ssl
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import httpcore

from apps.toolkit.web.faults import WebFault
from apps.toolkit.web.locating import host_of, request_url

SECONDS, PART_SECONDS, MOST_BYTES = 20.0, 10.0, 2 << 20
"""Of a whole request; of connecting, and between two pieces; of a body."""
_HEADERS = {"User-Agent": "Handraise", "Accept-Encoding": "identity", "Connection": "close"}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server sent. The names of its headers are in small letters; a redirect has no body."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    @property
    def type(self) -> str:
        """The type of the body, without parameters."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


async def get(address: str, backend: httpcore.AsyncNetworkBackend, types: Collection[str], *, seconds: float = SECONDS) -> Answer:
    """Fetch an address in the form of `located`. Raises WebFault."""
    try:
        async with asyncio.timeout(seconds):
            return await _get(address, backend, types)
    except (TimeoutError, httpcore.TimeoutException):
        raise WebFault("too_slow", seconds=seconds) from None
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol, OSError):
        raise WebFault("no_answer") from None


async def _get(address: str, backend: httpcore.AsyncNetworkBackend, types: Collection[str]) -> Answer:
    timeouts = dict.fromkeys(("connect", "read", "write", "pool"), PART_SECONDS)
    headers = [(name.encode(), value.encode()) for name, value in ({"Host": host_of(address)} | _HEADERS).items()]
    tls = await asyncio.to_thread(_tls)
    async with (
        # httpcore itself knows no proxies of the environment, no cookies and no redirects.
        httpcore.AsyncConnectionPool(ssl_context=tls, network_backend=backend, max_connections=1) as pool,
        pool.stream("GET", request_url(address), headers=headers, extensions={"timeout": timeouts}) as response,
    ):
        found = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers}
        answer = Answer(response.status, found, b"")
        if not 200 <= response.status < 300:
            return answer
        _check(answer, types)
        return Answer(response.status, found, await _body(response))


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Return what checks certificates. Reading them all takes a while: not for the event loop, and once is enough."""
    return httpcore.default_ssl_context()


def _check(answer: Answer, types: Collection[str]) -> None:
    if answer.headers.get("content-encoding", "identity").lower() != "identity":
        raise WebFault("encoded")
    if answer.type not in types:
        raise WebFault("bad_type", type=answer.type[:80] or "?")


async def _body(response: httpcore.Response) -> bytes:
    body = bytearray()
    async for piece in response.aiter_stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise WebFault("too_large", limit=MOST_BYTES >> 20)
    return bytes(body)
