"""Functions, limits, integrals and derivatives: what is written before its operand."""

from abc import ABC, abstractmethod

from apps.providers.builtin.cursor import Cursor
from apps.providers.builtin.names import INVERTIBLE
from apps.providers.builtin.refusals import NotUnderstood
from apps.providers.builtin.strengths import NEGATION, POSTFIX, POWER, RELATION, SUM
from apps.providers.builtin.syntax import Node, is_relation, number, symbol, walk


class Applications(Cursor, ABC):
    """The part of the parser that reads them; operators and brackets are read by the rest of it (parser.py)."""

    @abstractmethod
    def expression(self, above: int) -> Node:
        """Read an expression whose operators are stronger than `above`."""

    @abstractmethod
    def prefix(self, above: int) -> Node:
        """Read one operand."""

    @abstractmethod
    def bracket(self, opening: str) -> Node:
        """Read what follows an opening bracket, and the closing one."""

    @abstractmethod
    def starts_operand(self) -> bool:
        """Say whether an operand begins here."""

    # --- functions ---------------------------------------------------------------------------------
    def function(self, name: str) -> Node:
        if name in ("sqrt", "cbrt") and not self.is_sign("(", "{"):
            return self.radical("√" if name == "sqrt" else "∛")
        base = self.base() if name == "log" else None
        exponent = self.expression(POWER - 1) if self.take_sign("^") else None
        arguments = self.arguments() if self.is_sign("(", "{") else (self.bare_argument(),)
        return _raised(_call(name, arguments, base, self), exponent, self.readings)

    def radical(self, sign: str) -> Node:
        index = number(3) if sign == "∛" else None
        if sign == "√" and self.is_sign("["):
            self.take()
            index = self.expression(RELATION)
            self.expect("]")
        is_long = "reading:root-long" in self.readings and not self.is_sign("(", "{", "[")
        inner = self.factors(self.expression(POWER - 1), False) if is_long else self.prefix(POSTFIX)
        return Node("call", (inner,), "sqrt") if index is None else Node("call", (inner, index), "root")

    def base(self) -> Node | None:
        """Read the base of log_2, log_{10}, or log2( if that reading was chosen."""
        if self.take_sign("_"):
            return self.subscript()
        is_glued = self.token.kind == "number" and not self.token.spaced and self.ahead(1).text in ("(", "{")
        return number(self.take().text) if is_glued and "reading:log-base" in self.readings else None

    def subscript(self) -> Node:
        return self.bracket(self.take().text) if self.is_sign("(", "{") else self.prefix(POSTFIX)

    def arguments(self) -> tuple[Node, ...]:
        group = self.bracket(self.take().text)
        return group.args if group.head == "list" or (group.head == "interval" and group.text == "()") else (group,)

    def bare_argument(self) -> Node:
        """Read what a function without brackets applies to: sin 2x, ln x, sin πx, cos -x."""
        if self.is_sign("-"):
            self.take()
            return Node("neg", (self.bare_argument(),))
        is_long = "reading:argument-long" in self.readings
        argument = self.factors(self.expression(POWER - 1), is_long)
        if is_long and self.is_sign("/") and self.ahead(1).kind == "number":
            self.take()
            argument = Node("div", (argument, self.expression(POWER - 1)))
        return argument

    def factors(self, first: Node, is_long: bool) -> Node:
        product = last = first
        while self.starts_operand() and self.token.kind not in ("func", "number"):
            is_open = last.head in ("num", "const") or is_long
            if not is_open and (self.token.spaced or self.token.kind == "op"):
                break
            last = self.expression(POWER - 1)
            product = Node("mul", (product, last))
        return product

    # --- limits, integrals, derivatives ------------------------------------------------------------
    def limit(self) -> Node:
        if self.take_sign("_"):
            self.expect("{") if self.is_sign("{") else self.expect("(")
            approach = self.expression(0)
            if not self.take_sign("}", ")"):
                raise self.misfit()
        else:
            name = self.prefix(POSTFIX)
            self.expect("→")
            approach = Node("rel", (name, self.target_with_side()), "→")
        body = self.expression(SUM)
        return approach_limit(approach, body)

    def target_with_side(self) -> Node:
        """Read 0, -∞, or 0+ before the body: a sign that touches the target and not the body; else it is the body's."""
        target = self.target()
        if not self.is_sign("+", "-"):
            return target
        if self.token.spaced and self.is_sign("-"):
            return target
        if self.token.spaced or not self.ahead(1).spaced:
            raise self.misfit()
        return Node("side", (target,), self.take().text)

    def target(self) -> Node:
        if self.take_sign("-"):
            return Node("neg", (self.prefix(POSTFIX),))
        return self.prefix(POSTFIX)

    def integral(self) -> Node:
        low = self.subscript() if self.take_sign("_") else None
        high = self.signed_subscript() if self.take_sign("^") else None
        if (low is None) != (high is None):
            raise self.misfit()
        body = number(1) if self.token.kind == "diff" else self.expression(RELATION)
        if self.token.kind != "diff":
            raise self.misfit()
        variable = symbol(self.take().text)
        if high is not None and variable in walk(high):
            raise self.misfit()
        return Node("integral", (body, variable) if low is None or high is None else (body, variable, low, high))

    def signed_subscript(self) -> Node:
        """Read an upper bound. That of ∫_0^2π may be 2 or 2π; with the long reading it takes the letters that touch it."""
        if self.take_sign("-"):
            return Node("neg", (self.signed_subscript(),))
        is_bracket = self.is_sign("(", "{")
        bound = self.subscript()
        while "reading:bound-long" in self.readings and not is_bracket and self.is_touching_letter():
            bound = Node("mul", (bound, self.expression(POWER)))
        return bound

    def derivative(self, text: str) -> Node:
        """Read what stands after d/dx or d^2/dx^2."""
        order = text[2] if text.startswith("d^") else "1"
        return Node("derivative", (self.expression(NEGATION), symbol(text.split("/d")[1][0])), order)


def approach_limit(approach: Node, body: Node) -> Node:
    """Make a limit of ``x→a`` and a body. Raises NotUnderstood."""
    if not is_relation(approach, "→") or len(approach.args) != 2 or approach.args[0].head != "sym":
        raise NotUnderstood("lim")
    variable, target = approach.args
    if target.head == "side":
        return Node("limit", (body, variable, target.args[0]), target.text)
    return Node("limit", (body, variable, target), "+-")


def _call(name: str, arguments: tuple[Node, ...], base: Node | None, parser: Cursor) -> Node:
    wanted = {"gcd": range(2, 30), "lcm": range(2, 30), "root": range(2, 3)}.get(name, range(1, 2))
    if len(arguments) not in wanted:
        raise parser.misfit()
    if name == "abs":
        return Node("abs", arguments)
    if name in ("lg", "cbrt"):
        return Node("call", (arguments[0], number(10 if name == "lg" else 3)), "log" if name == "lg" else "root")
    return Node("call", arguments if base is None else (arguments[0], base), name)


def _raised(call: Node, exponent: Node | None, readings: frozenset[str]) -> Node:
    if exponent is None:
        return call
    if exponent == Node("neg", (number(1),)) and call.text in INVERTIBLE and "inverse:inverse" in readings:
        return Node("call", call.args, f"a{call.text}")
    return Node("pow", (call, exponent))
