"""Text as reportlab's paragraphs take it: escaped, with the font that can show each part of it."""

import re
from itertools import groupby
from xml.sax.saxutils import escape

from reportlab.lib.fonts import addMapping
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont

SONG = "STSong-Light"
"""Chinese in every PDF reader, without a font in the file. It has no bold and no italic of its own."""
_NO_SIGN = "\u25a1"
"""What stands for a character that neither font has."""
_SPACES = re.compile(r"[\u2000-\u200a\u202f\u205f]")

pdfmetrics.registerFont(UnicodeCIDFont(SONG))
for _bold in (0, 1):
    for _italic in (0, 1):
        addMapping(SONG, _bold, _italic, SONG)


def marked(text: str, replaced: set[str]) -> str:
    """Return the text as markup; characters that cannot be shown are added to `replaced`."""
    parts = groupby((_shown(sign, replaced) for sign in _SPACES.sub(" ", text)), key=_is_latin)
    return "".join(_part("".join(signs), is_latin) for is_latin, signs in parts)


def _part(text: str, is_latin: bool) -> str:
    return escape(text) if is_latin else f'<font name="{SONG}">{escape(text)}</font>'


def _shown(sign: str, replaced: set[str]) -> str:
    if _is_latin(sign) or _is_encodable(sign, "gbk"):
        return sign
    replaced.add(sign)
    return _NO_SIGN


def _is_latin(sign: str) -> bool:
    return _is_encodable(sign, "cp1252")


def _is_encodable(sign: str, encoding: str) -> bool:
    try:
        sign.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def is_wide(text: str) -> bool:
    """Say whether lines of the text may be broken between any two characters."""
    return any("\u2e80" <= sign <= "\u9fff" or "\uff00" <= sign <= "\uffef" for sign in text)
