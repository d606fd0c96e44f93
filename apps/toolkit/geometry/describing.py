"""What is told of a thing: its exact value as a text, numbers to go on with, facts for a sentence, and how it is drawn."""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, Integer, lcm, pi, sstr
from sympy.geometry import Circle, Point2D, Ray2D, Segment2D

from apps.toolkit.geometry.commands import made
from apps.toolkit.geometry.numbers import approximate, is_zero, quotient, sign, tidy
from apps.toolkit.geometry.objects import Angle, Nothing, Polygon, cross, direction_of, distance, kind_of

Json = dict[str, Any]


def described(name: str, thing: Any) -> Json:
    """Return ``{name, type, exact, value, facts, shape?}`` as plain JSON."""
    kind = kind_of(thing)
    told = _TELLERS[kind](thing)
    return {"name": name, "type": kind, **told}


def _float(value: Expr) -> float:
    return float(f"{approximate(value):.12g}")


def _text(value: Expr) -> str:
    return str(sstr(value))


def _near(value: Expr) -> str:
    """Return a value as it is read: exactly, and if that is no plain number also about how much it is."""
    exact, about = _text(value), f"{approximate(value):.6g}"
    return exact if value.is_Integer else f"{exact} ≈ {about}"


def _at(each: Point2D) -> list[float]:
    return [_float(each.x), _float(each.y)]


def _pair(each: Point2D) -> str:
    return f"({_text(each.x)}, {_text(each.y)})"


def _point(thing: Point2D) -> Json:
    return _told(_pair(thing), _at(thing), {"at": _pair(thing)}, {"at": _at(thing)})


def _segment(thing: Segment2D) -> Json:
    length = distance(thing.p1, thing.p2)
    facts = {"start": _pair(thing.p1), "end": _pair(thing.p2), "length": _near(length)}
    return _told(_text(length), _float(length), facts, {"points": [_at(thing.p1), _at(thing.p2)]})


def _ray(thing: Ray2D) -> Json:
    facts = {"start": _pair(thing.p1), "through": _pair(thing.p2)}
    points = [_at(thing.p1), _at(thing.p2)]
    return _told(f"{facts['start']} -> {facts['through']}", points, facts, {"points": points})


def _line(thing: Any) -> Json:
    a, b, c = coefficients(thing)
    exact = f"{_sum((a, 'x'), (b, 'y'))} = {_text(c)}"
    points = [_at(thing.p1), _at(thing.p2)]
    return _told(exact, [_float(each) for each in (a, b, c)], {"equation": exact}, {"points": points})


def coefficients(thing: Any) -> tuple[Expr, Expr, Expr]:
    """Return a, b, c of the equation a x + b y = c: whole and small where they can be, and the first one positive."""
    along = direction_of(thing)
    values = [tidy(along[1]), tidy(-along[0]), cross((thing.p1.x, thing.p1.y), along)]
    first = values[1] if is_zero(values[0]) else values[0]
    scaled = [Integer(0) if is_zero(each) else quotient(each, first) for each in values]
    if all(each.is_Rational for each in scaled):
        scaled = [each * lcm([each.q for each in scaled]) for each in scaled]
    a, b, c = scaled
    return a, b, c


def _sum(*terms: tuple[Expr, str]) -> str:
    """Write the sum of some letters, each so many times."""
    written = ""
    for times, letter in terms:
        if is_zero(times):
            continue
        amount = _text(abs(times)) if times.is_Rational else f"({_text(times)})"
        minus = bool(times.is_Rational) and sign(times) < 0
        joint = (" - " if minus else " + ") if written else ("-" if minus else "")
        written += f"{joint}{letter if amount == '1' else f'{amount}*{letter}'}"
    return written


def _circle(thing: Circle) -> Json:
    center, radius = thing.center, thing.radius
    exact = f"{_square(center.x, 'x')} + {_square(center.y, 'y')} = {_text(tidy(radius**2))}"
    facts = {"center": _pair(center), "radius": _near(radius), "equation": exact}
    value = {"center": _at(center), "radius": _float(radius)}
    return _told(exact, value, facts, value)


def _square(middle: Expr, letter: str) -> str:
    if is_zero(middle):
        return f"{letter}^2"
    if not middle.is_Rational:
        return f"({letter} - ({_text(middle)}))^2"
    return f"({letter} {'-' if middle > 0 else '+'} {_text(abs(middle))})^2"


def _polygon(thing: Polygon) -> Json:
    corners = ", ".join(map(_pair, thing.corners))
    points = [_at(each) for each in thing.corners]
    return _told(corners, points, {"corners": corners, "area": _near(made("area", [thing]))}, {"points": points})


def _angle(thing: Angle) -> Json:
    degrees = tidy(thing.radians * 180 / pi)
    shown = f"{approximate(degrees):.6g}"
    facts = {"radians": _text(thing.radians), "degrees": f"{shown}°"}
    shape = {"points": [_at(each) for each in thing.points], "degrees": shown} if thing.points else None
    return _told(_text(thing.radians), _float(degrees), facts, shape)


def _number(thing: Expr) -> Json:
    return _told(_text(thing), _float(thing), {"number": _near(thing)})


def _nothing(thing: Nothing) -> Json:
    return _told("", None, {})


def _told(exact: str, value: Any, facts: Mapping[str, str], shape: Json | None = None) -> Json:
    return {"exact": exact, "value": value, "facts": dict(facts), "shape": shape}


_TELLERS: dict[str, Callable[[Any], Json]] = {
    "point": _point,
    "segment": _segment,
    "ray": _ray,
    "line": _line,
    "circle": _circle,
    "polygon": _polygon,
    "angle": _angle,
    "number": _number,
    "nothing": _nothing,
}
