"""A Pratt parser: tokens to a tree. It runs nothing and guesses nothing; where a text has two readings, it can give both.

`readings` are the option ids of the readings that were chosen; without them the first reading is given (readings.py).
"""

from collections.abc import Sequence

from apps.providers.builtin.applications import Applications
from apps.providers.builtin.lexer import Token
from apps.providers.builtin.names import DEFINABLE
from apps.providers.builtin.refusals import NotUnderstood, TooLarge
from apps.providers.builtin.strengths import NEGATION, POSTFIX, POWER, PRODUCT, RELATION, REMAINDER, SUM, TIGHT, WHOLE_REMAINDER
from apps.providers.builtin.syntax import Node, is_relation, number, symbol, walk

LONGEST, DEEPEST = 400, 60
_RELATIONS = frozenset(("=", "<", "<=", ">", ">=", "!=", "→"))
_INFIX = {"+": ("add", SUM), "-": ("sub", SUM), "*": ("mul", PRODUCT), "/": ("div", PRODUCT), "mod": ("mod", REMAINDER)}
_POSTFIXES = {"!": "fact", "%": "percent", "°": "degree"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}


def parse(tokens: Sequence[Token], readings: frozenset[str] = frozenset()) -> Node:
    """Return the tree of a formula. Raises NotUnderstood with the piece that does not fit, TooLarge."""
    if len(tokens) > LONGEST:
        raise TooLarge("tokens")
    if "reading:exclamation" in readings and _ends_in_exclamation(tokens):
        tokens = tokens[:-1]
    parser = _Parser(tokens, readings)
    node = parser.expression(0)
    parser.expect_end()
    if any(is_relation(part) for whole in walk(node) for part in whole.args):
        raise NotUnderstood(" ".join(token.text for token in tokens))
    return node


def _ends_in_exclamation(tokens: Sequence[Token]) -> bool:
    """Say whether an equation ends in a mark that may be a factorial or an exclamation."""
    return tokens[-1].text == "!" and any(token.text in _RELATIONS for token in tokens)


