"""GET /api/inbox/events: unnumbered hints for badges, how many questions wait and in which session that changed."""

from collections.abc import Mapping, Sequence

from django.core.handlers.asgi import ASGIRequest
from django.db.models import Count

from apps.api.stream.consumer import StreamConsumer
from apps.api.stream.pump import Pump
from apps.api.stream.threads import threads
from apps.events import hints, net
from apps.events.frames import frame, wire_json
from apps.interactions.models import Interaction


def pending_counts(users: Sequence[int]) -> Mapping[int, int]:
    """Count the questions that wait at this moment, for any number of users in one query; no entry: none."""
    rows = Interaction.objects.filter(user__in=users).open_now()
    return dict(rows.order_by().values_list("user").annotate(Count("pk")))


net.register("user", pending_counts)


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
        counts = await threads(pending_counts, [self.caller.user_id])
        count = counts.get(self.caller.user_id, 0)
        if sessions or count != self._count:
            self._count = count
            await self.write(b"".join(self._frame(session_id) for session_id in sessions or [None]))

    def _frame(self, session_id: str | None) -> bytes:
        return frame("pending", wire_json({"pending": self._count, "sessionId": session_id}))
