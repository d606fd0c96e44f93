"""Django's ASGI handler, with the whole of a request in one thread of a small pool.

Django's own handler runs views and middleware of the usual, synchronous kind through two hops between threads each, in
a thread that is made for the request, on a database connection that is opened for it. Here a request takes one hop, and
threads and connections are few and kept: as many as the pool has, whatever the number of requests.
"""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

THREADS = 8
"""Also the number of database connections that requests may hold."""

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class PooledHandler(ASGIHandler):
    """Answer a request in a thread of the pool, middleware, view and all; the event loop only reads and sends."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="request")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read the request, have it answered, send the answer, clean up after it."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        context = contextvars.copy_context()  # language and whoever acts are this request's alone
        try:
            response = await self._in_pool(context, self._answer, scope, body)
            await self.send_response(response, send)
            await self._in_pool(context, response.close)
        finally:
            body.close()

    async def _in_pool[T](self, context: contextvars.Context, work: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._pool, lambda: context.run(work, *args))

    def _answer(self, scope: Scope, body: IO[bytes]) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refusal = self.create_request(scope, body)
        response: HttpResponseBase = refusal or HttpResponse() if request is None else self.get_response(request)
        response._handler_class = self.__class__  # type: ignore[attr-defined]
        return response