class _Parser(Applications):
    def __init__(self, tokens: Sequence[Token], readings: frozenset[str]) -> None:
        super().__init__(tokens, readings)
        self.depth = self.bars = 0

    # --- operators ---------------------------------------------------------------------------------
    def expression(self, above: int) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise TooLarge("depth")
        left = self.prefix(above)
        while (power := self.left_power()) > above:
            left = self.infix(left, power)
        self.depth -= 1
        return left

    def left_power(self) -> int:
        token = self.token
        if token.kind == "op":
            if token.text in _RELATIONS:
                return RELATION
            if token.text in _INFIX:
                if token.text == "mod" and "reading:remainder-whole" in self.readings:
                    return WHOLE_REMAINDER
                return 0 if self.side_length() else _INFIX[token.text][1]
            if token.text == "^":
                return 0 if self.side_length() else POWER
            if token.text in _POSTFIXES:
                return POSTFIX
        return self.implicit_power() if self.starts_operand() else 0

    def side_length(self) -> int:
        """Return how many tokens the sign of a one-sided limit has (0+, 0^+, 0^(+)), 0 if there is none."""
        texts = "".join(self.ahead(distance).text for distance in range(4))
        for sign in ("^(+)", "^(-)", "^{+}", "^{-}", "^+", "^-", "+", "-"):
            if texts.startswith(sign) and self.token.kind == "op" and self.ahead(len(sign)).text in ("", ")", "}"):
                return len(sign)
        return 0

    def implicit_power(self) -> int:
        return TIGHT if "reading:multiply-first" in self.readings else PRODUCT

    def starts_operand(self) -> bool:
        if self.token.kind in ("symbol", "const", "func", "number"):
            return True
        return self.is_sign("(", "[", "{", "√", "∛", "∫", "\\frac") or (self.is_sign("|") and not self.bars)

    def infix(self, left: Node, power: int) -> Node:
        token = self.token
        if token.kind != "op" or (
            power != RELATION and token.text not in _INFIX and token.text != "^" and token.text not in _POSTFIXES
        ):
            return self.implicit_product(left, power)
        self.take()
        if token.text in _RELATIONS:
            return self.relation(left, token.text)
        if token.text in _POSTFIXES:
            return self.postfix(left, token.text)
        if token.text == "^":
            return self.power(left)
        right = self.expression(power)
        # 50 + 20%: a fifth of 50, or a fifth?
        if token.text in ("+", "-") and right.head == "percent" and left.head != "percent":
            raise self.misfit()
        return Node(_INFIX[token.text][0], (left, right))

    def implicit_product(self, left: Node, power: int) -> Node:
        # "2 3", "x 3" and "x3" are slips of the pen more often than products.
        if self.token.kind == "number":
            raise self.misfit()
        return Node("mul", (left, self.expression(power)))

    def relation(self, left: Node, sign: str) -> Node:
        right = self.expression(RELATION)
        if sign == "→" and (length := self.side_length()):
            right = Node("side", (right,), next(self.ahead(n).text for n in range(length) if self.ahead(n).text in ("+", "-")))
            self.place += length
        if is_relation(left):
            return Node("rel", (*left.args, right), f"{left.text},{sign}")
        return Node("rel", (left, right), sign)

    def postfix(self, left: Node, sign: str) -> Node:
        # 10 % 3: percent or remainder?
        if sign == "%" and self.starts_operand():
            raise self.misfit()
        return Node(_POSTFIXES[sign], (left,))

    def power(self, base: Node) -> Node:
        is_bracket = self.is_sign("(", "[", "{")
        exponent = self.expression(POWER - 1)
        may_be_long = base.head in ("num", "const") and exponent.head in ("num", "sym", "const") and not is_bracket
        if may_be_long and "reading:power-long" in self.readings:
            while self.is_touching_letter():
                exponent = Node("mul", (exponent, self.expression(POWER - 1)))
        return Node("pow", (base, exponent))

    # --- operands ----------------------------------------------------------------------------------
    def prefix(self, above: int) -> Node:
        token = self.take()
        if token.kind == "number":
            return number(token.text)
        if token.kind == "const":
            is_letter = f"{token.text}:symbol" in self.readings
            return symbol(token.text) if is_letter else Node("const", text=token.text)
        if token.kind == "symbol":
            return self.letter(token.text)
        if token.kind == "func":
            return self.limit() if token.text == "lim" else self.function(token.text)
        if token.kind == "derivative":
            return self.derivative(token.text)
        if token.kind == "op":
            return self.prefix_sign(token.text, above)
        self.place -= 1
        raise self.misfit()

    def prefix_sign(self, sign: str, above: int) -> Node:
        if sign == "-":
            return Node("neg", (self.expression(max(above, NEGATION)),))
        if sign == "+":
            return self.expression(max(above, NEGATION))
        if sign in _CLOSING:
            return self.bracket(sign)
        if sign == "|":
            return self.bars_group()
        if sign in ("√", "∛"):
            return self.radical(sign)
        if sign == "\\frac":
            return Node("div", (self.braces(), self.braces()))
        if sign == "∫":
            return self.integral()
        self.place -= 1
        raise self.misfit()

    def letter(self, name: str) -> Node:
        if self.is_sign("_"):
            self.take()
            return symbol(f"{name}_{self.index()}")
        # x2 may be x², 2x or x_2.
        if self.token.kind == "number" and not self.token.spaced:
            raise self.misfit()
        if name in DEFINABLE and self.is_sign("("):
            return Node("apply", self.arguments(), name)
        return symbol(name)

    def index(self) -> str:
        has_bracket = self.take_sign("(", "{")
        token = self.take()
        if token.kind not in ("number", "symbol") or "." in token.text:
            self.place -= 1
            raise self.misfit()
        if has_bracket and not self.take_sign(")", "}"):
            raise self.misfit()
        return token.text

    def bracket(self, opening: str) -> Node:
        bars, self.bars = self.bars, 0
        members = [self.expression(RELATION)]
        while self.token.kind == "stop":
            self.take()
            members.append(self.expression(RELATION))
        self.bars = bars
        closing = self.take()
        is_interval = len(members) == 2 and opening in "([" and closing.text in (")", "]")
        if closing.kind != "op" or (closing.text != _CLOSING[opening] and not is_interval):
            self.place -= 1
            raise self.misfit()
        if is_interval:
            return Node("interval", tuple(members), opening + closing.text)
        return members[0] if len(members) == 1 else Node("list", tuple(members))

    def bars_group(self) -> Node:
        self.bars += 1
        inner = self.expression(RELATION)
        self.bars -= 1
        self.expect("|")
        return Node("abs", (inner,))

    def braces(self) -> Node:
        if not self.is_sign("{"):
            raise self.misfit()
        self.take()
        return self.bracket("{")
