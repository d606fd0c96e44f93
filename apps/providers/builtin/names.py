"""Which names a formula may hold, and how a run of letters is taken apart."""

import re
from collections.abc import Sequence

from apps.providers.builtin.lexer import Token
from apps.providers.builtin.refusals import NotUnderstood

FUNCTIONS = {
    "sin": "sin", "cos": "cos", "tan": "tan", "tg": "tan", "cot": "cot", "ctg": "cot", "sec": "sec", "csc": "csc",
    "asin": "asin", "acos": "acos", "atan": "atan", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctg": "atan",
    "sinh": "sinh", "cosh": "cosh", "tanh": "tanh", "exp": "exp", "ln": "ln", "lg": "lg", "log": "log", "sqrt": "sqrt",
    "cbrt": "cbrt", "abs": "abs", "gcd": "gcd", "lcm": "lcm", "root": "root", "lim": "lim",
}  # fmt: skip
TRIGONOMETRIC = frozenset(("sin", "cos", "tan", "cot", "sec", "csc"))
INVERTIBLE = TRIGONOMETRIC | {"sinh", "cosh", "tanh"}
DEFINABLE = frozenset(("f", "g", "h"))
_CONSTANTS = {"pi": "pi", "Pi": "pi", "e": "e", "i": "i", "infinity": "oo", "inf": "oo", "oo": "oo"}
# Letters that people multiply without a sign. The others (d, f, g, h, j, l, o …) make words and units.
_FACTORS = frozenset("abckmnpqrstuvwxyzABCFPRSTVW")
_UNITS = frozenset(("cm", "mm", "km", "kg", "mg", "am", "pm", "mph", "min", "ms", "ns", "kb", "mb", "pcs", "yr", "rpm"))
_GLUED = re.compile(
    r"(?:(?P<function>arcsin|arccos|arctan|sinh|cosh|tanh|sin|cos|tan|cot|exp|ln|lg|log|sqrt|pi)|(?P<letter>[xyztuv]))"
)
_DIFFERENTIAL = re.compile(r"(?P<before>[a-zA-Z]*)d(?P<variable>[a-zA-Z])")


def formula_tokens(tokens: Sequence[Token], *, is_integral: bool = False) -> list[Token]:
    """Turn runs of letters into symbols, constants and functions. Raises NotUnderstood with the run.

    In an integral ``dx`` is a differential.
    """
    found: list[Token] = []
    for place, token in enumerate(tokens):
        if token.kind == "letters":
            found += _names(token, _is_beside_signs(tokens, place), is_integral, _next_sign(tokens, place))
        elif token.kind == "op" and token.text == "∞":
            found.append(Token("const", "oo", token.spaced))
        elif token.kind in ("number", "op", "derivative") or token.text == ",":
            found.append(token)
        else:
            raise NotUnderstood(token.text)
    return found


def is_name(token: Token, *, is_integral: bool = False) -> bool:
    """Say whether a run of letters has a meaning in a formula, whatever stands beside it."""
    try:
        _names(token, True, is_integral, "")
    except NotUnderstood:
        return False
    return True


def _names(token: Token, is_beside_signs: bool, is_integral: bool, next_sign: str) -> list[Token]:
    whole = _whole_name(token)
    if whole is not None:
        return [whole]
    differential = _DIFFERENTIAL.fullmatch(token.text) if is_integral else None
    if differential:
        before = Token("letters", differential["before"], token.spaced)
        head = _names(before, True, False, "") if before.text else []
        return [*head, Token("diff", differential["variable"])]
    parts = _glued(token.text) or (_factors(token.text, next_sign) if is_beside_signs else None)
    if parts is None:
        raise NotUnderstood(token.text)
    parts[0] = Token(parts[0].kind, parts[0].text, token.spaced)
    return parts


def _whole_name(token: Token) -> Token | None:
    name = token.text if len(token.text) == 1 else token.text.lower()
    if name == "mod":
        return Token("op", "mod", token.spaced)
    if name in FUNCTIONS:
        return Token("func", FUNCTIONS[name], token.spaced)
    if name in _CONSTANTS:
        return Token("const", _CONSTANTS[name], token.spaced)
    if len(name) == 1:
        return Token("symbol", name, token.spaced)
    return None


def _glued(run: str) -> list[Token] | None:
    """Take ``xsinx`` or ``lnx`` apart: functions and the usual variables only, at most two of these."""
    parts: list[Token] = []
    place = 0
    while place < len(run):
        match = _GLUED.match(run, place)
        if match is None:
            return None
        if match["letter"]:
            parts.append(Token("symbol", match["letter"]))
        else:
            parts.append(Token("const", "pi") if match["function"] == "pi" else Token("func", FUNCTIONS[match["function"]]))
        place = match.end()
    has_function = any(part.kind != "symbol" for part in parts)
    return parts if has_function and sum(part.kind == "symbol" for part in parts) <= 2 else None


def _factors(run: str, next_sign: str) -> list[Token] | None:
    """Take ``xy`` apart as a product; a last ``e`` counts if a power follows, a last ``i`` as in ``a+bi``."""
    tail = run[-1] if (run[-1] == "e" and next_sign == "^") or (run[-1] == "i" and len(run) == 2) else ""
    body = run[:-1] if tail else run
    if len(run) > 3 or run.lower() in _UNITS or not body or not set(body) <= _FACTORS:
        return None
    return [Token("symbol", letter) for letter in body] + ([Token("const", tail)] if tail else [])


def _is_beside_signs(tokens: Sequence[Token], place: int) -> bool:
    neighbours = [tokens[place - 1]] if place else []
    neighbours += tokens[place + 1 : place + 2]
    return any(token.kind in ("op", "number") for token in neighbours)


def _next_sign(tokens: Sequence[Token], place: int) -> str:
    return tokens[place + 1].text if place + 1 < len(tokens) and not tokens[place + 1].spaced else ""
