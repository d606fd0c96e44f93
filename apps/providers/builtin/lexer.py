"""Text to tokens: Unicode and full-width signs, a little LaTeX. Nothing is dropped but white space and maths delimiters."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of the text.

    `kind` is number, letters (a run of Latin letters, or one Greek letter), han (a run of Chinese characters), op, stop
    (punctuation) or unknown. `spaced`: white space stands before it. The parser adds symbol, const, func and diff.
    """

    kind: str
    text: str
    spaced: bool = False


_SUPER = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿˣ", "0123456789+-()nx", strict=True))
_SUB = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙₓ", "0123456789+-()nx", strict=True))
_SIGNS = {
    "−": "-", "–": "-", "×": "*", "·": "*", "⋅": "*", "∙": "*", "∗": "*", "⁄": "/", "÷": "/", "∕": "/",
    "≤": "<=", "≦": "<=", "⩽": "<=", "≥": ">=", "≧": ">=", "⩾": ">=", "≠": "!=", "**": "^", "==": "=",
    "->": "→", "⟶": "→", "º": "°", "˚": "°", "′": "'", "’": "'", "∣": "|", "℃": "℃",
}  # fmt: skip
_STOPS = {"。": ".", "、": ",", "﹐": ",", "…": ".", "“": '"', "”": '"', "‘": '"', "「": '"', "」": '"', "《": '"', "》": '"'}
_COMMANDS = {
    "frac": "\\frac", "dfrac": "\\frac", "tfrac": "\\frac", "sqrt": "√", "cdot": "*", "times": "*", "ast": "*", "div": "/",
    "infty": "∞", "le": "<=", "leq": "<=", "leqslant": "<=", "ge": ">=", "geq": ">=", "geqslant": ">=", "ne": "!=",
    "neq": "!=", "lt": "<", "gt": ">", "to": "→", "rightarrow": "→", "int": "∫", "circ": "°", "degree": "°", "mid": "|",
    "vert": "|", "bmod": "mod", "lvert": "|", "rvert": "|",
}  # fmt: skip
_GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "theta": "θ", "lambda": "λ", "mu": "μ", "phi": "φ", "varphi": "φ",
    "omega": "ω", "epsilon": "ε", "rho": "ρ", "sigma": "σ", "tau": "τ", "pi": "pi", "π": "pi", "ϕ": "φ",
}  # fmt: skip
_UNSEEN_COMMANDS = {"left", "right", "displaystyle", "quad", "qquad", "limits", "mathrm", "rm", "big", "Big"}
_REWRITES = (
    (re.compile(r"\^\s*\{\s*\\circ\s*\}|\^\s*\\circ\b"), "°"),
    (re.compile(r"\\[,;:! ()\[\]]|\$|\\\\"), " "),
    (re.compile(r"\\([%{}])"), r"\1"),
    (re.compile(r"[a-zA-Z]\s*(?:∈|\\in\b)\s*(?:ℝ|R\b|\\mathbb\s*\{?R\}?)"), " over the reals "),
    (re.compile(r"[a-zA-Z]\s*(?:∈|\\in\b)\s*(?:ℂ|C\b|\\mathbb\s*\{?C\}?)"), " over the complex numbers "),
    (re.compile(r"(?i)\b(what|how)['’]s\b"), r"\1 is"),
    (re.compile(r"(?i)\bstep-by-step\b"), "step by step"),
)
_PIECES = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<number>\d+(?:\.\d+)?|\.\d+)"
    r"|(?P<command>\\[a-zA-Z]+)"
    r"|(?P<letters>[a-zA-Z]+|[α-ωΑ-Ωϕ])"
    r"|(?P<han>[\u4e00-\u9fff〇]+)"
    r"|(?P<super>[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿˣ]+)"
    r"|(?P<sub>[₀₁₂₃₄₅₆₇₈₉₊₋₍₎ₙₓ]+)"
    r"|(?P<op>\*\*|==|->|<=|>=|!=|[-+*/^_!%°'|()\[\]{}<>=→√∛∫∞−–×·⋅∙∗⁄÷∕≤≦⩽≥≧⩾≠⟶º˚′’∣])"
    r"|(?P<stop>[,;.:?\n\"。、﹐…“”‘「」《》])"
    r"|(?P<unknown>.)",
    re.ASCII | re.DOTALL,
)
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)} | {0x3000: " "}
_BREAKS = re.compile(r"\s*\n\s*")


def tokens_of(text: str) -> list[Token]:
    """Return the tokens of a text, all of it."""
    plain = _BREAKS.sub(" ; ", text.translate(_FULL_WIDTH).strip())
    for pattern, replacement in _REWRITES:
        plain = pattern.sub(replacement, plain)
    return _joined_digits(list(_scan(plain)))


def _scan(text: str) -> Iterator[Token]:
    spaced = False
    for match in _PIECES.finditer(text):
        kind, piece = match.lastgroup or "unknown", match.group()
        if kind == "space" or (kind == "command" and piece[1:] in _UNSEEN_COMMANDS):
            spaced = True
            continue
        yield from _tokens(kind, piece, spaced)
        spaced = False


def _tokens(kind: str, piece: str, spaced: bool) -> Iterator[Token]:
    if kind == "super":
        yield from _raised("^", [_SUPER[char] for char in piece])
    elif kind == "sub":
        yield from _raised("_", [_SUB[char] for char in piece])
    elif kind == "command":
        yield _command(piece[1:], spaced)
    elif kind == "letters":
        yield Token("letters", _GREEK.get(piece, piece) if len(piece) == 1 else piece, spaced)
    elif piece == "!=" and not spaced:
        # 5!=120 may be 5! = 120.
        yield Token("unknown", piece)
    elif kind == "stop":
        yield Token("stop", _STOPS.get(piece, piece), spaced)
    else:
        yield Token(kind, _SIGNS.get(piece, piece), spaced)


def _raised(sign: str, chars: list[str]) -> Iterator[Token]:
    """Write small raised or lowered characters as a bracket: x²⁺ⁿ is x^(2+n)."""
    yield from (Token("op", sign), Token("op", "("))
    for kind, piece in ((match.lastgroup or "", match.group()) for match in _PIECES.finditer("".join(chars))):
        yield Token(kind, piece)
    yield Token("op", ")")


def _command(name: str, spaced: bool) -> Token:
    if name in _COMMANDS:
        sign = _COMMANDS[name]
        return Token("letters" if sign == "mod" else "op", sign, spaced)
    if name in _GREEK:
        return Token("letters", _GREEK[name], spaced)
    # \sin, \ln and \lim are names like any other; what is no name is caught by the vocabulary.
    return Token("letters" if name.isalpha() and len(name) > 1 else "unknown", name, True)


def _joined_digits(tokens: list[Token]) -> list[Token]:
    """Mark ``1,000`` outside brackets as unknown: one number or two? Inside brackets a comma separates."""
    depth = 0
    marked = list(tokens)
    for place, (first, second) in enumerate(pairwise(tokens)):
        depth += (first.text in "([{") - (first.text in ")]}") if first.kind == "op" else 0
        after = tokens[place + 2] if place + 2 < len(tokens) else None
        is_comma = (second.kind, second.text, second.spaced) == ("stop", ",", False)
        if depth or not is_comma or first.kind != "number" or after is None or after.kind != "number" or after.spaced:
            continue
        if len(after.text) == 3 and len(first.text) <= 3:
            marked[place + 1] = Token("unknown", f"{first.text},{after.text}")
    return marked
