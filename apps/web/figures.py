"""Geometric figures as paths and labels: drawn from the stored parts each time, so that only numbers and names are kept."""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

WIDTH, LOWEST, HIGHEST = 320, 160, 320
"""Of a drawing, in units that are pixels on a small phone."""
MARGIN, DOT, ARC, FAR = 28, 3.0, 18.0, 14.0
LONGEST_LABEL = 12
SHARPEST = 1e100
"""The greatest scale. A stored figure that is smaller is not drawn: no float could hold its places."""
_ORDER = ("polygon", "circle", "line", "ray", "segment", "angle", "point")
"""What is drawn first lies below."""


class At(NamedTuple):
    """A place."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Stroke:
    """One path and its class."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Label:
    """A name and where it stands."""

    text: str
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, and what it shows in words."""

    width: int
    height: int
    strokes: Sequence[Stroke]
    labels: Sequence[Label]
    description: str


Shape = Mapping[str, Any]


def figure_of(details: Any, content: str) -> Figure | None:
    """Return the figure of a result that has one. `details.figure` are its parts, the result's objects have their words."""
    shapes = details.get("figure") if isinstance(details, dict) else None
    if not shapes:
        return None
    shapes = sorted(shapes, key=lambda shape: _ORDER.index(shape["kind"]))
    view = _view(list(_extent(shapes)))
    if view is None:
        return None
    strokes = [*_axes(view), *(Stroke(shape["kind"], _PATHS[shape["kind"]](shape, view)) for shape in shapes)]
    told = " ".join(each["text"] for each in json.loads(content)["objects"])
    return Figure(WIDTH, view.height, strokes, [label for shape in shapes for label in _labels(shape, view)], told)


# --- from coordinates to places ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _View:
    """How coordinates become places: `middle` of the figure, the scale, the height."""

    middle: At
    scale: float
    height: int

    def at(self, point: Sequence[float]) -> At:
        x, y = point
        return At(WIDTH / 2 + (x - self.middle.x) * self.scale, self.height / 2 - (y - self.middle.y) * self.scale)


def _extent(shapes: Iterable[Shape]) -> Iterable[At]:
    """Return the coordinates that must be in sight; of lines and rays one is enough."""
    for shape in shapes:
        if shape["kind"] == "circle":
            (x, y), radius = shape["center"], shape["radius"]
            yield from (At(x - radius, y - radius), At(x + radius, y + radius))
        else:
            points = shape.get("points") or [shape["at"]]
            yield from (At(*point) for point in (points[:1] if shape["kind"] in ("line", "ray") else points))


def _view(points: Sequence[At]) -> _View | None:
    """Return how the points are seen; None: they lie too close together."""
    left, right = min(point.x for point in points), max(point.x for point in points)
    low, high = min(point.y for point in points), max(point.y for point in points)
    # A flat figure, or a single point, still has some room around it.
    longest = max(right - left, high - low) or 2.0
    across, up = max(right - left, longest / 4), max(high - low, longest / 4)
    scale = min((WIDTH - 2 * MARGIN) / across, (HIGHEST - 2 * MARGIN) / up)
    if scale > SHARPEST:
        return None
    height = max(LOWEST, min(HIGHEST, math.ceil(up * scale) + 2 * MARGIN))
    return _View(At((left + right) / 2, (low + high) / 2), scale, height)


def _number(value: float) -> str:
    return f"{value:.2f}"


def _place(at: At) -> str:
    return f"{_number(at.x)} {_number(at.y)}"


# --- paths -------------------------------------------------------------------------------------------


def _axes(view: _View) -> Iterable[Stroke]:
    """Return the axes that are in sight."""
    zero = view.at((0, 0))
    if 0 < zero.y < view.height:
        yield Stroke("axis", f"M0 {_number(zero.y)}H{WIDTH}")
    if 0 < zero.x < WIDTH:
        yield Stroke("axis", f"M{_number(zero.x)} 0V{view.height}")


def _dot(shape: Shape, view: _View) -> str:
    return _round(view.at(shape["at"]), DOT)


def _circle(shape: Shape, view: _View) -> str:
    return _round(view.at(shape["center"]), shape["radius"] * view.scale)


def _round(center: At, radius: float) -> str:
    size, left, right = _number(radius), At(center.x - radius, center.y), At(center.x + radius, center.y)
    return f"M{_place(left)}A{size} {size} 0 1 0 {_place(right)}A{size} {size} 0 1 0 {_place(left)}Z"


def _polygon(shape: Shape, view: _View) -> str:
    return f"M{'L'.join(_place(view.at(point)) for point in shape['points'])}Z"


