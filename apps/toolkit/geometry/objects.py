"""What a figure is made of: points, straight and round things of `sympy.geometry`, and three kinds of our own."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sympy import Expr, Integer
from sympy.geometry import Circle, Line2D, Point2D, Ray2D, Segment2D

from apps.toolkit.geometry.faults import Fault
from apps.toolkit.geometry.numbers import approximate, is_zero, root, tidy

FARTHEST = 10**9
"""Of a coordinate."""


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed path with its corners as given: SymPy's own would drop those on a straight side."""

    corners: tuple[Point2D, ...]

    @property
    def sides(self) -> list[Segment2D]:
        """The sides in order."""
        return [segment(start, end) for start, end in pairwise((*self.corners, self.corners[0]))]


@dataclass(frozen=True, slots=True)
class Angle:
    """An angle in radians, with the three points that show it, if there are such."""

    radians: Expr
    points: tuple[Point2D, Point2D, Point2D] | None = None


@dataclass(frozen=True, slots=True)
class Nothing:
    """What an intersection comes to that is empty."""


def kind_of(thing: Any) -> str:
    """Return the word for what a thing is."""
    for kind, types in _KINDS:
        if isinstance(thing, types):
            return kind
    raise Fault("not_usable")


_KINDS: Sequence[tuple[str, type]] = (
    ("point", Point2D),
    ("segment", Segment2D),
    ("ray", Ray2D),
    ("line", Line2D),
    ("circle", Circle),
    ("polygon", Polygon),
    ("angle", Angle),
    ("nothing", Nothing),
    ("number", Expr),
)


def point(x: Expr, y: Expr) -> Point2D:
    """Return a point with plain coordinates. Raises Fault if it lies too far out."""
    x, y = tidy(x), tidy(y)
    if max(abs(approximate(x)), abs(approximate(y))) > FARTHEST:
        raise Fault("too_large")
    return Point2D(x, y, evaluate=False)


def moved(start: Point2D, direction: tuple[Expr, Expr], times: Expr) -> Point2D:
    """Return the point reached by going so many times in a direction."""
    return point(start.x + times * direction[0], start.y + times * direction[1])


def vector(start: Point2D, end: Point2D) -> tuple[Expr, Expr]:
    """Return the way from one point to another."""
    return tidy(end.x - start.x), tidy(end.y - start.y)


def dot(left: tuple[Expr, Expr], right: tuple[Expr, Expr]) -> Expr:
    """Return the scalar product."""
    return tidy(left[0] * right[0] + left[1] * right[1])


def cross(left: tuple[Expr, Expr], right: tuple[Expr, Expr]) -> Expr:
    """Return the area that two ways span, with its sign."""
    return tidy(left[0] * right[1] - left[1] * right[0])


def direction_of(straight: Any) -> tuple[Expr, Expr]:
    """Return the direction of a line, ray or segment."""
    return vector(straight.p1, straight.p2)


def same(left: Point2D, right: Point2D) -> bool:
    """Say whether two points are one."""
    return is_zero(left.x - right.x) and is_zero(left.y - right.y)


def distance(left: Point2D, right: Point2D) -> Expr:
    """Return how far two points are apart."""
    way = vector(left, right)
    return root(dot(way, way))


def line(start: Point2D, end: Point2D) -> Line2D:
    """Return the line through two points. Raises Fault if they are one."""
    return Line2D(start, _other(start, end))


def ray(start: Point2D, end: Point2D) -> Ray2D:
    """Return the ray from a point through another. Raises Fault if they are one."""
    return Ray2D(start, _other(start, end))


def segment(start: Point2D, end: Point2D) -> Segment2D:
    """Return the segment between two points. Raises Fault if they are one."""
    return Segment2D(start, _other(start, end))


def _other(start: Point2D, end: Point2D) -> Point2D:
    if same(start, end):
        raise Fault("same_points")
    return end


def line_along(start: Point2D, direction: tuple[Expr, Expr]) -> Line2D:
    """Return the line through a point in a direction."""
    return line(start, moved(start, direction, Integer(1)))
