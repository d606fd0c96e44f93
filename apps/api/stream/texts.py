"""The unnumbered part of a stream: the text of the running round, piece by piece."""

from collections.abc import Iterable
from datetime import UTC, datetime

from apps.api.stream.shown import Change, Shown
from apps.api.stream.threads import threads
from apps.common.clock import wire_time
from apps.events import live, partial
from apps.events.frames import frame, wire_json
from apps.events.live import RunningText
from apps.events.read import run_public_id


class TextFeed:
    """Follow the running text of a session for one reader: from memory if the round runs here, else from its row."""

    __slots__ = ("_run", "_run_id", "_session", "_session_id", "_shown", "_text", "latest")

    def __init__(self, session: int, session_id: str) -> None:
        self._session, self._session_id = session, session_id
        self._text: RunningText | None = None
        self._run = 0
        self._run_id: str | None = None
        self._shown = Shown()
        self.latest = ""
        """The time of the last stored event that was sent: times never go back."""

    def joined(self) -> None:
        """Say that the reader has caught up once."""
        self._shown.joined()

    def stored(self, message_id: str) -> None:
        """Say that the reader is sent the stored message now."""
        self._shown.stored(message_id)
        if self._text is not None and self._text.message_id == message_id:
            self._text = None

    async def rest(self) -> bytes:
        """Return what is still to be sent of the text that is followed, even if its round has just ended."""
        return b"" if self._text is None else await self._frames(self._text)

    async def now(self) -> bytes:
        """Return what is to be sent of the text that runs now."""
        self._text = live.current(self._session)
        text = self._text or await threads(partial.read, self._session)
        return b"" if text is None else await self._frames(text)

    async def _frames(self, text: RunningText) -> bytes:
        changes = self._shown.changes(text)
        if changes and self._run != text.run:
            self._run, self._run_id = text.run, await threads(run_public_id, text.run)
        return b"".join(self._as_sent(changes))

    def _as_sent(self, changes: Iterable[Change]) -> Iterable[bytes]:
        # Never later than a stored event that is on its way: times never go back.
        at = self.latest or wire_time(datetime.now(UTC))
        common = {"sessionId": self._session_id, "seq": None, "at": at, "runId": self._run_id}
        for change in changes:
            data = common | {"messageId": change.message_id, "text": change.text}
            yield frame(change.kind, wire_json(data))
