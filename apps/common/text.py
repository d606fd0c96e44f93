"""Characters that may be stored, and characters that may be shown."""

import json
import re
import unicodedata
from typing import Any

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_BIDI = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_ZERO_WIDTH = (
    "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
)
_UNSHOWN = re.compile(f"[{_CONTROLS}{_BIDI}{_ZERO_WIDTH}\ud800-\udfff]")
# A zero-width joiner is kept where it joins two emoji, which is what families and flags are made of.
_EMOJI = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINABLE = _EMOJI + "\u3030\u303d\u3297\u3299\ufe0f\U000e0020-\U000e007f"
_LONE_JOINER = re.compile(f"(?<![{_JOINABLE}])\u200d|\u200d(?![{_EMOJI}])")
_INVISIBLE_CATEGORIES = ("Cc", "Cf", "Cs", "Mn")
_BLANK_LETTERS = "\u3164\uffa0\u115f\u1160\u2800"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def clean_shown(text: str) -> str:
    """Remove control, bidi-override and zero-width characters; line ends become LF, tab and LF stay."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _LONE_JOINER.sub("", _UNSHOWN.sub("", text))


def clean_stored(text: str) -> str:
    """Remove what no database takes: NUL and unpaired surrogates."""
    return _UNSTORABLE.sub("", text)


def is_storable(text: str) -> bool:
    """Say whether the text holds neither NUL nor an unpaired surrogate."""
    return _UNSTORABLE.search(text) is None


def is_blank(text: str) -> bool:
    """Say whether nothing is left of the text without white space and invisible characters."""
    return not any(_is_visible(char) for char in text)


def _is_visible(char: str) -> bool:
    return not char.isspace() and unicodedata.category(char) not in _INVISIBLE_CATEGORIES and char not in _BLANK_LETTERS


def compact_json(value: Any) -> str:
    """Serialise once, as it is stored, sent and shown: UTF-8 without ASCII escapes, no spaces after separators.

    Raises ValueError for NaN and infinity, which are no JSON.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def canonical_json(value: Any) -> str:
    """Serialise with sorted keys, for digests: equal values give equal texts."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), sort_keys=True)
