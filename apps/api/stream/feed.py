"""What one reader gets of a session: stored events after its cursor, and the text of the running round."""

from collections.abc import Awaitable, Callable, Sequence

from apps.api.stream.pump import Pump
from apps.api.stream.texts import TextFeed
from apps.api.stream.threads import threads
from apps.events import hints
from apps.events.read import WireEvent, read_page

Write = Callable[[bytes], Awaitable[None]]
Finish = Callable[[], Awaitable[None]]
IsLast = Callable[[WireEvent], bool]


def never(event: WireEvent) -> bool:
    """Say of every event that the stream goes on after it."""
    return False


class Feed:
    """Push the events after `cursor` as they come, until one was the last or the session is deleted.

    Nothing runs between two events. No piece of a message's text is sent after the message itself.
    """

    __slots__ = (
        "_cursor",
        "_finish",
        "_has_events",
        "_has_text",
        "_is_last",
        "_pump",
        "_session",
        "_subscriptions",
        "_texts",
        "_write",
    )

    def __init__(self, session: int, session_id: str, cursor: int, write: Write, finish: Finish, is_last: IsLast = never) -> None:
        self._session, self._cursor = session, cursor
        self._write, self._finish, self._is_last = write, finish, is_last
        self._has_events = self._has_text = True
        self._texts = TextFeed(session, session_id)
        self._pump = Pump(self._send_news, finish)
        # Subscribed before the first read: what is committed in between is told of.
        self._subscriptions = (
            hints.subscribe(hints.session_topic(session), self._on_events),
            hints.subscribe(hints.text_topic(session), self._on_text),
        )
        self._pump.wake()

    def close(self) -> None:
        """Push no more; may be called twice."""
        for subscription in self._subscriptions:
            subscription.cancel()
        self._pump.close()

    def _on_events(self, hint: hints.Hint) -> None:
        if hint.mark is None or hint.mark != self._cursor:
            self._has_events = True
            self._pump.wake()

    def _on_text(self, hint: hints.Hint) -> None:
        self._has_text = True
        self._pump.wake()

    async def _send_news(self) -> None:
        # The text that is being followed comes first: its last pieces belong before the event of its message.
        # The text of a later round comes last: the events in between belong before it.
        await self._write(await self._texts.rest())
        if self._has_events:
            self._has_events = False
            await self._send_events()
        if self._has_text:
            self._has_text = False
            await self._write(await self._texts.now())
        self._texts.joined()

    async def _send_events(self) -> None:
        while (page := await threads(read_page, self._session, self._cursor)) is not None:
            self._cursor = page.cursor
            if page.events and await self._send(page.events):
                return
            if self._cursor >= page.last_seq:
                return
        await self._finish()

    async def _send(self, events: Sequence[WireEvent]) -> bool:
        """Send events up to the last one of the stream; say whether that was among them."""
        ends = next((place for place, event in enumerate(events, 1) if self._is_last(event)), 0)
        sent = events[:ends] if ends else events
        self._cursor, self._texts.latest = sent[-1].seq, sent[-1].data["at"]
        for event in sent:
            if event.kind == "message":
                self._texts.stored(event.data["messageId"])
        await self._write(b"".join(event.frame for event in sent))
        if ends:
            await self._finish()
        return bool(ends)
