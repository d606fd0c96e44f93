"""Around each request: an id that follows it into headers and audit, and the language of its user."""

import re
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from asgiref.sync import iscoroutinefunction, markcoroutinefunction, sync_to_async
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_vary_headers

from apps.accounts.actors import actor_of
from apps.audit.context import acting, current
from apps.common.ids import EVENT_REQUEST, new_id

# Anything else in the header is dropped: a client's text must not stand in the audit.
_REQUEST_ID = re.compile(r"req_[0-9a-f]{32}")


class _Around:
    """A middleware that runs the rest of the request inside a context, under WSGI as under ASGI."""

    sync_capable = async_capable = True

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response
        self.is_async = iscoroutinefunction(get_response)
        if self.is_async:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> Any:
        """Return the response; on an event loop, what to await for it."""
        if self.is_async:
            return self._call_later(request)
        with self.context(request):
            return self.mark(self.get_response(request))

    async def _call_later(self, request: HttpRequest) -> HttpResponseBase:
        with await self.context_later(request):
            return self.mark(await self.get_response(request))

    def context(self, request: HttpRequest) -> AbstractContextManager[Any]:
        """Return the context in which the rest of the request runs."""
        raise NotImplementedError

    async def context_later(self, request: HttpRequest) -> AbstractContextManager[Any]:
        """Do the same on an event loop."""
        return self.context(request)

    def mark(self, response: HttpResponseBase) -> HttpResponseBase:
        """Put headers on the response; runs inside the context."""
        raise NotImplementedError


class RequestIdMiddleware(_Around):
    """Give the request an id, send it back as ``X-Request-Id``, and let audit records name it and the web user.

    A face that knows better (a bearer token, the admin site) wraps its own calls in `acting` again.
    """

    def context(self, request: HttpRequest) -> AbstractContextManager[Any]:
        """Say who acts; the user is asked for only if a record is written."""
        sent = request.headers.get("X-Request-Id", "")
        request_id = sent if _REQUEST_ID.fullmatch(sent) else new_id(EVENT_REQUEST)
        return acting(lambda: actor_of(request.user), "web", request_id)

    def mark(self, response: HttpResponseBase) -> HttpResponseBase:
        """Send the id back."""
        response["X-Request-Id"] = current().http_request
        return response


def language_of(request: HttpRequest) -> str:
    """Return the language code to answer in: the user's choice, else the cookie, else what the browser accepts."""
    chosen = getattr(request.user, "language", "")
    if chosen in dict(settings.LANGUAGES):
        return chosen
    return translation.get_language_from_request(request)


class UserLocaleMiddleware(_Around):
    """Answer each request in the language of its user; every kind of Chinese is answered in ours."""

    def context(self, request: HttpRequest) -> AbstractContextManager[Any]:
        """Switch the language for this request only; the next one on this thread starts afresh."""
        language = language_of(request)
        request.LANGUAGE_CODE = language
        return translation.override(language)

    async def context_later(self, request: HttpRequest) -> AbstractContextManager[Any]:
        """Ask for the user on a thread: it may cost a query."""
        return await sync_to_async(self.context)(request)

    def mark(self, response: HttpResponseBase) -> HttpResponseBase:
        """Name the language, and tell caches what it depends on."""
        response.setdefault("Content-Language", translation.get_language() or "")
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response
