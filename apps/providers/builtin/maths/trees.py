"""SymPy's expressions back to trees: written as text and read by the solver's own parser, so that numbers can check them."""

from typing import Any

from apps.providers.builtin.lexer import tokens_of
from apps.providers.builtin.maths.outcome import CannotSolve
from apps.providers.builtin.maths.printing import plain
from apps.providers.builtin.names import formula_tokens
from apps.providers.builtin.parser import parse
from apps.providers.builtin.refusals import NotUnderstood, TooLarge
from apps.providers.builtin.syntax import Node


def tree_of(expression: Any) -> Node:
    """Return the tree of an expression. Raises CannotSolve if it holds what the parser does not know."""
    try:
        return parse(formula_tokens(tokens_of(plain(expression))))
    except (NotUnderstood, TooLarge):
        raise CannotSolve("not_supported") from None
