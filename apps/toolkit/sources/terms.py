"""The terms by which a text is found: words in lower case, and for scripts without spaces pairs of characters.

Terms hold letters and digits only, so that both databases take them exactly as they are.
"""

import re
import unicodedata
from collections.abc import Iterator

MAX_QUERY_TERMS = 64
LONGEST_TERM = 64
"""Characters; a longer word is found by its beginning."""

_UNSPACED = "\u3041-\u3096\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(rf"(?P<unspaced>[{_UNSPACED}]+)|[^\W_{_UNSPACED}]+")


def terms_of_text(text: str) -> list[str]:
    """Return the terms of a text that is to be found: of unspaced scripts each character and each pair."""
    return [term for run, is_unspaced in _runs(text) for term in (_all(run) if is_unspaced else [run[:LONGEST_TERM]])]


def terms_of_query(text: str) -> list[str]:
    """Return the terms to look for, each once: pairs where there are two characters, for they say more than one."""
    terms = (term for run, is_unspaced in _runs(text) for term in (_pairs(run) or [run] if is_unspaced else [run[:LONGEST_TERM]]))
    return list(dict.fromkeys(terms))[:MAX_QUERY_TERMS]


def _runs(text: str) -> Iterator[tuple[str, bool]]:
    for found in _RUN.finditer(unicodedata.normalize("NFKC", text).casefold()):
        yield found[0], found["unspaced"] is not None


def _all(run: str) -> list[str]:
    return [*run, *_pairs(run)]


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]
