"""Notations that people read in two ways: find them by parsing both ways, and name the ways for a question."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.providers.builtin.lexer import Token
from apps.providers.builtin.parser import parse
from apps.providers.builtin.refusals import NotUnderstood
from apps.providers.builtin.syntax import Node

FORKS = (
    ("reading:divide-first", "reading:multiply-first"),  # 1/2x
    ("inverse:inverse", "inverse:reciprocal"),  # cos^-1 x
    ("reading:argument-short", "reading:argument-long"),  # sin x/2
    ("reading:root-short", "reading:root-long"),  # √2x
    ("reading:power-short", "reading:power-long"),  # 2^3x
    ("reading:log-argument", "reading:log-base"),  # log2(8)
    ("reading:bound-short", "reading:bound-long"),  # ∫_0^2π sin x dx
    ("reading:remainder-last", "reading:remainder-whole"),  # 7 + 3 mod 4
    ("reading:factorial", "reading:exclamation"),  # x + 1 = 3!
)
"""Pairs of option ids. A formula has the fork if the two ways give two trees."""
_SIGNS = ("/", "^", "func", "root", "^", "log", "∫", "mod", "!")
"""For each fork what must stand in the formula, a token's text or kind: without it there is no need to parse twice."""


@dataclass(frozen=True, slots=True)
class Fork:
    """A formula with two readings: the option ids and what each makes of the formula."""

    options: tuple[str, str]
    trees: tuple[Node, Node]


def read_formula(tokens: Sequence[Token], chosen: frozenset[str]) -> tuple[Node, Fork | None]:
    """Return the tree under the chosen readings, and the first fork that is still open.

    Raises NotUnderstood and TooLarge.
    """
    tree = parse(tokens, chosen)
    present = {token.text for token in tokens} | {token.kind for token in tokens}
    present |= {"root"} if present & {"√", "∛", "sqrt", "cbrt"} else set()
    for options, sign in zip(FORKS, _SIGNS, strict=True):
        if sign in present and chosen.isdisjoint(options) and (fork := _fork(tokens, chosen, options)):
            return tree, fork
    return tree, None


def _fork(tokens: Sequence[Token], chosen: frozenset[str], options: tuple[str, str]) -> Fork | None:
    trees = []
    for option in options:
        try:
            trees.append(parse(tokens, chosen | {option}))
        except NotUnderstood:
            return None
    return None if _flat(trees[0]) == _flat(trees[1]) else Fork(options, (trees[0], trees[1]))


def _flat(tree: Node) -> Node:
    """Forget how the factors of a product are grouped, which changes no value."""
    if tree.head == "mul":
        return Node("mul", tuple(_flat(factor) for factor in _factors(tree)))
    return Node(tree.head, tuple(_flat(part) for part in tree.args), tree.text)


def _factors(tree: Node) -> Iterator[Node]:
    if tree.head != "mul":
        yield tree
        return
    for part in tree.args:
        yield from _factors(part)
