"""The value of a formula at given values, computed straight from the tree by mpmath: it knows nothing of SymPy's results.

With `real=True` a formula is undefined where any part of it leaves the real numbers, as school mathematics has it.
"""

from collections.abc import Mapping
from typing import Any

import mpmath

from apps.providers.builtin.syntax import Node

PRECISION = 40
"""Decimal digits of checks."""
mpmath.mp.dps = PRECISION

_FUNCTIONS = frozenset(
    (
        "sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "acot", "asec", "acsc",
        "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "ln", "sqrt",
    )
)  # fmt: skip


class Undefined(Exception):
    """The formula has no value here."""


def evaluate(node: Node, values: Mapping[str, Any], *, real: bool = True, context: Any = mpmath.mp) -> Any:
    """Return the value. Raises Undefined. `context` is mpmath.mp, or mpmath.fp where speed matters more."""
    try:
        return _Evaluator(values, real, context).value(node)
    except (ZeroDivisionError, OverflowError, ValueError, TypeError, mpmath.libmp.ComplexResult):
        raise Undefined from None


class _Evaluator:
    def __init__(self, values: Mapping[str, Any], real: bool, context: Any) -> None:
        self.values, self.real, self.context = values, real, context

    def value(self, node: Node) -> Any:
        result = self.leaf(node) if not node.args else self.inner(node, [self.value(part) for part in node.args])
        if self.context.isnan(result) or self.context.isinf(result):
            raise Undefined
        if self.real and isinstance(result, (complex, mpmath.mpc)):
            if result.imag != 0:
                raise Undefined
            result = result.real
        return result

    def leaf(self, node: Node) -> Any:
        if node.head == "num":
            return self.context.mpf(node.text)
        if node.head == "sym":
            if node.text not in self.values:
                raise Undefined
            return self.values[node.text]
        if node.text == "oo":
            raise Undefined
        return {"pi": self.context.pi, "e": self.context.e, "i": self.context.j}[node.text] * 1

    def inner(self, node: Node, parts: list[Any]) -> Any:
        match node.head, parts:
            case "neg", [part]:
                return -part
            case "add", [left, right]:
                return left + right
            case "sub", [left, right]:
                return left - right
            case "mul", [left, right]:
                return left * right
            case "div", [left, right]:
                return left / right
            case "pow", [base, exponent]:
                return self.power(base, exponent)
            case "abs", [part]:
                return abs(part)
        return self.rare(node, parts)

    def rare(self, node: Node, parts: list[Any]) -> Any:
        match node.head, parts:
            case "percent", [part]:
                return part / 100
            case "degree", [part]:
                return part * self.context.pi / 180
            case "mod", [left, right]:
                return left - right * self.context.floor(left / right)
            case "fact", [part]:
                if part != int(part) or part < 0:
                    raise Undefined
                return self.context.factorial(part)
            case "call", _:
                return self.call(node.text, parts)
        raise Undefined

    def power(self, base: Any, exponent: Any) -> Any:
        if base == 0 and (isinstance(exponent, (complex, mpmath.mpc)) or exponent <= 0):
            raise Undefined
        return base**exponent if exponent != int(exponent.real) else base ** int(exponent.real)

    def call(self, name: str, parts: list[Any]) -> Any:
        match name, parts:
            case "log", [part, base]:
                return self.context.ln(part) / self.context.ln(base)
            case "root", [part, index]:
                return self.root(part, index)
            case (("gcd" | "lcm"), _):
                return self.whole(name, parts)
            case _, [part] if name in _FUNCTIONS:
                return getattr(self.context, name)(part)
        raise Undefined

    def root(self, part: Any, index: Any) -> Any:
        is_odd = index == int(index) and int(index) % 2 == 1
        if is_odd and not isinstance(part, (complex, mpmath.mpc)) and part < 0:
            return -((-part) ** (1 / index))
        return part ** (1 / index)

    def whole(self, name: str, parts: list[Any]) -> Any:
        if any(part != int(part) for part in parts):
            raise Undefined
        result = int(parts[0])
        for part in map(int, parts[1:]):
            divisor, rest = abs(result), abs(part)
            while rest:
                divisor, rest = rest, divisor % rest
            result = divisor if name == "gcd" else abs(result * part) // divisor
        return self.context.mpf(result)
