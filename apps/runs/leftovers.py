"""Files that a tool wrote and no row names, because an abort or a kill came before its result was kept: they go.

A call has one folder. It is a leftover once the call has its one result, or can never run again, and no artifact is in it.

So do attached files without a row, which a kill left while they were read, or after their row had gone.
"""

import shutil
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from itertools import batched
from pathlib import Path

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from apps.chat.models import Run, ToolCall
from apps.runs.erasing import FOLDERS_AT_ONCE, workspace_of
from apps.toolkit.files.made import FOLDERS, folder_of
from apps.toolkit.models import Artifact, Source
from apps.toolkit.sources.files import folder_of as folder_of_sources

LOST_AFTER_SECONDS = 3600
"""No upload is at work for so long after its time to read is over."""

Place = tuple[str, str]
"""A session's public id and a folder in its workspace."""


def clear_leftovers(session_ids: Collection[str]) -> None:
    """Remove the leftovers of these sessions. What is at work there meanwhile is left alone.

    First the disk is looked at, then the calls without a result, then the artifacts: whatever a call does meanwhile, its
    folder is among those to be filled or among those that are named.
    """
    found = {place for session_id in session_ids for place in _folders(session_id)}
    if not found:
        return
    sessions = {session_id for session_id, _folder in found}
    to_be_filled = set(_to_be_filled(sessions))
    for session_id, folder in found - to_be_filled - set(_named(sessions)):
        shutil.rmtree(workspace_of(session_id) / folder, ignore_errors=True)


def clear_all_leftovers() -> None:
    """Remove the leftovers of every session: the net below what the workers do at once."""
    for folders in batched(workspace_of("").glob("*"), FOLDERS_AT_ONCE):
        clear_leftovers([folder.name for folder in folders])
        _clear_lost_sources([folder.name for folder in folders])


def _clear_lost_sources(session_ids: Collection[str]) -> None:
    """Remove the attached files of these sessions that have no row, except those that may be at work."""
    before = time.time() - settings.SOURCE_SECONDS - LOST_AFTER_SECONDS
    files = {path.name: path for session_id in session_ids for path in _inside(folder_of_sources(session_id))}
    for names in batched(files, FOLDERS_AT_ONCE):
        kept = set(Source.objects.filter(public_id__in=names).values_list("public_id", flat=True))
        for lost in set(names) - kept:
            _unlink_if_older(files[lost], before)


def _unlink_if_older(path: Path, moment: float) -> None:
    with suppress(OSError):  # it went meanwhile, or is a folder and so none of ours
        if path.lstat().st_mtime < moment:
            path.unlink()


def _folders(session_id: str) -> Iterator[Place]:
    for kind in set(FOLDERS.values()):
        for folder in _inside(workspace_of(session_id) / kind):
            yield session_id, f"{kind}/{folder.name}"


def _inside(folder: Path) -> Iterator[Path]:
    return folder.glob("*") if folder.is_dir() and not folder.is_symlink() else iter(())


def _to_be_filled(sessions: Collection[str]) -> Iterator[Place]:
    """Yield the folders of calls that are at work, or will run again if somebody tries their failed run again."""
    later = Run.objects.filter(session=OuterRef("run__session"), parent_call=None, pk__gt=OuterRef("run"))
    may_go_on = Q(run__status__in=Run.ACTIVE) | Q(~Exists(later), run__status=Run.Status.FAILED)
    calls = ToolCall.objects.filter(may_go_on, run__session__public_id__in=sessions, name__in=FOLDERS, result=None)
    for session_id, run_id, call_id, name in calls.values_list("run__session__public_id", "run__public_id", "call_id", "name"):
        yield session_id, folder_of(name, run_id, call_id)


def _named(sessions: Collection[str]) -> Iterator[Place]:
    rows = Artifact.objects.filter(call__run__session__public_id__in=sessions)
    yield from rows.values_list("call__run__session__public_id", "folder").distinct().order_by()
