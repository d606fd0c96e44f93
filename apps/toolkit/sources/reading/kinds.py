"""What kind of file it is: by its first bytes; a name only tells texts apart, and must not contradict."""

import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from apps.toolkit.sources.reading.refusals import CannotRead

PDF, HTML, MARKDOWN, PLAIN = "application/pdf", "text/html", "text/markdown", "text/plain"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
PICTURES: Mapping[str, tuple[bytes, int]] = {
    "image/png": (b"\x89PNG\r\n\x1a\n", 0),
    "image/jpeg": (b"\xff\xd8\xff", 0),
    "image/gif": (b"GIF8", 0),
    "image/webp": (b"WEBP", 8),
}
_OF_ENDING = {
    ".pdf": PDF,
    ".docx": DOCX,
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".html": HTML,
    ".htm": HTML,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
}
_TEXTS = (HTML, MARKDOWN, PLAIN)
_BEGINNING = 1024


def kind_of(path: Path, name: str) -> str:
    """Return the media type of a file. Raises CannotRead if there is none that is taken in, or the name says another."""
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING)
    found, said = _by_content(path, beginning), _OF_ENDING.get(PurePosixPath(name).suffix.lower())
    if found is None:
        return _kind_of_text(beginning, said)
    if said not in (None, found):
        raise CannotRead("unsupported")
    return found


def _by_content(path: Path, beginning: bytes) -> str | None:
    """Return what the first bytes say; None: it may be a text."""
    if b"%PDF-" in beginning:
        return PDF
    if beginning.startswith(b"PK\x03\x04"):
        if _is_docx(path):
            return DOCX
        raise CannotRead("unsupported")
    return next((kind for kind, (mark, place) in PICTURES.items() if beginning[place:].startswith(mark)), None)


def _is_docx(path: Path) -> bool:
    try:
        with zipfile.ZipFile(path) as archive:
            return "word/document.xml" in archive.NameToInfo
    except zipfile.BadZipFile:
        raise CannotRead("unreadable") from None


def _kind_of_text(beginning: bytes, said: str | None) -> str:
    if said is not None and said not in _TEXTS:
        raise CannotRead("unsupported")
    start = beginning.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    is_page = start.startswith((b"<!doctype html", b"<html"))
    return HTML if is_page else said or PLAIN
