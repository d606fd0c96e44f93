"""TeX as plain text that can be read as it stands: what a page shows until, or unless, a script draws the formula."""

import re
from collections.abc import Callable
from itertools import pairwise

_TOKENS = re.compile(r"\\(?:[A-Za-z]+|.)|\s+|.", re.DOTALL)
_SPACES = (
    (re.compile(r"\s*([=<>≤≥≠≈≡∼∈∉⊂⊆→⇒⇔↦])\s*"), r" \1 "),
    (re.compile(r"\s+"), " "),
    (re.compile(r"\s+([)\]},;])"), r"\1"),
    (re.compile(r"([(\[{])\s+"), r"\1"),
)
_DEEPEST = 40
_LONGEST = 4000
"""Characters; longer and deeper formulas are shown as their source."""

_TABLE = """
alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta θ iota ι kappa κ lambda λ mu μ nu ν xi ξ
omicron ο pi π rho ρ sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω
Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
pm ± mp ∓ times × cdot · div ÷ ast ∗ circ ∘ le ≤ leq ≤ ge ≥ geq ≥ ne ≠ neq ≠ approx ≈ equiv ≡ sim ∼ propto ∝ ll ≪ gg ≫
infty ∞ partial ∂ nabla ∇ sum ∑ prod ∏ int ∫ oint ∮ angle ∠ degree ° prime ′ ldots … dots … cdots ⋯ vdots ⋮ ddots ⋱
to → rightarrow → leftarrow ← mapsto ↦ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔
in ∈ notin ∉ subset ⊂ subseteq ⊆ supset ⊃ cup ∪ cap ∩ setminus ∖ emptyset ∅ varnothing ∅
forall ∀ exists ∃ neg ¬ lnot ¬ land ∧ wedge ∧ lor ∨ vee ∨
langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ mid | vert | lvert | rvert | | ‖
{ { } } $ $ % % & & # # _ _
"""
_WORDS = _TABLE.split()
_COMMANDS = {
    **dict(zip(_WORDS[::2], _WORDS[1::2], strict=True)),
    **dict.fromkeys(("quad", "qquad", ",", ";", ":", " ", "space"), " "),
    **dict.fromkeys(("!", "big", "Big", "bigg", "Bigg", "displaystyle", "limits", "nolimits"), ""),
    "\\": "; ",
}
_BRACKETS = {"pmatrix": "()", "bmatrix": "[]", "Bmatrix": "{}", "vmatrix": "||", "cases": "{ "}
_DOUBLE_STRUCK = dict(zip("NZQRCP", "ℕℤℚℝℂℙ", strict=True))
_RAISED = str.maketrans("0123456789+-=()nix", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣ")
_LOWERED = str.maketrans("0123456789+-=()ijnx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ᵢⱼₙₓ")


def readable(source: str) -> str:
    """Return a formula in plain signs: `\\frac{a}{2}` as ``a/2``, `x^{2}` as ``x²``, `\\pm` as ``±``."""
    if len(source) > _LONGEST:
        return source
    try:
        text = _Reader(source).all()
    except _Unreadable:
        return source
    for pattern, spaced in _SPACES:
        text = pattern.sub(spaced, text)
    return text.strip() or source


class _Unreadable(Exception):
    """The formula is no well-formed TeX, or nested too deeply."""


class _Reader:
    def __init__(self, source: str) -> None:
        self._tokens = _TOKENS.findall(source)
        self._place = 0
        self._depth = 0

    def all(self) -> str:
        text = self._until("")
        if self._place < len(self._tokens):
            raise _Unreadable
        return text

    def _next(self) -> str:
        token = self._tokens[self._place] if self._place < len(self._tokens) else ""
        self._place += 1
        return token

    def _peek(self) -> str:
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def _until(self, closing: str) -> str:
        """Return all up to a closing sign, which is left behind."""
        parts = []
        while (token := self._peek()) and token not in (closing, "}"):
            parts.append(self._part())
        return "".join(parts)

    def _part(self) -> str:
        token = self._next()
        if token == "{":
            return self._group("}")
        if token in "^_":
            return _script(self._argument(), token)
        if token == "&":
            return ", "
        if token == "~":
            return " "
        return self._command(token[1:]) if token.startswith("\\") and len(token) > 1 else token

    def _group(self, closing: str) -> str:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _Unreadable
        text = self._until(closing)
        if self._next() != closing:
            raise _Unreadable
        self._depth -= 1
        return text

    def _argument(self) -> str:
        while self._peek().isspace():
            self._next()
        if not self._peek():
            raise _Unreadable
        return self._part()

    def _command(self, name: str) -> str:
        special = _SPECIAL.get(name)
        if special is not None:
            return special(self)
        if name in _COMMANDS:
            return _COMMANDS[name]
        return name if self._has_brackets() else f"{name} "

    def _has_brackets(self) -> bool:
        """Whether nothing, a script or a bracket follows the name of a function."""
        following = [*self._tokens[self._place :], "", ""]
        return following[0] in ("", "^", "_", "(") or (following[0] == "{" and following[1] in ("(", "\\left"))

    def _fraction(self) -> str:
        return f"{_enclosed(self._argument())}/{_enclosed(self._argument())}"

    def _root(self) -> str:
        degree = ""
        if self._peek() == "[":
            self._next()
            degree = self._group("]").translate(_RAISED)
        return f"{degree}√{_enclosed(self._argument())}"

    def _double_struck(self) -> str:
        letters = self._argument()
        return "".join(_DOUBLE_STRUCK.get(letter, letter) for letter in letters)

    def _begin(self) -> str:
        """Open an environment: its rows are parted by semicolons, its columns by commas."""
        name = self._argument()
        if name == "array":
            self._argument()
        return _BRACKETS.get(name, "  ")[0]

    def _end(self) -> str:
        return _BRACKETS.get(self._argument(), "  ")[1]

    def _after_left(self) -> str:
        """Leave out the point that stands for no bracket."""
        if self._peek() == ".":
            self._next()
        return ""


def _script(text: str, sign: str) -> str:
    """Return a superscript or subscript: in small signs if each has one, else behind its sign."""
    small = text.translate(_RAISED if sign == "^" else _LOWERED)
    if all(before != after for before, after in zip(text, small, strict=True)):
        return small
    return f"{sign}{_enclosed(text)}"


def _enclosed(text: str) -> str:
    """Put what is more than one factor in parentheses."""
    text = text.strip()
    is_one = len(text) < 2 or text.isalnum() or (text[0] == "(" and text[-1] == ")" and _closes_at_end(text))
    return text if is_one else f"({text})"


def _closes_at_end(text: str) -> bool:
    depth = 0
    for sign, following in pairwise(text + " "):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and not following.isspace():
            return False
    return depth == 0


_SPECIAL: dict[str, Callable[[_Reader], str]] = {
    **dict.fromkeys(["frac", "dfrac", "tfrac"], _Reader._fraction),
    "sqrt": _Reader._root,
    "mathbb": _Reader._double_struck,
    "begin": _Reader._begin,
    "end": _Reader._end,
    **dict.fromkeys(["left", "right"], _Reader._after_left),
    **dict.fromkeys(["text", "mathrm", "mathbf", "mathit", "mathcal", "operatorname", "boldsymbol", "boxed"], _Reader._argument),
}
