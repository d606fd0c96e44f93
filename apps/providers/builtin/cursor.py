"""The parser's view of the tokens: the one at hand, those ahead, and what does not fit."""

from collections.abc import Sequence

from apps.providers.builtin.lexer import Token
from apps.providers.builtin.refusals import NotUnderstood

_END = Token("end", "")


class Cursor:
    """A place in a run of tokens. `readings` are the option ids of the readings that were chosen."""

    def __init__(self, tokens: Sequence[Token], readings: frozenset[str]) -> None:
        self.tokens, self.readings, self.place = tokens, readings, 0

    @property
    def token(self) -> Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else _END

    def ahead(self, distance: int) -> Token:
        return self.tokens[self.place + distance] if self.place + distance < len(self.tokens) else _END

    def take(self) -> Token:
        token = self.token
        self.place += 1
        return token

    def is_sign(self, *signs: str) -> bool:
        return self.token.kind == "op" and self.token.text in signs

    def take_sign(self, *signs: str) -> bool:
        found = self.is_sign(*signs)
        self.place += found
        return found

    def expect(self, sign: str) -> None:
        if not self.take_sign(sign):
            raise self.misfit()

    def expect_end(self) -> None:
        if self.token is not _END:
            raise self.misfit()

    def misfit(self) -> NotUnderstood:
        """Name the place that does not fit: the token and what stands around it."""
        around = self.tokens[max(0, self.place - 2) : self.place + 2]
        return NotUnderstood(" ".join(token.text for token in around) or "…")

    def is_touching_letter(self) -> bool:
        return self.token.kind in ("symbol", "const") and not self.token.spaced
