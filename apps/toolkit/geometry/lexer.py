"""One line to tokens. What is no number, name or known sign is a fault; nothing is dropped but white space."""

import re
from dataclasses import dataclass

from apps.toolkit.geometry.faults import Fault, quoted

LONGEST, MOST_TOKENS, LONGEST_NUMBER, LONGEST_NAME = 300, 120, 30, 30
"""Characters and tokens of a line, characters of a number and of a name."""


@dataclass(frozen=True, slots=True)
class Token:
    """One piece: its kind is number, name or sign; at the end of a line stands one of kind end."""

    kind: str
    text: str


_SIGNS = str.maketrans({"−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "÷": "/", "′": "'", "’": "'", "π": " pi ", "²": "^2"})
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0x3000: " ", 0xA0: " "}
_PIECES = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<name>[A-Za-zα-ωΑ-Ω][A-Za-z0-9α-ωΑ-Ω]*(?:_\{?[A-Za-z0-9]+\}?)?'{0,3})"
    r"|(?P<sign>:=|\*\*|[-+*/^(),=:√\[\]])"
    r"|(?P<unknown>.)",
    re.ASCII | re.DOTALL,
)
# GeoGebra once wrote its commands with square brackets.
_SAME = {"**": "^", "[": "(", "]": ")", ":=": "=", ":": "="}


def tokens_of(line: str) -> list[Token]:
    """Return the tokens of a line and the end. Raises Fault."""
    if len(line) > LONGEST:
        raise Fault("too_long", count=len(line), limit=LONGEST)
    found = [
        _token(match.lastgroup or "", match.group())
        for match in _PIECES.finditer(line.translate(_FULL_WIDTH).translate(_SIGNS))
        if match.lastgroup != "space"
    ]
    if len(found) > MOST_TOKENS:
        raise Fault("too_complex")
    return [*found, Token("end", "")]


def _token(kind: str, text: str) -> Token:
    if kind == "unknown":
        raise Fault("unknown_sign", piece=repr(text)[1:-1])
    if kind == "number" and len(text) > LONGEST_NUMBER:
        raise Fault("long_number", piece=quoted(text))
    if kind == "name":
        text = text.replace("{", "").replace("}", "")
        if len(text) > LONGEST_NAME:
            raise Fault("long_name", piece=quoted(text), limit=LONGEST_NAME)
    return Token(kind, _SAME.get(text, text))
