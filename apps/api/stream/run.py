"""POST with ``Accept: text/event-stream``: the Django application acts, then its run is streamed until it rests."""

import json
from functools import partial
from http import HTTPStatus

from django.core.handlers.asgi import ASGIRequest

from apps.api.stream.answers import Answer, Application, Headers, ask
from apps.api.stream.consumer import StreamConsumer
from apps.api.stream.doors import session_of
from apps.api.stream.feed import Feed
from apps.api.stream.threads import threads
from apps.events.catalogue import RESTS
from apps.events.read import WireEvent

SESSION, FIRST, LAST = "Handraise-Session", "Handraise-First-Seq", "Handraise-Last-Seq"
"""Headers by which the Django application says what to stream: the session, the number of the first event of its
transaction, and, if another question of the turn is still open, that of the last one."""


def rests(run_id: str, event: WireEvent) -> bool:
    """Say whether this run rests after the event."""
    return event.kind in RESTS and event.data["runId"] == run_id


def reaches(last: int, event: WireEvent) -> bool:
    """Say whether the event is the last one of a transaction."""
    return event.seq >= last


class RunStream(StreamConsumer):
    """The streamed form of chat, continue and retry."""

    scope_needed = ""  # the application has checked what this call needs
    _feed: Feed | None = None

    def __init__(self, application: Application) -> None:
        super().__init__()
        self._application = application

    async def serve(self, request: ASGIRequest, body: bytes) -> None:
        """Let the application act; relay any answer but a success that names its events, else stream them."""
        if await self.look_at_caller(request) is not None:
            self.take_slot()
        answer = await ask(self._application, {**self.scope, "headers": _for_json(self.scope["headers"])}, body)
        session_id, first = answer.header(SESSION), answer.header(FIRST)
        if not HTTPStatus(answer.status).is_success or session_id is None or first is None:
            await self.send_answer(answer)
            return
        await self._stream(session_id, int(first), answer)

    async def _stream(self, session_id: str, first: int, answer: Answer) -> None:
        session = await threads(session_of, self.caller.user_id, session_id)
        last = answer.header(LAST)
        is_last = partial(reaches, int(last)) if last else partial(rests, json.loads(answer.body)["runId"])
        await self.open(_kept(answer.headers))
        if session is None:
            # Deleted in this moment.
            await self.finish()
        else:
            self._feed = Feed(session, session_id, first - 1, self.write, self.finish, is_last)

    def let_go(self) -> None:
        """Stop the feed too."""
        super().let_go()
        if self._feed is not None:
            self._feed.close()


_NOT_HANDED_ON = frozenset({b"accept", b"accept-encoding"})


def _for_json(headers: Headers) -> Headers:
    """Return the request's headers, asking for plain JSON."""
    return [*((name, value) for name, value in headers if name not in _NOT_HANDED_ON), (b"accept", b"application/json")]


def _kept(headers: Headers) -> Headers:
    """Return the headers of the application's answer that hold for the stream too."""
    return [(name, value) for name, value in headers if name.lower().startswith((b"handraise-", b"x-request-id", b"set-cookie"))]
