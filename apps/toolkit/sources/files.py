"""Where the attached files lie: in the session's workspace, under their ids; no name of a person is a name on the disk."""

import hashlib
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from django.conf import settings
from django.utils.translation import gettext as _

from apps.common.text import clean_shown
from apps.toolkit.sources.errors import SourceTooLarge

MAX_NAME = 200


class Written(NamedTuple):
    """What was written."""

    size: int
    sha256: str


def folder_of(session_id: str) -> Path:
    """Return where the files of a session's sources lie."""
    return Path(settings.DATA_DIR) / "workspaces" / session_id / "sources"


def path_of(session_id: str, source_id: str) -> Path:
    """Return where the file of a source lies."""
    return folder_of(session_id) / source_id


def write(path: Path, chunks: Iterable[bytes]) -> Written:
    """Write a file piece by piece, for its owner's eyes only. Raises SourceTooLarge."""
    digest, size = hashlib.sha256(), 0
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600, exist_ok=False)
    with path.open("wb") as file:
        for chunk in chunks:
            size += len(chunk)
            if size > settings.SOURCE_BYTES:
                raise too_large()
            digest.update(chunk)
            file.write(chunk)
    return Written(size, digest.hexdigest())


def too_large() -> SourceTooLarge:
    """Return the refusal of files that are too large."""
    megabytes = settings.SOURCE_BYTES >> 20
    return SourceTooLarge(_("The files are larger than %(limit)d MB together.") % {"limit": megabytes})


def shown_name(given: str) -> str:
    """Return a name as it is shown: the last part of what looks like a path, in one line, with its ending if it is cut."""
    name = " ".join(clean_shown(given).replace("\\", "/").rpartition("/")[2].split())
    ending = PurePosixPath(name).suffix[:20]
    return (name if len(name) <= MAX_NAME else name[: MAX_NAME - len(ending)] + ending) or "file"
