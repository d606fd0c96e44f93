"""Drive one claimed run: load its rows, let the loop work, commit what it makes."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from django.db import DatabaseError, transaction

from apps.agent.consulting import lend
from apps.agent.loop import drive
from apps.agent.messages import Entry
from apps.agent.model import Model
from apps.agent.steps import Fail, Step
from apps.agent.words import say
from apps.chat.models import new_message_id
from apps.common.ids import CALL, new_id
from apps.events import live
from apps.events.partial import PartialWriter
from apps.runs.delegated import NAME, tools_of_child
from apps.runs.delegating import Child, Delegate, Ended, Task, final_text, take_child
from apps.runs.dispatch.threads import DatabaseThreads
from apps.runs.errors import NotResumable
from apps.runs.leftovers import clear_leftovers
from apps.runs.loading import Loaded, load
from apps.runs.machine import FenceLost
from apps.runs.segments import Claimed
from apps.runs.storing import Segmented, store

logger = logging.getLogger(__name__)


class SegmentJournal:
    """The journal of one segment: commits in the database threads, text pieces through the live registry."""

    def __init__(self, segment: Segmented, threads: DatabaseThreads) -> None:
        self._segment, self._threads = segment, threads
        self._session = segment.run.session_id
        self._message_id, self._prefix = new_message_id(), ""
        self._row: PartialWriter | None = None

    async def commit(self, entries: Sequence[Entry], following: Step) -> None:
        """Store entries and what follows in one transaction. Raises FenceLost."""
        has_partial = await self.close()
        await self._threads(store, self._segment, entries, following, self._message_id, has_partial)

    def begin_text(self, prefix: str) -> None:
        """Announce a round's text under a message id of its own."""
        self._message_id, self._prefix = new_message_id(), prefix
        text = live.begin(self._session, self._segment.run.pk, self._message_id, prefix)
        self._row = PartialWriter(self._session, text, self._threads)

    def more_text(self, text: str) -> None:
        """Pass a piece on."""
        live.delta(self._session, text)
        if self._row:
            self._row.touch()

    def restart_text(self) -> None:
        """Forget the pieces so far."""
        live.restart(self._session)
        if self._prefix:
            live.delta(self._session, self._prefix)

    def new_call_id(self) -> str:
        """Return a fresh id for a call."""
        return new_id(CALL)

    async def close(self) -> bool:
        """Pass no more pieces on; return, when no write of them is under way, whether any was written."""
        row, self._row = self._row, None
        if row is None:
            return False
        live.end(self._session)
        await row.close()
        return row.is_written


async def execute(claimed: Claimed, model: Model, threads: DatabaseThreads) -> Step | None:
    """Drive the run until it rests; return the step it rests on.

    None: the fence was lost, the run is somebody else's or cancelled, and the segment ends quietly.
    """
    try:
        return await _drive(await threads(load, claimed.run, claimed.fence), model, threads)
    except FenceLost:
        logger.info("run %s is no longer held by segment %d", claimed.run.public_id, claimed.fence)
        await _clear_away(claimed, threads)
        return None
    except asyncio.CancelledError:
        await _clear_away(claimed, threads)
        raise
    except NotResumable:
        return await _fail(claimed, Fail("not_resumable", say("not_resumable", claimed.run.language)), threads)
    except Exception as error:
        # The worker's edge: a fault of ours ends this run with a stated reason, never the worker. Its text may hold
        # what people wrote, so only its type and place are logged.
        logger.error("run %s ended by %s at %s", claimed.run.public_id, type(error).__name__, _place(error))
        return await _fail(claimed, Fail("internal", say("internal", claimed.run.language), retryable=True), threads)


async def _clear_away(claimed: Claimed, threads: DatabaseThreads) -> None:
    """Remove what a tool has written whose result nobody keeps any more; what cannot be removed now goes in the night."""
    with suppress(DatabaseError, OSError):
        await threads(clear_leftovers, [claimed.run.session.public_id])


async def _drive(loaded: Loaded, model: Model, threads: DatabaseThreads) -> Step:
    journal = SegmentJournal(loaded.segment, threads)
    loaded.state.toolbox = lend(loaded.state.toolbox, model, loaded.sampling)
    _let_delegate(loaded, model, threads)
    try:
        context = replace(loaded.context, in_database=threads)
        return await drive(loaded.state, journal, model, loaded.sampling, context)
    finally:
        await journal.close()


class _QuietJournal(SegmentJournal):
    """The journal of a delegated run: a session shows one running text, and that is its parent's."""

    def begin_text(self, prefix: str) -> None:
        """Give the round's text an id."""
        self._message_id = new_message_id()

    def more_text(self, text: str) -> None:
        """Show nothing."""

    def restart_text(self) -> None:
        """Show nothing."""


def _let_delegate(loaded: Loaded, model: Model, threads: DatabaseThreads) -> None:
    """Give the run's tool `delegate` what it needs to drive delegated runs: this very segment."""
    box, segment = loaded.state.toolbox, loaded.segment
    if NAME not in box.tools:
        return

    async def drive_child(call_id: str, task: Task) -> Ended:
        child = await threads(take_child, segment.run, segment.fence, call_id, task)
        try:
            return await drive_to_its_end(child)
        except FenceLost:
            raise
        except Exception:
            # A fault of ours is told to the parent as the tool's failure; the delegated run must not go on by itself.
            failure = Fail("internal", say("internal", child.run.language))
            await threads(fail, Claimed(child.run, child.fence), failure)
            raise

    async def drive_to_its_end(child: Child) -> Ended:
        of_child = await threads(load, child.run, child.fence)
        if not child.is_over:
            journal = _QuietJournal(of_child.segment, threads)
            of_child.state.toolbox = lend(of_child.state.toolbox, model, of_child.sampling)
            context = replace(of_child.context, in_database=threads)
            await drive(of_child.state, journal, model, of_child.sampling, context)
            await threads(child.run.refresh_from_db)
        return Ended(child.run, of_child.state, await threads(final_text, child.run))

    own = tools_of_child(box, loaded.state.policies, None)
    available = [name for name in own.tools if name not in own.unlisted]
    loaded.state.toolbox = replace(box, tools={**box.tools, NAME: Delegate(drive_child, available)})


async def _fail(claimed: Claimed, failure: Fail, threads: DatabaseThreads) -> Fail:
    await threads(fail, claimed, failure)
    return failure


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else "?"


def fail(claimed: Claimed, failure: Fail) -> None:
    """End the run badly, every call closed."""
    try:
        with transaction.atomic():
            store(Segmented(claimed.run, claimed.fence), (), failure, "")
    except FenceLost:
        logger.info("run %s had ended already", claimed.run.public_id)
