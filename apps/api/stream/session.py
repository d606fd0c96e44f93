"""GET /api/sessions/{id}/events: a session's stream; it stays open over runs."""

import re

from django.core.handlers.asgi import ASGIRequest
from django.utils.translation import gettext as _

from apps.api.errors import Problem
from apps.api.stream.consumer import Refused, StreamConsumer
from apps.api.stream.doors import session_of
from apps.api.stream.feed import Feed
from apps.api.stream.threads import threads

_NUMBER = re.compile(r"[0-9]{1,18}")


def cursor_of(request: ASGIRequest) -> int:
    """Return the number after which the reader wants events. What is no number is taken as not sent."""
    for text in (request.headers.get("Last-Event-ID", ""), request.GET.get("after", "")):
        if _NUMBER.fullmatch(text.strip()):
            return int(text)
    return 0


class SessionStream(StreamConsumer):
    """One reader of one session."""

    _feed: Feed | None = None

    def __init__(self, session_id: str) -> None:
        super().__init__()
        self._session_id = session_id

    async def serve(self, request: ASGIRequest, body: bytes) -> None:
        """Open the stream if the session is the caller's; a stranger's is answered as an unknown one."""
        caller = await self.require_caller(request)
        session = await threads(session_of, caller.user_id, self._session_id)
        if session is None:
            raise Refused(Problem("not_found", _("There is no such session.")))
        self.take_slot()
        await self.open([])
        self._feed = Feed(session, self._session_id, cursor_of(request), self.write, self.finish)

    def let_go(self) -> None:
        """Stop the feed too."""
        super().let_go()
        if self._feed is not None:
            self._feed.close()
