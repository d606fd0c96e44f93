"""Trees to SymPy's expressions, node by node. Nothing here reads text."""

from collections.abc import Callable
from typing import Any

import sympy

from apps.providers.builtin.maths.outcome import CannotSolve
from apps.providers.builtin.syntax import Node

_CONSTANTS = {"pi": sympy.pi, "e": sympy.E, "i": sympy.I, "oo": sympy.oo}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": sympy.sin, "cos": sympy.cos, "tan": sympy.tan, "cot": sympy.cot, "sec": sympy.sec, "csc": sympy.csc,
    "asin": sympy.asin, "acos": sympy.acos, "atan": sympy.atan, "acot": sympy.acot, "asec": sympy.asec, "acsc": sympy.acsc,
    "sinh": sympy.sinh, "cosh": sympy.cosh, "tanh": sympy.tanh, "asinh": sympy.asinh, "acosh": sympy.acosh,
    "atanh": sympy.atanh, "exp": sympy.exp, "ln": sympy.log, "log": sympy.log, "sqrt": sympy.sqrt,
}  # fmt: skip
_OPERATORS: dict[str, Callable[..., Any]] = {
    "neg": lambda part: -part,
    "add": lambda left, right: left + right,
    "sub": lambda left, right: left - right,
    "mul": lambda left, right: left * right,
    "pow": sympy.Pow,
    "abs": sympy.Abs,
    "percent": lambda part: part / 100,
    "degree": lambda part: part * sympy.pi / 180,
}


def build(node: Node, *, real: frozenset[str] = frozenset()) -> Any:
    """Return the expression of a tree; the letters in `real` are real. Raises CannotSolve."""
    match node.head:
        case "num":
            return sympy.Rational(node.text)
        case "sym":
            return letter(node.text, real=real)
        case "const":
            return _CONSTANTS[node.text]
    parts = [build(part, real=real) for part in node.args]
    if node.head in _OPERATORS:
        return _finite(_OPERATORS[node.head](*parts))
    match node.head, parts:
        case "div", [left, right]:
            if right.is_zero or right.equals(0):
                raise CannotSolve("division_by_zero")
            return left / right
        case "fact", [part]:
            return _factorial(part)
        case "mod", [left, right]:
            return _remainder(left, right)
        case "call", _:
            return _finite(_call(node.text, parts))
    raise CannotSolve("not_supported")


def letter(name: str, *, real: frozenset[str] = frozenset()) -> Any:
    """Return the symbol of a letter."""
    return sympy.Symbol(name, real=True) if name in real else sympy.Symbol(name)


def _finite(value: Any) -> Any:
    if value.has(sympy.zoo, sympy.nan):
        raise CannotSolve("undefined")
    return value


def _factorial(part: Any) -> Any:
    if not part.is_Integer or part < 0:
        raise CannotSolve("factorial")
    return sympy.factorial(part)


def _remainder(left: Any, right: Any) -> Any:
    if not (left.is_Integer and right.is_Integer) or right == 0:
        raise CannotSolve("whole_numbers")
    return left % right


def _call(name: str, parts: list[Any]) -> Any:
    match name, parts:
        case "root", [part, index]:
            is_odd = index.is_Integer and int(index) % 2 == 1
            return -((-part) ** (1 / index)) if is_odd and part.is_negative else part ** (1 / index)
        case (("gcd" | "lcm"), _):
            if not all(part.is_Integer for part in parts):
                raise CannotSolve("whole_numbers")
            return sympy.igcd(*parts) * sympy.Integer(1) if name == "gcd" else sympy.ilcm(*parts) * sympy.Integer(1)
        case "log", [_, base] if base == 1 or base.is_nonpositive:
            raise CannotSolve("undefined")
    if name not in _FUNCTIONS:
        raise CannotSolve("not_supported")
    return _FUNCTIONS[name](*parts)
