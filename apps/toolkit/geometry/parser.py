"""Tokens to a tree: ``name = expression`` or an expression. It runs nothing and knows no command."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.toolkit.geometry.faults import Fault, quoted
from apps.toolkit.geometry.lexer import Token, tokens_of

DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Node:
    """One node. Its head is number, name, call, pair, neg, or a sign of arithmetic: ``+ - * / ^``."""

    head: str
    args: tuple["Node", ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a line says: the name that it gives (empty: none) and what it is of."""

    name: str
    body: Node


def parse(line: str) -> Statement:
    """Return what a line says. Raises Fault."""
    return _Parser(tokens_of(line)).statement()


class _Parser:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens, self._place, self._depth = tokens, 0, 0

    def statement(self) -> Statement:
        name = ""
        if self._here.kind == "name" and self._tokens[self._place + 1].text == "=":
            name = self._take().text
            self._take()
        body = self._sum()
        if self._here.kind != "end":
            raise self._misfit()
        return Statement(name, body)

    @property
    def _here(self) -> Token:
        return self._tokens[self._place]

    def _take(self) -> Token:
        token = self._here
        self._place += 1
        return token

    def _is(self, *signs: str) -> bool:
        return self._here.kind == "sign" and self._here.text in signs

    def _expect(self, sign: str) -> None:
        if not self._is(sign):
            raise self._misfit()
        self._place += 1

    def _misfit(self) -> Fault:
        return Fault("unfinished") if self._here.kind == "end" else Fault("misfit", piece=quoted(self._here.text))

    # --- arithmetic, the weakest signs first ------------------------------------------------------------
    def _sum(self) -> Node:
        self._depth += 1
        if self._depth > DEEPEST:
            raise Fault("too_complex")
        left = self._product()
        while self._is("+", "-"):
            left = Node(self._take().text, (left, self._product()))
        self._depth -= 1
        return left

    def _product(self) -> Node:
        left = self._signed()
        while True:
            if self._is("*", "/"):
                left = Node(self._take().text, (left, self._signed()))
            elif self._ends_in_number() and (self._here.kind == "name" or self._is("(", "√")):
                left = Node("*", (left, self._power()))
            else:
                return left

    def _ends_in_number(self) -> bool:
        """Say whether a number stands right before this: ``2sqrt(3)`` is a product, ``a b`` a slip of the pen."""
        return self._tokens[self._place - 1].kind == "number"

    def _signed(self) -> Node:
        minus = False
        while self._is("-", "+"):
            minus ^= self._take().text == "-"
        node = self._power()
        return Node("neg", (node,)) if minus else node

    def _power(self) -> Node:
        base = self._operand()
        if not self._is("^"):
            return base
        self._take()
        minus = self._is("-")
        self._place += minus
        exponent = self._operand()
        return Node("^", (base, Node("neg", (exponent,)) if minus else exponent))

    # --- operands ---------------------------------------------------------------------------------------
    def _operand(self) -> Node:
        token = self._here
        if token.kind == "number":
            return Node("number", text=self._take().text)
        if token.kind == "name":
            self._take()
            return Node("call", self._arguments(), token.text) if self._is("(") else Node("name", text=token.text)
        if self._is("√"):
            self._take()
            return Node("call", (self._root_of(),), "sqrt")
        inner = self._arguments()
        if len(inner) == 2:
            return Node("pair", inner)
        if len(inner) != 1:
            raise Fault("bad_pair")
        return inner[0]

    def _root_of(self) -> Node:
        if not (self._here.kind in ("number", "name") or self._is("(")):
            raise self._misfit()
        return self._operand()

    def _arguments(self) -> tuple[Node, ...]:
        """Return what stands between brackets, separated by commas."""
        self._expect("(")
        found = [self._sum()]
        while self._is(","):
            self._take()
            found.append(self._sum())
        self._expect(")")
        return tuple(found)
