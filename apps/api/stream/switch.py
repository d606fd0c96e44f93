"""Which requests are answered by a stream; the Django application answers all others."""

import re

from apps.api.stream.accept import prefers_events, wants_events
from apps.api.stream.answers import Application, Receive, Scope, Send
from apps.api.stream.inbox import InboxStream
from apps.api.stream.run import RunStream
from apps.api.stream.session import SessionStream

_SESSION_EVENTS = re.compile(r"/api/sessions/([^/]+)/events")
_INBOX_EVENTS = "/api/inbox/events"
_STREAMED_POSTS = frozenset({"/api/chat", "/api/chat/continue", "/api/chat/retry"})


class Switch:
    """The ASGI application: one consumer for each request that is a stream."""

    def __init__(self, django: Application) -> None:
        self._django = django

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand the request to whoever answers it."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close"})
            return
        consumer = self._consumer(scope) if scope["type"] == "http" else None
        await (consumer or self._django)(scope, receive, send)

    def _consumer(self, scope: Scope) -> Application | None:
        path = scope["path"]
        if scope["method"] == "POST" and path in _STREAMED_POSTS and wants_events(scope):
            return RunStream(self._django)
        if scope["method"] != "GET":
            return None
        if path == _INBOX_EVENTS:
            return InboxStream()
        found = _SESSION_EVENTS.fullmatch(path)
        return SessionStream(found[1]) if found and prefers_events(scope) else None
