"""Formulas as small trees: what the parser builds, the limits look at and the worker computes with."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Node:
    """One node. `head` says what it is, `args` are its parts in order, `text` is what the head leaves open.

    =========== ============================= =============================================
    head        args                          text
    =========== ============================= =============================================
    num         none                          digits, with or without a decimal point
    sym         none                          the letter
    const       none                          ``pi``, ``e``, ``i`` or ``oo``
    add … pow   left, right                   (heads add, sub, mul, div, pow, mod)
    neg, fact   operand                       (also percent, degree, abs)
    call        arguments                     the function; ``log`` may have its base second
    apply       arguments                     f, g or h: a function that the text must define
    rel         two sides or more             the signs between them, with commas
    interval    low, high                     its brackets, such as ``[)``
    list        members
    integral    body, variable[, low, high]
    derivative  body, variable                the order
    limit       body, variable, target        ``+-``, ``+`` or ``-``
    =========== ============================= =============================================
    """

    head: str
    args: tuple["Node", ...] = ()
    text: str = ""

    def to_json(self) -> list[Any]:
        """Return the tree as nested lists, for the worker."""
        return [self.head, self.text, *(part.to_json() for part in self.args)]


def from_json(value: list[Any]) -> Node:
    """Return the tree that `to_json` wrote."""
    head, text, *args = value
    return Node(head, tuple(from_json(part) for part in args), text)


def number(text: str | int) -> Node:
    """Return a number."""
    return Node("num", text=str(text))


def symbol(name: str) -> Node:
    """Return a letter."""
    return Node("sym", text=name)


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it, in the order of writing."""
    yield node
    for part in node.args:
        yield from walk(part)


def letters(*nodes: Node) -> tuple[str, ...]:
    """Return the letters that the formulas depend on, each once, in the order of writing."""
    found = (part.text for node in nodes for part in walk(node) if part.head == "sym")
    return tuple(dict.fromkeys(found))


def rewrite(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return the tree with `change` applied to every node, parts first."""
    return change(Node(node.head, tuple(rewrite(part, change) for part in node.args), node.text))


def substitute(node: Node, name: str, value: Node) -> Node:
    """Return the tree with a letter replaced by a value."""
    return rewrite(node, lambda part: value if part.head == "sym" and part.text == name else part)


def is_relation(node: Node, *signs: str) -> bool:
    """Say whether the node is a relation; with `signs`, whether it has only these."""
    return node.head == "rel" and (not signs or set(node.text.split(",")) <= set(signs))
