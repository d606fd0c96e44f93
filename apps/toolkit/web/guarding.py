"""The guard: every connection is resolved, checked and made here, so that no second look-up can bring another address.

A name is resolved once for each connection. Unless every one of its addresses is on the internet there is none; else the
connection goes to an address that was checked. TLS still asks for the certificate of the name.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any

import httpcore

from apps.toolkit.web.addresses import is_public
from apps.toolkit.web.faults import NotPublic, WebFault

PORTS = (80, 443)

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Host and port -> its addresses. Raises OSError."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return all addresses of a host, as the system knows them: short, hexadecimal and decimal forms too."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Connects to the internet only."""

    def __init__(
        self,
        resolver: Resolve = resolve,
        inner: httpcore.AsyncNetworkBackend | None = None,
        is_allowed: Callable[[str], bool] = is_public,
    ) -> None:
        self._resolve, self._inner, self._is_allowed = resolver, inner or httpcore.AnyIOBackend(), is_allowed

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to the first of the host's addresses that answers. Raises NotPublic, WebFault, httpcore's errors."""
        if port not in PORTS:
            raise NotPublic
        addresses = await self._addresses(host, port)
        for address in addresses[:-1]:
            try:
                return await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                continue
        return await self._inner.connect_tcp(addresses[-1], port, timeout, local_address, socket_options)

    async def _addresses(self, host: str, port: int) -> Sequence[str]:
        try:
            found = await self._resolve(host, port)
        except (OSError, UnicodeError):
            raise WebFault("no_host") from None
        if not found:
            raise WebFault("no_host")
        # One address inside is enough to refuse: which one would be taken is not for the other side to choose.
        if not all(map(self._is_allowed, found)):
            raise NotPublic
        return found

    async def connect_unix_socket(self, *args: Any, **options: Any) -> httpcore.AsyncNetworkStream:
        """Refuse: sockets of the machine are no internet."""
        raise NotPublic

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await self._inner.sleep(seconds)
