"""What one reader has been shown of the running text, and what it must be sent to show the text as it is now."""

from dataclasses import dataclass

from apps.events.live import RunningText


@dataclass(frozen=True, slots=True)
class Change:
    """A piece that is added to what is shown of a message, or (`replaces`) takes its place."""

    message_id: str
    text: str
    replaces: bool

    @property
    def kind(self) -> str:
        """The kind of its event."""
        return "message_snapshot" if self.replaces else "message_delta"


class Shown:
    """The position of one reader in the running text of a session."""

    __slots__ = ("_generation", "_is_joining", "_length", "_message_id", "_stored_id")

    def __init__(self) -> None:
        self._message_id = self._stored_id = ""
        self._generation = self._length = 0
        self._is_joining = True

    def joined(self) -> None:
        """Say that the reader has caught up once: what begins from now on it sees from its beginning."""
        self._is_joining = False

    def stored(self, message_id: str) -> None:
        """Say that the reader has been sent the stored message: nothing of its running text is sent any more."""
        self._stored_id = message_id
        if self._message_id == message_id:
            self._message_id, self._length = "", 0

    def changes(self, text: RunningText) -> list[Change]:
        """Return what the reader must be sent, and take it as sent."""
        if text.message_id == self._stored_id:
            return []
        if text.message_id != self._message_id:
            return self._begin(text)
        if text.generation != self._generation:
            self._move_to(text)
            return [Change(text.message_id, text.text, replaces=True)]
        more = text.text[self._length :]
        self._length += len(more)
        return [Change(text.message_id, more, replaces=False)] if more else []

    def _begin(self, text: RunningText) -> list[Change]:
        # A text that was shown and never stored is taken back: its round was given up, or begun anew by another worker.
        given_up = [Change(self._message_id, "", replaces=True)] if self._length else []
        self._move_to(text)
        if not text.text:
            return given_up
        return [*given_up, Change(text.message_id, text.text, replaces=self._is_joining or bool(given_up))]

    def _move_to(self, text: RunningText) -> None:
        self._message_id, self._generation, self._length = text.message_id, text.generation, len(text.text)