def _straight(shape: Shape, view: _View) -> str:
    start, end = _seen(shape, view)
    return f"M{_place(start)}L{_place(end)}"


def _seen(shape: Shape, view: _View) -> tuple[At, At]:
    """Return the part of a line, ray or segment that is in sight."""
    start, end = (view.at(point) for point in shape["points"])
    way = At(end.x - start.x, end.y - start.y)
    first, last = _REACH[shape["kind"]]
    for place, step, size in ((start.x, way.x, WIDTH), (start.y, way.y, view.height)):
        if step:
            near, far = sorted((-place / step, (size - place) / step))
            first, last = max(first, near), min(last, far)
    return tuple(At(start.x + times * way.x, start.y + times * way.y) for times in (first, last))  # type: ignore[return-value]


_REACH = {"line": (-math.inf, math.inf), "ray": (0.0, math.inf), "segment": (0.0, 1.0)}


def _legs(shape: Shape, view: _View) -> tuple[At, At, At]:
    """Return the apex of an angle and the directions of its legs, each of length 1."""
    one, apex, other = (view.at(point) for point in shape["points"])
    return apex, _unit(apex, one), _unit(apex, other)


def _unit(start: At, end: At) -> At:
    length = math.dist(start, end) or 1.0
    return At((end.x - start.x) / length, (end.y - start.y) / length)


def _along(start: At, way: At, far: float) -> At:
    return At(start.x + way.x * far, start.y + way.y * far)


def _angle(shape: Shape, view: _View) -> str:
    """Return an arc between the legs; a right angle gets its corner."""
    apex, one, other = _legs(shape, view)
    start, end = _along(apex, one, ARC), _along(apex, other, ARC)
    if shape["degrees"] == "90":
        return f"M{_place(start)}L{_place(_along(start, other, ARC))}L{_place(end)}"
    turns_right = int(one.x * other.y - one.y * other.x > 0)
    return f"M{_place(start)}A{_number(ARC)} {_number(ARC)} 0 0 {turns_right} {_place(end)}"


_PATHS: dict[str, Callable[[Shape, _View], str]] = {
    "polygon": _polygon,
    "circle": _circle,
    "line": _straight,
    "ray": _straight,
    "segment": _straight,
    "angle": _angle,
    "point": _dot,
}

# --- labels ------------------------------------------------------------------------------------------


def _labels(shape: Shape, view: _View) -> Iterable[Label]:
    """Return the label of a shape; what has no name of its own gets none, but an angle its size."""
    find = _LABELLED.get(shape["kind"])
    is_named = not shape["name"].startswith("#") or shape["kind"] == "angle"
    if find is None or not is_named:
        return
    place = find(shape, view)
    x, y = min(max(place.x, 10), WIDTH - 10), min(max(place.y, 10), view.height - 10)
    text = f"{shape['degrees']}°" if shape["kind"] == "angle" else _short(shape["name"])
    # The number is where the letters stand; half their height lies above the place that is meant.
    yield Label(text, _number(x), _number(y + 4))


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1]}…"


def _beside_point(shape: Shape, view: _View) -> At:
    """Outwards, where the lines of a figure are fewest."""
    place, middle = view.at(shape["at"]), At(WIDTH / 2, view.height / 2)
    way = _unit(middle, place)
    return _along(place, way if way != At(0, 0) else At(0.7, -0.7), FAR)


def _beside_straight(shape: Shape, view: _View) -> At:
    start, end = _seen(shape, view)
    part = 0.5 if shape["kind"] == "segment" else 0.9
    way, foot = _unit(start, end), At(start.x + (end.x - start.x) * part, start.y + (end.y - start.y) * part)
    sides = [_along(foot, side, FAR) for side in (At(way.y, -way.x), At(-way.y, way.x))]
    # On the side that looks outwards there is more room.
    return max(sides, key=lambda side: math.dist(side, At(WIDTH / 2, view.height / 2)))


def _beside_circle(shape: Shape, view: _View) -> At:
    return _along(view.at(shape["center"]), At(0.71, -0.71), shape["radius"] * view.scale + FAR)


def _in_angle(shape: Shape, view: _View) -> At:
    apex, one, other = _legs(shape, view)
    between = _unit(At(0, 0), At(one.x + other.x, one.y + other.y))
    return _along(apex, between, ARC + FAR)


_LABELLED: dict[str, Callable[[Shape, _View], At]] = {
    "circle": _beside_circle,
    "line": _beside_straight,
    "ray": _beside_straight,
    "segment": _beside_straight,
    "angle": _in_angle,
    "point": _beside_point,
}
