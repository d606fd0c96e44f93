"""The sentence as items: known words with their role, formulas as tokens, punctuation. Unknown words are collected."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.providers.builtin.lexer import Token, tokens_of
from apps.providers.builtin.names import FUNCTIONS, formula_tokens, is_name
from apps.providers.builtin.refusals import NotUnderstood, OutOfReach
from apps.providers.builtin.vocabulary import LONGEST_CHINESE, LONGEST_ENGLISH, ROLES


@dataclass(frozen=True, slots=True)
class Word:
    """A known word or phrase and what it does (vocabulary.py)."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Formula:
    """A run of formula tokens."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class Stop:
    """A punctuation mark between formulas and words."""

    text: str


Item = Word | Formula | Stop

_REWRITES = (
    (re.compile(r"百分之\s*([0-9.]+)"), r"\1%"),
    (re.compile(r"的\s*([0-9a-zA-Z]+)\s*次[方幂]"), r"^(\1)"),
    (re.compile(r"(\d)\s*(?:度(?!制)|degrees?\b)"), r"\1°"),
    (
        re.compile(r"(?i)\b([1-5])(?:st|nd|rd|th)\b"),
        lambda match: ("first", "second", "third", "fourth", "fifth")[int(match[1]) - 1],
    ),
    (re.compile(r"(?<![a-zA-Z\\])d(?:\^?(\d)|([²³]))?\s*/\s*d([a-zA-Z])(?:\^?\1|\2)?(?![a-zA-Z0-9])"), "\u0001\\1\\2:\\3\u0001"),
    (re.compile(r"=\s*[?？]\s*$|[=＝]\s*$"), " "),
)
_DERIVATIVE = re.compile("\u0001([²³\\d]?):([a-zA-Z])\u0001")
_JOINING = frozenset("^_=*/+")


def items_of(text: str) -> list[Item]:
    """Return the items of a text. Raises NotUnderstood with every unknown word at once, OutOfReach."""
    tokens = _tokens(text)
    reader = _Reader(tokens)
    while reader.place < len(tokens):
        reader.step()
    return reader.finished()


def has_formula(items: Sequence[Item]) -> bool:
    """Say whether there is any formula at all."""
    return any(isinstance(item, Formula) for item in items)


def _tokens(text: str) -> list[Token]:
    for pattern, replacement in _REWRITES:
        text = pattern.sub(replacement, text)
    tokens: list[Token] = []
    place = 0
    for match in _DERIVATIVE.finditer(text):
        tokens += tokens_of(text[place : match.start()])
        power = {"": "", "²": "^2", "³": "^3"}.get(match[1], f"^{match[1]}")
        tokens.append(Token("derivative", f"d{power}/d{match[2]}{power}", True))
        place = match.end()
    return tokens + tokens_of(text[place:])


class _Reader:
    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.place, self.depth = tokens, 0, 0
        self.items: list[Item] = []
        self.run: list[Token] = []
        self.unknown: list[str] = []
        self.is_integral = any(_speaks_of_integral(token.text.lower()) for token in tokens)

    def step(self) -> None:
        token = self.tokens[self.place]
        if token.kind == "letters":
            self.letters(token)
        elif token.kind == "han":
            self.han(token)
        elif token.kind == "stop" and not (self.depth and token.text == ","):
            self.end_run()
            self.items.append(Stop(token.text))
        elif token.text == "!" and not self.run:
            # After a word it is no factorial.
            self.items.append(Stop(token.text))
        elif token.kind == "unknown":
            self.unknown.append(token.text)
        else:
            self.depth += (token.text in ("(", "[", "{")) - (token.text in (")", "]", "}"))
            self.run.append(token)
        self.place += 1

    def finished(self) -> list[Item]:
        self.end_run()
        if self.unknown:
            raise NotUnderstood(*dict.fromkeys(self.unknown))
        return self.items

    # --- words -------------------------------------------------------------------------------------
    def letters(self, token: Token) -> None:
        if self.is_beside_operator(token):
            self.run.append(token)
            return
        for length in range(LONGEST_ENGLISH, 0, -1):
            phrase = self.tokens[self.place : self.place + length]
            words = " ".join(part.text.lower() for part in phrase)
            if len(phrase) == length and all(part.kind == "letters" for part in phrase) and words in ROLES:
                if length == 1 and self.is_function_call(token):
                    break
                self.place += length - 1
                self.word(words)
                return
        if is_name(token, is_integral=self.is_integral):
            self.run.append(token)
        else:
            self.unknown.append(token.text)

    def is_beside_operator(self, token: Token) -> bool:
        """Say whether letters such as "at" in ``at^2`` touch an operator: then they are no word."""
        if len(token.text) > 2:
            return False
        after = self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else None
        before = self.tokens[self.place - 1] if self.place else None
        touches_after = after is not None and after.kind == "op" and not after.spaced and after.text in _JOINING
        touches_before = before is not None and not token.spaced and (before.kind == "number" or before.text in _JOINING)
        return (touches_after or touches_before) and is_name(token, is_integral=self.is_integral)

    def is_function_call(self, token: Token) -> bool:
        after = self.tokens[self.place + 1] if self.place + 1 < len(self.tokens) else None
        return token.text.lower() in FUNCTIONS and after is not None and after.text in ("(", "{", "_")

    def han(self, token: Token) -> None:
        place, strange = 0, ""
        while place < len(token.text):
            length = _phrase_length(token.text, place)
            if length:
                self.strange(strange)
                strange = ""
                self.word(token.text[place : place + length])
            else:
                strange += token.text[place]
            place += length or 1
        self.strange(strange)

    def strange(self, text: str) -> None:
        if text:
            self.unknown.append(text)

    def word(self, text: str) -> None:
        kind, _, detail = ROLES[text].partition(":")
        if kind == "beyond":
            raise OutOfReach(detail)
        if kind == "sign":
            self.sign(detail, text)
            return
        # "30 degrees" is a sign, "in degrees" a choice.
        if ROLES[text] == "angle:degrees" and self.run and self.run[-1].kind == "number":
            self.run.append(Token("op", "°"))
            return
        self.end_run()
        self.items.append(Word(ROLES[text], text))

    # --- formulas ----------------------------------------------------------------------------------
    def sign(self, sign: str, text: str) -> None:
        """Put a sign that was written as a word into the formula at hand."""
        if sign in ("^2", "^3") and (len(self.run) != 1):
            # "sin x squared", "2x squared": of how much?
            self.unknown.append(text)
        if sign.startswith("^") and len(sign) > 1:
            self.run += [Token("op", "^"), Token("number", sign[1:])]
        elif sign in ("∞", "-∞"):
            self.run += [Token("op", "-")] * (sign == "-∞") + [Token("op", "∞")]
        elif sign in ("√", "∛"):
            self.root(sign, text)
        else:
            self.run.append(Token("op", sign, True))

    def root(self, sign: str, text: str) -> None:
        """Take "square root of" before one number, letter or bracket; of "2 plus 1" it may be the one or the other."""
        end = Token("stop", "")
        after = [*self.tokens[self.place + 1 : self.place + 3], end, end]
        is_short = after[0].text == "(" or after[1].kind in ("stop", "han") or after[1].text in ("=", "<", ">", "<=", ">=")
        if text != "根号" and not is_short:
            self.unknown.append(text)
        self.run.append(Token("op", sign, True))

    def end_run(self) -> None:
        if not self.run:
            return
        run, self.run, self.depth = self.run, [], 0
        try:
            tokens = formula_tokens(run, is_integral=self.is_integral)
            # "the integral of x^2 dx": the word is the sign.
            if any(token.kind == "diff" for token in tokens) and not any(token.text == "∫" for token in tokens):
                tokens.insert(0, Token("op", "∫"))
            self.items.append(Formula(tuple(tokens)))
        except NotUnderstood as refusal:
            self.unknown += refusal.parts


def _speaks_of_integral(text: str) -> bool:
    return text == "∫" or ROLES.get(text) == "integral" or "积分" in text or "原函数" in text


def _phrase_length(text: str, place: int) -> int:
    """Return the length of the longest known phrase that begins here, 0 if there is none."""
    longest = min(LONGEST_CHINESE, len(text) - place)
    return next((length for length in range(longest, 0, -1) if text[place : place + length] in ROLES), 0)
