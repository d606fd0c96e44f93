"""The running text as a row: what streams in other processes read, and what an abort keeps."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import django.db
from django.db import transaction
from django.utils import timezone

from apps.events import hints
from apps.events.catalogue import RESTS
from apps.events.live import RunningText
from apps.events.models import Event, PartialText, Stream

logger = logging.getLogger(__name__)

WRITE_SECONDS = 0.3
RunInDatabase = Callable[[Callable[[], bool]], Awaitable[bool]]
"""Runs a plain function on a thread that may use the database."""


class PartialWriter:
    """Write the text of one round into its row: at most every 0.3 s, and what came after the last write as well.

    Call `touch` after each change of the text, and await `close` before the transaction that stores the turn:
    a write still under way would bring the row back. A round shorter than 0.3 s writes nothing.
    """

    def __init__(self, session: int, text: RunningText, run_in_db: RunInDatabase) -> None:
        self._session, self._text, self._run_in_db = session, text, run_in_db
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[None] | None = None
        self.is_written = False
        self._is_news = self._is_closed = False

    def touch(self) -> None:
        """Say that there is more than is written."""
        self._is_news = True
        if self._timer is None and self._writing is None and not self._is_closed:
            self._timer = asyncio.get_running_loop().call_later(WRITE_SECONDS, self._start)

    async def close(self) -> None:
        """Write no more; return when no write is under way."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._writing is not None:
            # Not awaited itself: the caller's cancellation must not cancel a write that is on its thread already.
            await asyncio.wait([self._writing])

    def _start(self) -> None:
        self._timer, self._is_news = None, False
        self._writing = asyncio.get_running_loop().create_task(self._write())

    async def _write(self) -> None:
        write = rewrite if self.is_written else write_first
        try:
            self.is_written = await self._run_in_db(partial(write, self._session, replace(self._text)))
            # The run has been ended, its text kept with it: there is nothing left to write.
            self._is_closed |= not self.is_written
        except django.db.Error as error:
            logger.warning("A running text was not written: %s", type(error).__name__)
        self._writing = None
        if self._is_news:
            self.touch()


def write_first(session: int, text: RunningText) -> bool:
    """Make the row, in place of one left by an earlier round; return False, and make none, if the run is at rest.

    The lock on the session's counter lets no event pass by: an abort is either seen here or drops the row.
    """
    with transaction.atomic():
        stream = Stream.objects.select_for_update().filter(pk=session).first()
        if stream is None or _is_at_rest(session, text.run):
            return False
        values = {"run": text.run, "message_id": text.message_id, "after_seq": stream.last_seq, **_contents(text)}
        row = PartialText(session=session, **values)
        PartialText.objects.bulk_create([row], update_conflicts=True, unique_fields=["session"], update_fields=list(values))
        hints.announce(hints.text_topic(session))
        return True


def _is_at_rest(session: int, run: int) -> bool:
    turns = Event.objects.filter(session=session, run=run, kind__in=("run_started", "run_resumed", *RESTS))
    return turns.order_by("-seq").values_list("kind", flat=True).first() in RESTS


def rewrite(session: int, text: RunningText) -> bool:
    """Write the text into the round's row; say whether the row was still there."""
    rows = PartialText.objects.filter(pk=session, message_id=text.message_id)
    is_there = rows.update(**_contents(text)) == 1
    if is_there:
        hints.announce(hints.text_topic(session))
    return is_there


def _contents(text: RunningText) -> dict[str, Any]:
    return {"text": text.text, "generation": text.generation, "updated_at": timezone.now()}


def read(session: int) -> RunningText | None:
    """Return the running text of a session from its row; None if no round is writing one.

    A row that a dead worker left counts no more once anything has followed in its run.
    """
    row = PartialText.objects.filter(pk=session).first()
    if row is None or Event.objects.filter(session=session, seq__gt=row.after_seq, run=row.run).exists():
        return None
    return RunningText(row.run, row.message_id, row.text, row.generation)


def drop(session: int) -> None:
    """Delete the row, in the transaction that stores the turn or ends the run."""
    PartialText.objects.filter(pk=session).delete()
