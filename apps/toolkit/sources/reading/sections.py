"""Sections of a document, and how they are cut into parts small enough for one look."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from apps.common.text import clean_shown
from apps.toolkit.sources.reading.refusals import Bounds, CannotRead

PART_CHARACTERS = 1_600
MAX_HEADING = 200
_PARAGRAPH = re.compile(r"\n\s*\n")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n")


class Section(NamedTuple):
    """A stretch of text under one heading, or on one page."""

    text: str
    heading: str = ""
    page: int | None = None


def parts_of(sections: Iterable[Section], bounds: Bounds) -> list[Section]:
    """Return the parts of all sections, none empty. Raises CannotRead if there is too much text, or none."""
    parts: list[Section] = []
    characters = 0
    for section in sections:
        text = clean_shown(section.text)
        characters += len(text)
        if characters > bounds.characters:
            raise CannotRead("too_long")
        heading = " ".join(clean_shown(section.heading).split())[:MAX_HEADING]
        parts += [Section(piece, heading, section.page) for piece in _pieces(text)]
    if not parts:
        raise CannotRead("empty")
    return parts


def _pieces(text: str) -> Iterator[str]:
    """Yield the text in pieces, cut between paragraphs, else between sentences, else anywhere."""
    yield from _joined(_PARAGRAPH.split(text), "\n\n", _sentences)


def _sentences(paragraph: str) -> Iterator[str]:
    yield from _joined(_SENTENCE.split(paragraph), " ", _cut)


def _cut(text: str) -> Iterator[str]:
    for start in range(0, len(text), PART_CHARACTERS):
        yield text[start : start + PART_CHARACTERS]


def _joined(pieces: Iterable[str], between: str, smaller: Callable[[str], Iterator[str]]) -> Iterator[str]:
    """Yield pieces joined as long as they are small enough together; one that is too large by itself is cut further."""
    waiting = ""
    for piece in (stripped for piece in pieces if (stripped := piece.strip())):
        if waiting and len(waiting) + len(between) + len(piece) > PART_CHARACTERS:
            yield waiting
            waiting = ""
        if len(piece) > PART_CHARACTERS:
            *whole, piece = smaller(piece)
            yield from whole
        waiting = f"{waiting}{between}{piece}" if waiting else piece
    if waiting:
        yield waiting
