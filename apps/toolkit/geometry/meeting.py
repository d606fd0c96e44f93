"""Where two things meet. Whether a number is zero is asked of numbers.py alone, so that roots decide nothing by their form."""

from collections.abc import Iterable
from typing import Any

from sympy import Expr, Integer
from sympy.geometry import Circle, Point2D, Ray2D, Segment2D

from apps.toolkit.geometry.faults import Fault
from apps.toolkit.geometry.numbers import approximate, is_zero, quotient, root, sign, tidy
from apps.toolkit.geometry.objects import Polygon, cross, direction_of, dot, line_along, moved, point, same, vector


def meet(left: Any, right: Any) -> list[Point2D]:
    """Return the points that two things share, from left to right. Raises Fault if there are infinitely many."""
    found: list[Point2D] = []
    for one in _pieces(left):
        for other in _pieces(right):
            found += [each for each in _meet(one, other) if not any(same(each, known) for known in found)]
    return sorted(found, key=lambda each: (approximate(each.x), approximate(each.y)))


def _pieces(thing: Any) -> Iterable[Any]:
    return thing.sides if isinstance(thing, Polygon) else (thing,)


def _meet(left: Any, right: Any) -> list[Point2D]:
    if isinstance(left, Circle):
        return _of_circles(left, right) if isinstance(right, Circle) else _of_straight_and_circle(right, left)
    if isinstance(right, Circle):
        return _of_straight_and_circle(left, right)
    return _of_straights(left, right)


def _of_straights(left: Any, right: Any) -> list[Point2D]:
    along, across, between = direction_of(left), direction_of(right), vector(left.p1, right.p1)
    turn = cross(along, across)
    if is_zero(turn):
        return _of_parallels(left, right) if is_zero(cross(between, along)) else []
    times, times_of_other = quotient(cross(between, across), turn), quotient(cross(between, along), turn)
    return [moved(left.p1, along, times)] if _holds(left, times) and _holds(right, times_of_other) else []


def _of_parallels(left: Any, right: Any) -> list[Point2D]:
    """Return what two parts of one line share: nothing, an end, or more than can be listed."""
    ends = [end for part, other in ((left, right), (right, left)) for end in _ends(part) if _holds(other, _place(other, end))]
    if not ends and _ends(left) and _ends(right):
        return []
    distinct = [end for place, end in enumerate(ends) if not any(same(end, known) for known in ends[:place])]
    if len(distinct) == 1 and not _overlap(left, right, distinct[0]):
        return distinct
    raise Fault("infinitely_many")


def _overlap(left: Any, right: Any, end: Point2D) -> bool:
    """Say whether two parts of one line that share an end share more: both go on to the same side of it."""
    if not (_ends(left) and _ends(right)):
        return True
    sides = [{s for p in (part.p1, part.p2) if (s := _side(left, end, p))} | _beyond(left, part) for part in (left, right)]
    return bool(sides[0] & sides[1])


def _side(straight: Any, middle: Point2D, other: Point2D) -> int:
    return sign(dot(direction_of(straight), vector(middle, other)))


def _beyond(straight: Any, part: Any) -> set[int]:
    """Return the side to which a ray goes on without end."""
    return {sign(dot(direction_of(straight), direction_of(part)))} if isinstance(part, Ray2D) else set()


def _ends(straight: Any) -> list[Point2D]:
    if isinstance(straight, Segment2D):
        return [straight.p1, straight.p2]
    return [straight.p1] if isinstance(straight, Ray2D) else []


def _place(straight: Any, on_it: Point2D) -> Expr:
    along = direction_of(straight)
    return quotient(dot(vector(straight.p1, on_it), along), dot(along, along))


def _holds(straight: Any, times: Expr) -> bool:
    """Say whether a ray or segment reaches so far; a line reaches everywhere."""
    if not isinstance(straight, Ray2D | Segment2D):
        return True
    return sign(times) >= 0 and (isinstance(straight, Ray2D) or sign(Integer(1) - times) >= 0)


def _of_straight_and_circle(straight: Any, circle: Circle) -> list[Point2D]:
    along, between = direction_of(straight), vector(circle.center, straight.p1)
    square, half = dot(along, along), dot(between, along)
    below = tidy(half**2 - square * (dot(between, between) - circle.radius**2))
    if sign(below) < 0:
        return []
    step = root(below)
    places = [quotient(-half, square)] if is_zero(below) else [quotient(-half + way * step, square) for way in (-1, 1)]
    return [moved(straight.p1, along, times) for times in places if _holds(straight, times)]


def _of_circles(left: Circle, right: Circle) -> list[Point2D]:
    """Circles meet where both meet the line on which their equations agree."""
    between = vector(left.center, right.center)
    apart = dot(between, between)
    if is_zero(apart):
        if is_zero(left.radius - right.radius):
            raise Fault("infinitely_many")
        return []
    times = quotient(apart + left.radius**2 - right.radius**2, 2 * apart)
    foot = moved(left.center, between, times)
    return _of_straight_and_circle(line_along(point(foot.x, foot.y), (-between[1], between[0])), left)
