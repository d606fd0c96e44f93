"""The commands: for each the forms that it takes, and how what it is of is computed from them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sympy import Expr, Integer, Rational, acos, cos, pi, sin
from sympy.geometry import Circle, Line2D, Point2D, Segment2D

from apps.toolkit.geometry.faults import Fault
from apps.toolkit.geometry.meeting import meet
from apps.toolkit.geometry.numbers import is_zero, quotient, root, sign, tidy
from apps.toolkit.geometry.objects import (
    Angle,
    Nothing,
    Polygon,
    cross,
    direction_of,
    distance,
    dot,
    kind_of,
    line,
    line_along,
    moved,
    point,
    ray,
    same,
    segment,
    vector,
)

MOST_CORNERS = 30
_HALF = Rational(1, 2)
_REGULAR = (3, 4, 5, 6, 8, 10, 12)
"""Regular polygons whose corners can be written with roots."""


@dataclass(frozen=True, slots=True)
class Form:
    """Kinds of arguments and what is made of them. `repeats`: the last kind may stand more often."""

    kinds: tuple[str, ...]
    make: Callable[..., Any]
    repeats: bool = False

    def takes(self, arguments: Sequence[Any]) -> bool:
        """Say whether it takes these arguments."""
        extra = len(arguments) - len(self.kinds)
        if extra < 0 or (extra and not self.repeats):
            return False
        kinds = (*self.kinds, *self.kinds[-1:] * extra)
        return all(kind_of(given) in _MEANT.get(kind, (kind,)) for given, kind in zip(arguments, kinds, strict=True))


_MEANT = {
    "straight": ("line", "ray", "segment"),
    "curve": ("line", "ray", "segment", "circle", "polygon"),
    "number": ("number", "angle"),
}
"""Kinds that stand for several."""


def made(name: str, arguments: Sequence[Any]) -> Any:
    """Return what a command makes of its arguments: one thing, or a list of several. Raises Fault."""
    forms = COMMANDS.get(name.lower())
    if forms is None:
        raise Fault("unknown_command", name=name)
    for form in forms:
        if form.takes(arguments):
            return form.make(*arguments)
    wanted = [[*form.kinds, *(["more"] if form.repeats else [])] for form in forms]
    raise Fault("wrong_arguments", name=name, given=[kind_of(each) for each in arguments], forms=wanted)


def _midpoint(start: Point2D, end: Point2D) -> Point2D:
    return moved(start, vector(start, end), _HALF)


def _circle(center: Point2D, radius: Any) -> Circle:
    length = radius.radians if isinstance(radius, Angle) else radius
    if sign(length) <= 0:
        raise Fault("bad_radius")
    return Circle(center, tidy(length))


def _circle_through(center: Point2D, on_it: Point2D) -> Circle:
    return _circle(center, distance(center, on_it))


def _circumcircle(first: Point2D, second: Point2D, third: Point2D) -> Circle:
    centers = meet(_bisector(first, second), _bisector(second, third))
    if not centers:
        raise Fault("on_one_line")
    return _circle_through(centers[0], first)


def _polygon(*corners: Point2D) -> Polygon:
    if len(corners) > MOST_CORNERS:
        raise Fault("many_corners", limit=MOST_CORNERS)
    if any(same(start, end) for start, end in pairwise((*corners, corners[0]))):
        raise Fault("same_points")
    return Polygon(corners)


def _regular_polygon(first: Point2D, second: Point2D, count: Any) -> Polygon:
    if isinstance(count, Angle) or count not in _REGULAR:
        raise Fault("irregular", numbers=", ".join(map(str, _REGULAR)))
    turn = 2 * pi / count
    corners, way = [first, second], vector(first, second)
    for _ in range(int(count) - 2):
        way = tidy(way[0] * cos(turn) - way[1] * sin(turn)), tidy(way[0] * sin(turn) + way[1] * cos(turn))
        corners.append(moved(corners[-1], way, Integer(1)))
    return _polygon(*corners)


def _perpendicular(through: Point2D, straight: Any) -> Line2D:
    along = direction_of(straight)
    return line_along(through, (-along[1], along[0]))


def _parallel(through: Point2D, straight: Any) -> Line2D:
    return line_along(through, direction_of(straight))


def _bisector(start: Point2D, end: Point2D) -> Line2D:
    return _perpendicular(_midpoint(start, end), segment(start, end))


def _unit(way: tuple[Expr, Expr]) -> tuple[Expr, Expr]:
    length = root(dot(way, way))
    if is_zero(length):
        raise Fault("same_points")
    return quotient(way[0], length), quotient(way[1], length)


def _angle_bisector(leg: Point2D, apex: Point2D, other: Point2D) -> Line2D:
    one, two = _unit(vector(apex, leg)), _unit(vector(apex, other))
    along = tidy(one[0] + two[0]), tidy(one[1] + two[1])
    is_straight = is_zero(along[0]) and is_zero(along[1])
    return line_along(apex, (-one[1], one[0]) if is_straight else along)


def _angle_bisectors(left: Any, right: Any) -> list[Line2D]:
    crossing = meet(line(left.p1, left.p2), line(right.p1, right.p2))
    if not crossing:
        raise Fault("parallel")
    one, two = _unit(direction_of(left)), _unit(direction_of(right))
    first = line_along(crossing[0], (tidy(one[0] + two[0]), tidy(one[1] + two[1])))
    return [first, _perpendicular(crossing[0], first)]


def _intersect(left: Any, right: Any) -> Any:
    return meet(left, right) or Nothing()


def _intersect_one(left: Any, right: Any, number: Any) -> Any:
    found = meet(left, right)
    if isinstance(number, Angle) or number not in range(1, len(found) + 1):
        raise Fault("no_such_intersection", count=len(found))
    return found[int(number) - 1]


def _foot_distance(start: Point2D, straight: Any) -> Expr:
    """Return the distance of a point and a line, ray or segment: to the foot, if it reaches so far, else to an end."""
    feet = meet(_perpendicular(start, straight), straight)
    if feet:
        return distance(start, feet[0])
    to_ends = [distance(start, end) for end in (straight.p1, straight.p2)]
    if not isinstance(straight, Segment2D):
        return to_ends[0]
    return to_ends[0] if sign(to_ends[0] - to_ends[1]) <= 0 else to_ends[1]


def _parallel_distance(left: Any, right: Any) -> Expr:
    return Integer(0) if meet(left, right) else _foot_distance(left.p1, right)


def _length(straight: Segment2D) -> Expr:
    return distance(straight.p1, straight.p2)


def _area(*corners: Point2D) -> Expr:
    doubled = sum((cross((a.x, a.y), (b.x, b.y)) for a, b in pairwise((*corners, corners[0]))), Integer(0))
    return tidy(doubled * sign(doubled) / 2)


def _angle(leg: Point2D, apex: Point2D, other: Point2D) -> Angle:
    one, two = _unit(vector(apex, leg)), _unit(vector(apex, other))
    return Angle(acos(_cosine(dot(one, two))), (leg, apex, other))


def _angle_between(left: Any, right: Any) -> Angle:
    cosine = dot(_unit(direction_of(left)), _unit(direction_of(right)))
    return Angle(acos(_cosine(cosine * (sign(cosine) or 1))))


def _cosine(value: Expr) -> Expr:
    """Return a cosine that came out a little beside what it must be as exactly that."""
    for exact in (Integer(1), Integer(-1), Integer(0)):
        if is_zero(value - exact):
            return exact
    return tidy(value)


def _root(value: Any) -> Expr:
    return root(value.radians if isinstance(value, Angle) else value)


def _of_segment(make: Callable[[Point2D, Point2D], Any]) -> Form:
    return Form(("segment",), lambda straight: make(straight.p1, straight.p2))


_TWO_POINTS = ("point", "point")
COMMANDS: dict[str, tuple[Form, ...]] = {
    "point": (Form(("number", "number"), point), Form(("point",), lambda same_point: same_point)),
    "segment": (Form(_TWO_POINTS, segment),),
    "line": (Form(_TWO_POINTS, line), Form(("point", "straight"), _parallel)),
    "ray": (Form(_TWO_POINTS, ray),),
    "circle": (
        Form(("point", "number"), _circle),
        Form(_TWO_POINTS, _circle_through),
        Form(("point", "segment"), lambda center, radius: _circle(center, _length(radius))),
        Form(("point", "point", "point"), _circumcircle),
    ),
    "polygon": (
        Form(("point", "point", "point"), _polygon, repeats=True),
        Form(("point", "point", "number"), _regular_polygon),
    ),
    "midpoint": (Form(_TWO_POINTS, _midpoint), _of_segment(_midpoint)),
    "intersect": (Form(("curve", "curve"), _intersect), Form(("curve", "curve", "number"), _intersect_one)),
    "perpendicularline": (Form(("point", "straight"), _perpendicular),),
    "parallelline": (Form(("point", "straight"), _parallel),),
    "perpendicularbisector": (Form(_TWO_POINTS, _bisector), _of_segment(_bisector)),
    "anglebisector": (Form(("point", "point", "point"), _angle_bisector), Form(("straight", "straight"), _angle_bisectors)),
    "distance": (
        Form(_TWO_POINTS, distance),
        Form(("point", "straight"), _foot_distance),
        Form(("line", "line"), _parallel_distance),
    ),
    "length": (Form(("segment",), _length), Form(_TWO_POINTS, distance)),
    "area": (
        Form(("polygon",), lambda polygon: _area(*polygon.corners)),
        Form(("circle",), lambda circle: tidy(pi * circle.radius**2)),
        Form(("point", "point", "point"), _area, repeats=True),
    ),
    "angle": (Form(("point", "point", "point"), _angle), Form(("straight", "straight"), _angle_between)),
    "sqrt": (Form(("number",), _root),),
}
"""By their names in small letters."""
