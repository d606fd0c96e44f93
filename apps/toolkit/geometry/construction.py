"""A list of lines, computed one after the other; each may use the names of those before it."""

from collections.abc import Callable, Sequence
from typing import Any

from sympy import Expr

from apps.toolkit.geometry.commands import COMMANDS, made
from apps.toolkit.geometry.faults import Fault
from apps.toolkit.geometry.numbers import CONSTANTS, literal, power, quotient, tidy
from apps.toolkit.geometry.objects import Angle, kind_of, point
from apps.toolkit.geometry.parser import Node, parse

MOST_THINGS = 200

_ARITHMETIC: dict[str, Callable[[Expr, Expr], Expr]] = {
    "+": lambda left, right: tidy(left + right),
    "-": lambda left, right: tidy(left - right),
    "*": lambda left, right: tidy(left * right),
    "/": quotient,
    "^": power,
}


class AtLine(Exception):
    """A line has a fault; lines count from 1."""

    def __init__(self, line: int, fault: Fault) -> None:
        super().__init__(fault.key)
        self.line, self.fault = line, fault


def construct(lines: Sequence[str]) -> dict[str, Any]:
    """Return what the lines make, by name and in order. A line without a name gets its number. Raises AtLine."""
    things: dict[str, Any] = {}
    for number, line in enumerate(lines, 1):
        try:
            _add(things, line, f"#{number}")
        except Fault as fault:
            raise AtLine(number, fault) from None
    return things


def _add(things: dict[str, Any], line: str, number: str) -> None:
    statement = parse(line)
    if statement.name in things or statement.name in CONSTANTS or statement.name.lower() == "sqrt":
        raise Fault("name_taken", name=statement.name)
    name = statement.name or number
    made_of_it = _value(statement.body, things)
    several = made_of_it if isinstance(made_of_it, list) else [made_of_it]
    names = [name] if len(several) == 1 else [f"{name}_{place}" for place in range(1, len(several) + 1)]
    for each, thing in zip(names, several, strict=True):
        if each in things:
            raise Fault("name_taken", name=each)
        things[each] = thing
    if len(things) > MOST_THINGS:
        raise Fault("many_things", limit=MOST_THINGS)


def _value(node: Node, things: dict[str, Any]) -> Any:
    match node.head:
        case "number":
            return literal(node)
        case "name":
            return _named(node.text, things)
        case "call":
            return made(node.text, [_single(part, things) for part in node.args])
        case "pair":
            x, y = (_number(part, things) for part in node.args)
            return point(x, y)
        case "neg":
            return tidy(-_number(node.args[0], things))
        case _:
            left, right = (_number(part, things) for part in node.args)
            return _ARITHMETIC[node.head](left, right)


def _named(name: str, things: dict[str, Any]) -> Any:
    if name in things:
        return things[name]
    if name in CONSTANTS:
        return CONSTANTS[name]
    if f"{name}_1" in things:
        raise Fault("several", name=name)
    raise Fault("command_alone" if name.lower() in COMMANDS else "unknown_name", name=name)


def _single(node: Node, things: dict[str, Any]) -> Any:
    """Return the value of an argument. An intersection of several points is no one thing."""
    value = _value(node, things)
    if not isinstance(value, list):
        return value
    if len(value) > 1:
        raise Fault("several_inside")
    return value[0]


def _number(node: Node, things: dict[str, Any]) -> Expr:
    value = _single(node, things)
    if isinstance(value, Angle):
        return value.radians
    if kind_of(value) != "number":
        raise Fault("no_number", given=kind_of(value))
    return value
