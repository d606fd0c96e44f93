"""One set of connections for each event loop, closed when the loop is."""

import asyncio
from collections.abc import AsyncGenerator
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.providers.openai_compatible.transport import Transport


class Connections:
    """Opens a transport at a loop's first request. Connections must never be used from another loop."""

    def __init__(self, base_url: str, api_key: str, silence_seconds: float) -> None:
        self._settings = (base_url, api_key, silence_seconds)
        self._open: dict[asyncio.AbstractEventLoop, tuple[Transport, AsyncGenerator[None]]] = {}

    async def transport(self) -> "Transport":
        """Return the running loop's transport."""
        loop = asyncio.get_running_loop()
        if loop not in self._open:
            self._forget_closed_loops()
            transport = await asyncio.to_thread(self._new_transport)
            kept, life = self._open.setdefault(loop, (transport, self._until_loop_ends(loop, transport)))
            if kept is transport:
                await anext(life)
            else:
                # Two requests came at once; the first one's transport stands.
                await transport.close()
        return self._open[loop][0]

    async def close(self) -> None:
        """Close the running loop's connections, if it has any."""
        if kept := self._open.get(asyncio.get_running_loop()):
            await kept[1].aclose()

    def _new_transport(self) -> "Transport":
        # In a thread: importing the SDK takes a second, and its certificates a tenth.
        module = import_module("apps.providers.openai_compatible.transport")
        transport: Transport = module.Transport(*self._settings)
        return transport

    async def _until_loop_ends(self, loop: asyncio.AbstractEventLoop, transport: "Transport") -> AsyncGenerator[None]:
        """Stay suspended: a loop that shuts down ends its asynchronous generators, and this one closes the transport."""
        try:
            yield
        finally:
            self._open.pop(loop, None)
            await transport.close()

    def _forget_closed_loops(self) -> None:
        for loop in [loop for loop in self._open if loop.is_closed()]:
            del self._open[loop]
