"""Read a file from a thread: a process of its own for each file, limited in time and memory, gone afterwards."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.common.errors import HandraiseError
from apps.sandbox.errors import OutOfMemory, SandboxError, TimedOut
from apps.sandbox.pool import WorkerPool
from apps.sandbox.worker import Limits
from apps.toolkit.sources.errors import (
    SourceEmpty,
    SourceEncrypted,
    SourceTooLong,
    SourceUnreadable,
    SourceUnsupported,
)
from apps.toolkit.sources.reading.sections import Section

_WORKER = "apps.toolkit.sources.reading.worker"
_LIMITS = Limits(memory_bytes=1 << 30, jobs=1, reply_bytes=32 << 20)
_TOO_LONG = {"status": "cannot", "reason": "too_long"}

_REFUSALS: dict[str, tuple[type[HandraiseError], str | Promise]] = {
    "unsupported": (
        SourceUnsupported,
        _("Its content is none of PDF, DOCX, Markdown, plain text, HTML, PNG, JPEG, GIF and WebP, or not what its name says."),
    ),
    "encrypted": (SourceEncrypted, _("It is protected by a password. Remove the protection and attach it again.")),
    "too_long": (
        SourceTooLong,
        _("It is too much to read: at most %(pages)d pages and %(characters)d characters. Attach a part of it."),
    ),
    "unreadable": (SourceUnreadable, _("It cannot be read; it seems to be broken.")),
    "empty": (SourceEmpty, _("There is no text in it. A scanned document needs text recognition first.")),
}


@dataclass(frozen=True, slots=True)
class Content:
    """What was read of a file."""

    kind: str
    parts: tuple[Section, ...]


def read_file(path: Path, name: str, seconds: float) -> Content:
    """Return the media type and the parts of a file that its user calls `name`.

    Raises SourceUnsupported, SourceEncrypted, SourceTooLong, SourceUnreadable, SourceEmpty.
    """
    job = {"path": str(path), "name": name, "pages": settings.SOURCE_PAGES, "characters": settings.SOURCE_CHARS}
    # A worker that answers at once could still beat a deadline that is over.
    outcome = asyncio.run(_outcome(job, seconds)) if seconds > 0 else _TOO_LONG
    if outcome["status"] == "cannot":
        raise _refusal(outcome["reason"])
    return Content(outcome["kind"], tuple(Section(*part) for part in outcome["parts"]))


async def _outcome(job: dict[str, Any], seconds: float) -> dict[str, Any]:
    """Run the job in a worker that ends with this loop."""
    pool = WorkerPool(_WORKER, size=1, limits=_LIMITS)
    try:
        return await pool.compute(job, seconds=seconds)
    except (TimedOut, OutOfMemory):
        return _TOO_LONG
    except SandboxError:
        # JobFailed: a parser met what it did not expect. WorkerFailed: it took the whole process down.
        return {"status": "cannot", "reason": "unreadable"}
    finally:
        await pool.close()


def _refusal(reason: str) -> HandraiseError:
    kind, words = _REFUSALS[reason]
    return kind(str(words) % {"pages": settings.SOURCE_PAGES, "characters": settings.SOURCE_CHARS})
