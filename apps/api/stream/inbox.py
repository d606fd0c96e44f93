"""GET /api/inbox/events: unnumbered hints for badges, how many questions wait and in which session that changed."""

from django.core.handlers.asgi import ASGIRequest

from apps.api.stream.consumer import StreamConsumer
from apps.api.stream.pump import Pump
from apps.api.stream.threads import threads
from apps.events import hints
from apps.events.frames import frame, wire_json
from apps.events.inbox import pending_count


class InboxStream(StreamConsumer):
    """One reader of what waits for its user. The first event tells the present count."""

    _subscription: hints.Subscription | None = None

    def __init__(self) -> None:
        super().__init__()
        self._pump = Pump(self._send_count, self.finish)
        self._sessions: dict[str, None] = {}
        self._count = -1

    async def serve(self, request: ASGIRequest, body: bytes) -> None:
        """Open the stream."""
        caller = await self.require_caller(request)
        self.take_slot()
        await self.open([])
        self._subscription = hints.subscribe(hints.user_topic(caller.user_id), self._on_news)
        self._pump.wake()

    def let_go(self) -> None:
        """Want no more hints."""
        super().let_go()
        self._pump.close()
        if self._subscription is not None:
            self._subscription.cancel()

    def _on_news(self, hint: hints.Hint) -> None:
        if hint.note:
            self._sessions[hint.note] = None
        self._pump.wake()

    async def _send_count(self) -> None:
        sessions, self._sessions = self._sessions, {}
        count = await threads(pending_count, self.caller.user_id)
        if sessions or count != self._count:
            self._count = count
            await self.write(b"".join(self._frame(session_id) for session_id in sessions or [None]))

    def _frame(self, session_id: str | None) -> bytes:
        return frame("pending", wire_json({"pending": self._count, "sessionId": session_id}))
