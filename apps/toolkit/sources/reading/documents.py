"""PDF and DOCX."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from apps.toolkit.sources.reading.refusals import Bounds, CannotRead
from apps.toolkit.sources.reading.sections import Section

if TYPE_CHECKING:
    from docx.text.paragraph import Paragraph

UNPACKED_BYTES = 200 << 20
"""What a DOCX may come to when it is unpacked."""


def pdf(path: Path, bounds: Bounds) -> Iterator[Section]:
    """Yield the pages of a PDF."""
    from pypdf import PdfReader

    reader = PdfReader(path)
    if reader.is_encrypted and not reader.decrypt(""):
        raise CannotRead("encrypted")
    if len(reader.pages) > bounds.pages:
        raise CannotRead("too_long")
    for number, page in enumerate(reader.pages, 1):
        yield Section(page.extract_text(), page=number)


def docx(path: Path, bounds: Bounds) -> Iterator[Section]:
    """Yield the sections of a DOCX, one for each heading."""
    import docx

    _check_unpacked(path)
    heading, lines = "", [""]
    for block in docx.Document(str(path)).iter_inner_content():
        if isinstance(block, docx.table.Table):
            lines += [" | ".join(cell.text.strip() for cell in row.cells) for row in block.rows]
            continue
        if block.text.strip() and _is_heading(block):
            yield Section("\n\n".join(lines), heading)
            heading, lines = block.text, []
        lines.append(block.text)
    yield Section("\n\n".join(lines), heading)


def _is_heading(block: "Paragraph") -> bool:
    name = block.style.name if block.style is not None else ""
    return bool(name) and name.lower().startswith(("heading", "title", "标题"))


def _check_unpacked(path: Path) -> None:
    """Refuse a file that comes to too much; what it declares of itself is held to while it is unpacked."""
    with zipfile.ZipFile(path) as archive:
        if sum(each.file_size for each in archive.infolist()) > UNPACKED_BYTES:
            raise CannotRead("too_long")
        if any(each.flag_bits & 1 for each in archive.infolist()):
            raise CannotRead("encrypted")
