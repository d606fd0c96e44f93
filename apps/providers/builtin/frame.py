"""A sentence's parts put in their places: what is asked, of which formulas, by which variable, from where to where."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from apps.providers.builtin.limits import check_size
from apps.providers.builtin.readings import Fork, read_formula
from apps.providers.builtin.refusals import NotUnderstood
from apps.providers.builtin.render import plain
from apps.providers.builtin.syntax import Node, is_relation, letters, walk
from apps.providers.builtin.words import Formula, Item, Word

OPERATORS = frozenset(("integral", "derivative", "limit"))
"""Heads that are a task of their own, and nothing within another formula."""
_MARKERS = frozenset(("by", "given", "from", "to", "between", "and", "of", "is"))


@dataclass(slots=True)
class Frame:
    """What a sentence says. Every part must be used by the task; the methods take the parts out one by one."""

    tasks: list[str] = field(default_factory=list)
    orders: list[int] = field(default_factory=list)
    settings: set[str] = field(default_factory=set)
    formulas: list[Node] = field(default_factory=list)
    variables: list[Node] = field(default_factory=list)
    intervals: list[Node] = field(default_factory=list)
    points: list[Node] = field(default_factory=list)
    approaches: list[Node] = field(default_factory=list)
    lows: list[Node] = field(default_factory=list)
    highs: list[Node] = field(default_factory=list)
    sides: list[str] = field(default_factory=list)
    asks_whether: bool = False
    joined_by_of: bool = False
    fork: Fork | None = None
    words: dict[str, str] = field(default_factory=dict)
    """The word that brought each task, to quote it."""


def frame_of(items: Sequence[Item], chosen: frozenset[str]) -> Frame:
    """Put every item in its place. Raises NotUnderstood, TooLarge."""
    builder = _Builder(items, chosen)
    for place, item in enumerate(items):
        builder.add(place, item)
    builder.drop_marker()
    return builder.frame


class _Builder:
    def __init__(self, items: Sequence[Item], chosen: frozenset[str]) -> None:
        self.items, self.chosen, self.frame = items, chosen, Frame()
        self.marker: Word | None = None
        self.marker_place = -1
        self.last_slot: list[Node] | None = None

    def add(self, place: int, item: Item) -> None:
        if isinstance(item, Formula):
            self.formula(item)
        elif isinstance(item, Word):
            self.word(item, place)
        elif item.text != ",":
            self.last_slot = None

    # --- words -------------------------------------------------------------------------------------
    def word(self, word: Word, place: int) -> None:
        kind, _, detail = word.role.partition(":")
        if word.role in _MARKERS:
            self.mark(word, place)
        elif kind == "order":
            self.frame.orders.append(int(detail))
        elif kind == "side":
            self.frame.sides.append(detail)
        elif kind in ("domain", "angle", "form"):
            self.setting(word, place)
        elif kind != "filler":
            self.frame.tasks.append(kind)
            self.frame.words.setdefault(kind, word.text)

    def setting(self, word: Word, place: int) -> None:
        kind = word.role.partition(":")[0]
        if any(other.partition(":")[0] == kind and other != word.role for other in self.frame.settings):
            raise NotUnderstood(word.text)
        self.frame.settings.add(word.role)
        # The preposition of "over the reals" is used up; that of "for real x" still waits for its formula.
        if self.marker is not None and self.marker.role == "by" and not isinstance(self.neighbour(place, 1), Formula):
            self.marker = None

    def mark(self, word: Word, place: int) -> None:
        if word.role == "is":
            self.frame.asks_whether = True
            self.frame.words["is"] = word.text
        elif word.role == "of":
            before, after = self.neighbour(place, -1), self.neighbour(place, 1)
            self.frame.joined_by_of |= isinstance(before, Formula) and isinstance(after, Formula)
        elif word.role == "and":
            self.join(word, place)
        else:
            # "for when x = 3": the second of two prepositions stands for both.
            if not (self.marker and self.marker.role == word.role == "by" and self.marker_place == place - 1):
                self.drop_marker()
            self.marker, self.marker_place = word, place

    def join(self, word: Word, place: int) -> None:
        """Let "and" stand between formulas only: what else it would join is not known."""
        if not (isinstance(self.neighbour(place, -1), Formula) and isinstance(self.neighbour(place, 1), Formula)):
            raise NotUnderstood(word.text)
        if self.last_slot is self.frame.lows:
            self.marker = Word("to", word.text)

    def drop_marker(self) -> None:
        """Complain of a preposition that is still waiting for its formula."""
        if self.marker is not None:
            raise NotUnderstood(self.marker.text)

    def neighbour(self, place: int, step: int) -> Item | None:
        place += step
        while 0 <= place < len(self.items):
            item = self.items[place]
            if not (isinstance(item, Word) and item.role in ("filler", "by")):
                return item
            place += step
        return None

    # --- formulas ----------------------------------------------------------------------------------
    def formula(self, formula: Formula) -> None:
        node, fork = read_formula(formula.tokens, self.chosen)
        check_size(node)
        if any(part.head in OPERATORS for whole in walk(node) for part in whole.args):
            raise NotUnderstood(plain(node), hint="operator")
        self.frame.fork = self.frame.fork or fork
        slot = self.slot(node, self.marker.role if self.marker else "")
        slot += node.args if slot is self.frame.variables and node.args else (node,)
        self.last_slot, self.marker = slot, None

    def slot(self, node: Node, marker: str) -> list[Node]:
        frame = self.frame
        if marker == "from" or marker == "between":
            return frame.lows
        if marker == "to":
            return frame.highs
        if marker == "by" or (marker == "given" and is_point(node)):
            return self.slot_by_shape(node)
        if self.last_slot is frame.variables and is_letters(node) and frame.variables:
            return frame.variables
        if self.last_slot is frame.points and is_point(node):
            return frame.points
        if is_relation(node, "→"):
            return frame.approaches
        return frame.intervals if node.head == "interval" else frame.formulas

    def slot_by_shape(self, node: Node) -> list[Node]:
        frame = self.frame
        if is_letters(node):
            return frame.variables
        if node.head == "interval":
            return frame.intervals
        if is_relation(node, "→"):
            return frame.approaches
        if is_point(node):
            return frame.points
        return frame.intervals if is_range(node) else frame.formulas


def is_letters(node: Node) -> bool:
    """Say whether this is a letter, or several in brackets."""
    return node.head == "sym" or (
        node.head in ("list", "interval") and bool(node.args) and all(part.head == "sym" for part in node.args)
    )


def is_point(node: Node) -> bool:
    """Say whether this is ``x = 3``."""
    return is_relation(node, "=") and len(node.args) == 2 and node.args[0].head == "sym" and not letters(node.args[1])


def is_range(node: Node) -> bool:
    """Say whether this is ``x > 0`` or ``-1 ≤ x < 2``: one bare letter between numbers."""
    if not is_relation(node, "<", "<=") and not is_relation(node, ">", ">="):
        return False
    bare = [part for part in node.args if part.head == "sym"]
    return len(bare) == 1 and all(not letters(part) for part in node.args if part.head != "sym")
