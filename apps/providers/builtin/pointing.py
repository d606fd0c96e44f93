"""From a text to points and one measure of them. A text that is not wholly of this form is read as any other."""

import re
from collections.abc import Sequence

from apps.providers.builtin.lexer import Token, tokens_of
from apps.providers.builtin.limits import check_size
from apps.providers.builtin.names import formula_tokens
from apps.providers.builtin.problem import Problem
from apps.providers.builtin.readings import read_formula
from apps.providers.builtin.refusals import NotUnderstood
from apps.providers.builtin.render import plain
from apps.providers.builtin.syntax import Node, symbol, walk

MEASURES = ("area", "distance", "midpoint")
_SENTENCES = (
    ("area", r"(?i:area of (?:the )?triangle) ([A-Z]{3})"),
    ("area", r"(?:三角形|△) ?([A-Z]{3}) ?的面积"),
    ("distance", r"(?i:distance (?:between|from) (?:points? )?)([A-Z]) (?i:and|to) ([A-Z])"),
    ("distance", r"(?i:length of (?:the )?(?:segment |side )?)([A-Z]{2})"),
    ("distance", r"(?:点 ?)?([A-Z]) ?(?:,|和|与|到) ?(?:点 ?)?([A-Z]) ?(?:两点)?(?:之?间)?的距离"),
    ("distance", r"(?:线段 ?)?([A-Z]{2}) ?的长度?"),
    ("midpoint", r"(?i:midpoint of (?:the )?(?:segment )?)([A-Z]{2})"),
    ("midpoint", r"(?:线段 ?)?([A-Z]{2}) ?的中点(?:坐标)?"),
)
_BEGIN = r"(?i:(?:please |find |compute |calculate |what is |the )*|(?:请|求出?|计算) ?)"
_END = r"(?: ?(?:是多少|等于多少|是什么))?"
# Each point that was taken out left a mark.
_POINTS = r"(?i:(?:given|let|points?|the|with|where|for|已知|设|其中|若|点) ?)*@(?:(?:[, ]|(?i:and)|和|与|点)*@)*"
_ORDERS = tuple(
    (measure, re.compile("[, ]*".join((*order, ""))))
    for measure, sentence in _SENTENCES
    for question in (f"{_BEGIN}{sentence}{_END}",)
    for order in ((_POINTS, question), (question, _POINTS))
)
_KNOWN = frozenset(("num", "neg", "add", "sub", "mul", "div", "pow"))


def read_points(text: str) -> Problem | None:
    """Return the points and their measure; None: it is another kind of text. Raises NotUnderstood, TooLarge."""
    tokens = tokens_of(text)
    points: list[tuple[str, list[list[Token]]]] = []
    words: list[str] = []
    place = 0
    while place < len(tokens):
        length, coordinates = _point_at(tokens, place)
        if length:
            points.append((tokens[place].text, coordinates))
        words.append("@" if length else "," if tokens[place].kind == "stop" else tokens[place].text)
        place += length or 1
    said = " ".join(words)
    found = next(((measure, match) for measure, order in _ORDERS if (match := order.fullmatch(said))), None)
    if found is None or not points:
        return None
    measure, match = found
    return _problem(measure, tuple("".join(filter(None, match.groups()))), points)


def _point_at(tokens: Sequence[Token], place: int) -> tuple[int, list[list[Token]]]:
    """Return how many tokens ``A = (0, 1)`` takes here, and its two coordinates; 0: there is no point."""
    name, after = tokens[place], place + 1
    if name.kind != "letters" or len(name.text) != 1 or not ("A" <= name.text <= "Z"):
        return 0, []
    after += after < len(tokens) and tokens[after].text == "="
    if after >= len(tokens) or tokens[after].text != "(":
        return 0, []
    parts: list[list[Token]] = [[]]
    depth = 1
    for end in range(after + 1, len(tokens)):
        token = tokens[end]
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0:
            return (end + 1 - place, parts) if len(parts) == 2 and all(parts) else (0, [])
        if depth == 1 and token.text == ",":
            parts.append([])
        else:
            parts[-1].append(token)
    return 0, []


def _problem(measure: str, names: tuple[str, ...], points: Sequence[tuple[str, list[list[Token]]]]) -> Problem:
    """Return the problem if each point has one place and is used. Raises NotUnderstood."""
    formulas = tuple(
        Node("rel", (symbol(name), Node("list", tuple(map(_coordinate, coordinates)))), "=") for name, coordinates in points
    )
    defined = [name for name, _ in points]
    strange = [
        plain(formula) for name, formula in zip(defined, formulas, strict=True) if defined.count(name) > 1 or name not in names
    ]
    strange += [name for name in names if name not in defined or names.count(name) > 1]
    if strange:
        raise NotUnderstood(*dict.fromkeys(strange))
    return Problem(measure, formulas, names)


def _coordinate(tokens: list[Token]) -> Node:
    """Return a coordinate: a number of fractions, roots and π that is read in one way only."""
    node, fork = read_formula(formula_tokens(tokens), frozenset())
    check_size(node)
    if fork is not None or not all(map(_is_known, walk(node))):
        raise NotUnderstood(plain(node))
    return node


def _is_known(part: Node) -> bool:
    is_constant = part.head == "const" and part.text == "pi"
    return part.head in _KNOWN or is_constant or (part.head == "call" and part.text == "sqrt")
