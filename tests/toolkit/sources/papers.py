"""Files to attach, made here: good ones of every kind, and bad ones."""

import io
import zipfile
from collections.abc import Iterable, Sequence

import docx
from pypdf import PdfReader, PdfWriter
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfgen.canvas import Canvas

from apps.chat.models import ChatSession
from apps.toolkit.models import Source
from apps.toolkit.sources.keeping import keep, taken

MARKDOWN = "# Warranty\n\nThe warranty of the pump lasts 24 months.\n\n## Exceptions\n\nSeals are not covered.\n"
PICTURE = b"\x89PNG\r\n\x1a\n" + b"\0" * 40


class File:
    """A file as a face hands it over."""

    def __init__(self, name: str, content: bytes | str) -> None:
        self.name, self.content = name, content.encode() if isinstance(content, str) else content

    def chunks(self) -> Iterable[bytes]:
        """Return the content in pieces."""
        for start in range(0, len(self.content), 7000):
            yield self.content[start : start + 7000]


def attached(session: ChatSession, *files: File) -> list[Source]:
    """Attach files; return their rows."""
    with taken(session, files) as read:
        return keep(session, read)


def pdf(*pages: str) -> bytes:
    """Return a PDF with a line of text on each page."""
    registerFont(UnicodeCIDFont("STSong-Light"))
    buffer = io.BytesIO()
    canvas = Canvas(buffer)
    for page in pages:
        canvas.setFont("STSong-Light", 14)
        canvas.drawString(72, 700, page)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def locked_pdf() -> bytes:
    """Return a PDF that asks for a password."""
    writer, buffer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf("secret")))), io.BytesIO()
    writer.encrypt("open sesame", algorithm="AES-256")
    writer.write(buffer)
    return buffer.getvalue()


def word(*blocks: tuple[str, str] | Sequence[Sequence[str]]) -> bytes:
    """Return a DOCX: a block is a style and a text, or a table."""
    document, buffer = docx.Document(), io.BytesIO()
    for block in blocks:
        if isinstance(block, tuple):
            style, text = block
            document.add_paragraph(text, style=style)
            continue
        table = document.add_table(rows=len(block), cols=len(block[0]))
        for row, cells in zip(table.rows, block, strict=True):
            for cell, text in zip(row.cells, cells, strict=True):
                cell.text = text
    document.save(buffer)
    return buffer.getvalue()


def bomb() -> bytes:
    """Return a DOCX of a few hundred kilobytes that comes to hundreds of megabytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"<w:document>")
        with archive.open("word/media/zeros.bin", "w") as member:
            for _mebibyte in range(220):
                member.write(bytes(1 << 20))
    return buffer.getvalue()


def archive(**members: str) -> bytes:
    """Return a ZIP."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as made:
        for name, content in members.items():
            made.writestr(name, content)
    return buffer.getvalue()


def replaced(content: bytes, name: str, member: str) -> bytes:
    """Return a ZIP with one of its members replaced."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(buffer, "w") as new:
        for each in old.namelist():
            new.writestr(each, member if each == name else old.read(each))
    return buffer.getvalue()
