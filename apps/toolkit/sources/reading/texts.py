"""Plain text, Markdown and web pages: how they are decoded, and what their sections are."""

import re
from collections.abc import Iterator
from pathlib import Path

from apps.toolkit.sources.reading.refusals import Bounds, CannotRead
from apps.toolkit.sources.reading.sections import Section

_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_HEADING = re.compile(r" {0,3}#{1,6}\s+(.*?)\s*#*\s*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_BYTES_A_CHARACTER = 4


def decoded(path: Path, bounds: Bounds) -> str:
    """Return the text of a file: UTF-8, UTF-16 with its mark, or GB 18030. Raises CannotRead for anything else."""
    if path.stat().st_size > bounds.characters * _BYTES_A_CHARACTER:
        raise CannotRead("too_long")
    content = path.read_bytes()
    marked = next((name for mark, name in _MARKS.items() if content.startswith(mark)), None)
    for encoding in (marked,) if marked else ("utf-8", "gb18030"):
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        if not _BINARY.search(text):
            return text.replace("\r\n", "\n").replace("\r", "\n")
    raise CannotRead("unsupported")


def plain(path: Path, bounds: Bounds) -> Iterator[Section]:
    """Yield the one section of a plain text."""
    yield Section(decoded(path, bounds))


def markdown(path: Path, bounds: Bounds) -> Iterator[Section]:
    """Yield the sections of a Markdown text."""
    yield from by_headings(decoded(path, bounds))


def by_headings(text: str) -> Iterator[Section]:
    """Yield a section for each heading, its own line included; a # in a block of code is none."""
    heading, fence = "", ""
    lines: list[str] = []
    for line in text.split("\n"):
        found, mark = _HEADING.fullmatch(line), _FENCE.match(line)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        if found and not fence:
            yield Section("\n".join(lines), heading)
            heading, lines = found[1], []
        lines.append(line)
    yield Section("\n".join(lines), heading)


def web_page(path: Path, bounds: Bounds) -> Iterator[Section]:
    """Yield the sections of a web page: its article, or all its words if no article can be told from the rest."""
    import trafilatura

    source = decoded(path, bounds)
    article = trafilatura.extract(source, output_format="markdown", include_comments=False, favor_recall=True)
    yield from by_headings(article or _all_words(source))


def _all_words(source: str) -> str:
    from lxml import html  # type: ignore[import-untyped]

    try:
        page = html.document_fromstring(source)
    except (ValueError, html.etree.ParserError):
        raise CannotRead("empty") from None
    for hidden in page.xpath("//script | //style | //noscript | //template"):
        hidden.drop_tree()
    return "\n".join(line for line in page.itertext() if line.strip())
