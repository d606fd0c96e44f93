"""A Pratt parser: tokens to a tree. It runs nothing and guesses nothing; where a text has two readings, it can give both.

`readings` are the option ids of the readings that were chosen; without them the first reading is given (readings.py).
"""

from collections.abc import Sequence

from apps.providers.builtin.lexer import Token
from apps.providers.builtin.names import DEFINABLE, INVERTIBLE
from apps.providers.builtin.refusals import NotUnderstood, TooLarge
from apps.providers.builtin.syntax import Node, is_relation, number, symbol, walk

LONGEST, DEEPEST = 400, 60
_RELATION, _WHOLE_REMAINDER, _SUM, _REMAINDER, _NEGATION, _PRODUCT, _TIGHT, _POWER, _POSTFIX = 10, 15, 20, 25, 29, 30, 35, 40, 50
_RELATIONS = frozenset(("=", "<", "<=", ">", ">=", "!=", "→"))
_INFIX = {"+": ("add", _SUM), "-": ("sub", _SUM), "*": ("mul", _PRODUCT), "/": ("div", _PRODUCT), "mod": ("mod", _REMAINDER)}
_POSTFIXES = {"!": "fact", "%": "percent", "°": "degree"}
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_END = Token("end", "")


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


class _Parser:
    def __init__(self, tokens: Sequence[Token], readings: frozenset[str]) -> None:
        self.tokens, self.readings = tokens, readings
        self.place = self.depth = self.bars = 0

    # --- the token at hand -------------------------------------------------------------------------
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
                return _RELATION
            if token.text in _INFIX:
                if token.text == "mod" and "reading:remainder-whole" in self.readings:
                    return _WHOLE_REMAINDER
                return 0 if self.side_length() else _INFIX[token.text][1]
            if token.text == "^":
                return 0 if self.side_length() else _POWER
            if token.text in _POSTFIXES:
                return _POSTFIX
        return self.implicit_power() if self.starts_operand() else 0

    def side_length(self) -> int:
        """Return how many tokens the sign of a one-sided limit has (0+, 0^+, 0^(+)), 0 if there is none."""
        texts = "".join(self.ahead(distance).text for distance in range(4))
        for sign in ("^(+)", "^(-)", "^{+}", "^{-}", "^+", "^-", "+", "-"):
            if texts.startswith(sign) and self.token.kind == "op" and self.ahead(len(sign)).text in ("", ")", "}"):
                return len(sign)
        return 0

    def implicit_power(self) -> int:
        return _TIGHT if "reading:multiply-first" in self.readings else _PRODUCT

    def starts_operand(self) -> bool:
        if self.token.kind in ("symbol", "const", "func", "number"):
            return True
        return self.is_sign("(", "[", "{", "√", "∛", "∫", "\\frac") or (self.is_sign("|") and not self.bars)

    def infix(self, left: Node, power: int) -> Node:
        token = self.token
        if token.kind != "op" or (
            power != _RELATION and token.text not in _INFIX and token.text != "^" and token.text not in _POSTFIXES
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
        right = self.expression(_RELATION)
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
        exponent = self.expression(_POWER - 1)
        may_be_long = base.head in ("num", "const") and exponent.head in ("num", "sym", "const") and not is_bracket
        if may_be_long and "reading:power-long" in self.readings:
            while self.is_touching_letter():
                exponent = Node("mul", (exponent, self.expression(_POWER - 1)))
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
            return Node("neg", (self.expression(max(above, _NEGATION)),))
        if sign == "+":
            return self.expression(max(above, _NEGATION))
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
        members = [self.expression(_RELATION)]
        while self.token.kind == "stop":
            self.take()
            members.append(self.expression(_RELATION))
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
        inner = self.expression(_RELATION)
        self.bars -= 1
        self.expect("|")
        return Node("abs", (inner,))

    def braces(self) -> Node:
        if not self.is_sign("{"):
            raise self.misfit()
        self.take()
        return self.bracket("{")

    def radical(self, sign: str) -> Node:
        index = number(3) if sign == "∛" else None
        if sign == "√" and self.is_sign("["):
            self.take()
            index = self.expression(_RELATION)
            self.expect("]")
        is_long = "reading:root-long" in self.readings and not self.is_sign("(", "{", "[")
        inner = self.factors(self.expression(_POWER - 1), False) if is_long else self.prefix(_POSTFIX)
        return Node("call", (inner,), "sqrt") if index is None else Node("call", (inner, index), "root")

    # --- functions ---------------------------------------------------------------------------------
    def function(self, name: str) -> Node:
        if name in ("sqrt", "cbrt") and not self.is_sign("(", "{"):
            return self.radical("√" if name == "sqrt" else "∛")
        base = self.base() if name == "log" else None
        exponent = self.expression(_POWER - 1) if self.take_sign("^") else None
        arguments = self.arguments() if self.is_sign("(", "{") else (self.bare_argument(),)
        return _raised(_call(name, arguments, base, self), exponent, self.readings)

    def base(self) -> Node | None:
        """Read the base of log_2, log_{10}, or log2( if that reading was chosen."""
        if self.take_sign("_"):
            return self.subscript()
        is_glued = self.token.kind == "number" and not self.token.spaced and self.ahead(1).text in ("(", "{")
        return number(self.take().text) if is_glued and "reading:log-base" in self.readings else None

    def subscript(self) -> Node:
        return self.bracket(self.take().text) if self.is_sign("(", "{") else self.prefix(_POSTFIX)

    def arguments(self) -> tuple[Node, ...]:
        group = self.bracket(self.take().text)
        return group.args if group.head == "list" or (group.head == "interval" and group.text == "()") else (group,)

    def bare_argument(self) -> Node:
        """Read what a function without brackets applies to: sin 2x, ln x, sin πx, cos -x."""
        if self.is_sign("-"):
            self.take()
            return Node("neg", (self.bare_argument(),))
        is_long = "reading:argument-long" in self.readings
        argument = self.factors(self.expression(_POWER - 1), is_long)
        if is_long and self.is_sign("/") and self.ahead(1).kind == "number":
            self.take()
            argument = Node("div", (argument, self.expression(_POWER - 1)))
        return argument

    def factors(self, first: Node, is_long: bool) -> Node:
        product = last = first
        while self.starts_operand() and self.token.kind not in ("func", "number"):
            is_open = last.head in ("num", "const") or is_long
            if not is_open and (self.token.spaced or self.token.kind == "op"):
                break
            last = self.expression(_POWER - 1)
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
            name = self.prefix(_POSTFIX)
            self.expect("→")
            approach = Node("rel", (name, self.target_with_side()), "→")
        body = self.expression(_SUM)
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
            return Node("neg", (self.prefix(_POSTFIX),))
        return self.prefix(_POSTFIX)

    def integral(self) -> Node:
        low = self.subscript() if self.take_sign("_") else None
        high = self.signed_subscript() if self.take_sign("^") else None
        if (low is None) != (high is None):
            raise self.misfit()
        body = number(1) if self.token.kind == "diff" else self.expression(_RELATION)
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
            bound = Node("mul", (bound, self.expression(_POWER)))
        return bound

    def is_touching_letter(self) -> bool:
        return self.token.kind in ("symbol", "const") and not self.token.spaced

    def derivative(self, text: str) -> Node:
        """Read what stands after d/dx or d^2/dx^2."""
        order = text[2] if text.startswith("d^") else "1"
        return Node("derivative", (self.expression(_NEGATION), symbol(text.split("/d")[1][0])), order)


def approach_limit(approach: Node, body: Node) -> Node:
    """Make a limit of ``x→a`` and a body. Raises NotUnderstood."""
    if not is_relation(approach, "→") or len(approach.args) != 2 or approach.args[0].head != "sym":
        raise NotUnderstood("lim")
    variable, target = approach.args
    if target.head == "side":
        return Node("limit", (body, variable, target.args[0]), target.text)
    return Node("limit", (body, variable, target), "+-")


def _call(name: str, arguments: tuple[Node, ...], base: Node | None, parser: _Parser) -> Node:
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
