"""Charts as numbers: what a template needs to draw SVG with attributes and classes, without a style or a script."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

WIDTH, HEIGHT = 720, 200
LEFT, TOP, BOTTOM = 44, 10, 22
_OUTCOMES = ("answered", "cancelled", "expired", "aborted")


@dataclass(frozen=True, slots=True)
class Bar:
    """One rectangle. Coordinates are texts: no language may write them with a comma."""

    name: str
    x: str
    y: str
    width: str
    height: str
    value: int
    label: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A line across or a word beside the axis."""

    x: str
    y: str
    label: str | Promise


@dataclass(frozen=True, slots=True)
class Bars:
    """Two bars a day: what was asked, and what became of questions."""

    bars: Sequence[Bar]
    lines: Sequence[Mark]
    labels: Sequence[Mark]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT


@dataclass(frozen=True, slots=True)
class Span:
    """A bar from the median to the 99th percentile, with the three marks on it."""

    label: str
    y: str
    x: str
    width: str
    marks: Sequence[Mark]


@dataclass(frozen=True, slots=True)
class Spans:
    """Times on a logarithmic axis, a line for each kind."""

    spans: Sequence[Span]
    lines: Sequence[Mark]
    height: int
    width: int


def bars(days: Sequence[tuple[str, int, Sequence[int]]]) -> Bars:
    """Return the bars of days: label, how many were asked, how many ended in each of the four ways."""
    top = nice_top(max([1, *(max(asked, sum(ended)) for _label, asked, ended in days)]))
    room, step = HEIGHT - TOP - BOTTOM, (WIDTH - LEFT) / max(len(days), 1)
    drawn: list[Bar] = []
    for place, (label, asked, ended) in enumerate(days):
        x, width = LEFT + place * step + step * 0.14, step * 0.34
        drawn += _stack([("asked", asked)], x, width, room, top, label)
        drawn += _stack(list(zip(_OUTCOMES, ended, strict=True)), x + width + 1, width, room, top, label)
    lines = [Mark(str(LEFT), f"{TOP + room * (1 - part / 4):.1f}", _short(top * part / 4)) for part in range(5)]
    labels = [Mark(f"{LEFT + (n + 0.5) * step:.1f}", str(HEIGHT - 6), label) for n, (label, *_rest) in enumerate(days)]
    return Bars(drawn, lines, labels)


def _stack(parts: Sequence[tuple[str, int]], x: float, width: float, room: int, top: int, label: str) -> list[Bar]:
    found, base = [], float(TOP + room)
    for name, value in parts:
        height = room * value / top
        base -= height
        if value:
            found.append(Bar(name, f"{x:.1f}", f"{base:.1f}", f"{width:.1f}", f"{height:.1f}", value, label))
    return found


def nice_top(value: int) -> int:
    """Return the next number of the form 4, 8, 12, 20 or 40 times a power of ten: its quarters are whole."""
    power = 10 ** max(len(str(value)) - 2, 0)
    return next(factor * power for factor in (4, 8, 12, 20, 40, 80, 120) if factor * power >= value)


def _short(value: float) -> str:
    return f"{value:g}" if value < 10_000 else f"{value / 1000:g}k"


# --- times ----------------------------------------------------------------------------------------
_SECONDS = ((1, _("1 s")), (60, _("1 min")), (3600, _("1 h")), (86400, _("1 d")), (604800, _("7 d")))
_FIRST, _LAST = 0.1, 604800 * 2
_ROW = 34
_NAMES = 110
_SPANS_WIDTH = 420


def spans(rows: Sequence[tuple[str, float, float, float]]) -> Spans:
    """Return a line for each kind: label, and the three percentiles in seconds."""
    found = []
    for place, (label, p50, p90, p99) in enumerate(rows):
        y = TOP + place * _ROW + _ROW / 2
        marks = [Mark(f"{_across(value):.1f}", f"{y:.1f}", name) for name, value in (("p50", p50), ("p90", p90), ("p99", p99))]
        width = max(_across(p99) - _across(p50), 1)
        found.append(Span(label, f"{y:.1f}", f"{_across(p50):.1f}", f"{width:.1f}", marks))
    height = TOP + len(rows) * _ROW + BOTTOM
    lines = [Mark(f"{_across(seconds):.1f}", str(height - 6), words) for seconds, words in _SECONDS]
    return Spans(found, lines, height, _SPANS_WIDTH)


def _across(seconds: float) -> float:
    """Return where a time lies between the names and the right edge."""
    inside = min(max(seconds, _FIRST), _LAST)
    return _NAMES + (_SPANS_WIDTH - _NAMES - 20) * log10(inside / _FIRST) / log10(_LAST / _FIRST)
