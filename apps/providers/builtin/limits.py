"""Refuse what would take too long before anything is computed: an upper bound of every number in a formula."""

import math

from apps.providers.builtin.refusals import TooLarge
from apps.providers.builtin.syntax import Node

LARGEST_EXPONENT, LARGEST_FACTORIAL, LONGEST_NUMBER, LONGEST_TEXT = 2000, 500, 5000, 2000
"""Absolute exponent, factorial's argument, decimal digits of any number, characters of a problem."""


def check_size(node: Node) -> None:
    """Raise TooLarge if a power, a factorial or a number in the formula is beyond the limits.

    A remainder of a power is exempt: it is computed without the power.
    """
    if node.head == "mod" and node.args[0].head == "pow":
        for part in (*node.args[0].args, node.args[1]):
            check_size(part)
        return
    for part in node.args:
        check_size(part)
    if node.head == "pow" and abs(_value(node.args[1]) or 0) > LARGEST_EXPONENT:
        raise TooLarge("exponent")
    if node.head == "fact" and (_value(node.args[0]) or 0) > LARGEST_FACTORIAL:
        raise TooLarge("factorial")
    if _digits(node) > LONGEST_NUMBER:
        raise TooLarge("digits")


def _value(node: Node) -> float | None:
    """Return the value of a formula without letters as a float (infinite if too large), None with letters."""
    try:
        return _float(node)
    except OverflowError:
        return math.inf
    except (ValueError, ZeroDivisionError):
        return None


def _float(node: Node) -> float | None:
    if node.head == "num":
        return float(node.text)
    if node.head == "const":
        return {"pi": math.pi, "e": math.e}.get(node.text)
    values = [_float(part) for part in node.args]
    known = [value for value in values if value is not None]
    if len(known) != len(values) or not values:
        return None
    return _combined(node, known)


def _combined(node: Node, values: list[float]) -> float | None:
    match node.head, values:
        case "neg", [value]:
            return -value
        case "add", [left, right]:
            return left + right
        case "sub", [left, right]:
            return left - right
        case "mul", [left, right]:
            return left * right
        case "div", [left, right]:
            return left / right
        case "pow", [base, exponent]:
            power = base**exponent
            return None if isinstance(power, complex) else power
        case "fact", [value]:
            return math.inf if value > 170 else math.gamma(value + 1)
        case (("abs" | "percent" | "degree"), [value]):
            return abs(value)
    return None


def _digits(node: Node) -> float:
    """Return an upper bound of the decimal digits that the formula's exact value needs; 0 for letters."""
    sizes = [_digits(part) for part in node.args]
    match node.head:
        case "num":
            return float(len(node.text))
        case "add" | "sub" | "mul" | "div" | "mod":
            return sum(sizes) + 1
        case "pow":
            return sizes[0] * max(1.0, abs(_value(node.args[1]) or 1.0))
        case "fact":
            value = _value(node.args[0]) or 1.0
            return value * math.log10(value + 1) + 1
    return max(sizes, default=0.0)
