"""The heartbeat of all streams of a process: one task, however many there are."""

import asyncio
import logging
import time
from collections.abc import Sequence
from typing import Protocol

import django.db

from apps.api.stream.doors import Caller, Credentials, caller_of
from apps.api.stream.limits import heartbeat_seconds
from apps.api.stream.threads import threads

logger = logging.getLogger(__name__)


class Member(Protocol):
    """A stream that is kept alive."""

    credentials: Credentials
    caller: Caller
    scope_needed: str
    """What a token must still be allowed; empty: nothing but to be valid."""

    async def beat(self) -> None:
        """Send a sign of life."""

    async def finish(self) -> None:
        """End the stream."""


class Pulse:
    """Send each stream a comment in time, and end those whose user may no longer read them.

    The looks at users and tokens of one tick go to the database together.
    """

    def __init__(self) -> None:
        self._due: dict[Member, float] = {}
        self._task: asyncio.Task[None] | None = None

    def join(self, member: Member) -> None:
        """Keep a stream alive from now on."""
        self._due[member] = time.monotonic() + heartbeat_seconds() - _tick()
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())

    def leave(self, member: Member) -> None:
        """Forget a stream; one that is not known is ignored."""
        self._due.pop(member, None)

    async def _run(self) -> None:
        while self._due:
            await asyncio.sleep(_tick())
            members = self._take_due()
            for member in members:
                await member.beat()
            await _end_refused(members)

    def _take_due(self) -> list[Member]:
        now = time.monotonic()
        due = [member for member, moment in self._due.items() if moment <= now]
        for member in due:
            self._due[member] = now + heartbeat_seconds() - _tick()
        return due


def _tick() -> float:
    return min(1.0, heartbeat_seconds() / 4)


async def _end_refused(members: list[Member]) -> None:
    try:
        refused = await threads(_refused, members)
    except django.db.Error as error:
        # Nobody is sent away because the database is: the next heartbeat looks again.
        logger.warning("Streams were not looked at: %s", type(error).__name__)
        return
    for member in refused:
        await member.finish()


def _refused(members: Sequence[Member]) -> list[Member]:
    # One look a token or cookie, however many streams it has open.
    callers = {credentials: caller_of(credentials) for credentials in {member.credentials for member in members}}
    return [member for member in members if not _is_still(member, callers[member.credentials])]


def _is_still(member: Member, caller: Caller | None) -> bool:
    return caller is not None and caller.user_id == member.caller.user_id and caller.may(member.scope_needed)


pulse = Pulse()
