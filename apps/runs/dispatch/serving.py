"""Keep an embedded runner at work: on the loop of a server, or alone in a process."""

import asyncio
import logging

from apps.runs.dispatch.embedded import Runner

RESTART_SECONDS = 1.0
logger = logging.getLogger(__name__)


async def drive_runs() -> None:
    """Drive queued runs until cancelled; in place of a runner that has fallen over comes a new one."""
    while True:
        try:
            await Runner().serve()
        except Exception as error:
            # The worker's edge: while the database is away there is nothing to drive, but it may come back.
            # The error's text may hold text of people, so only the types are logged.
            logger.error("the runner ended with %s; the next one starts in %g s", _types(error), RESTART_SECONDS)
        await asyncio.sleep(RESTART_SECONDS)


def _types(error: Exception) -> str:
    if isinstance(error, ExceptionGroup):
        return ", ".join(map(_types, error.exceptions))
    return type(error).__name__
