"""Figures in the timeline: drawn from the stored result, in classes, with words."""

import re

import pytest
from django.test import Client

from apps.chat.models import ToolResult
from apps.toolkit.geometry.worker import run
from apps.web.figures import HIGHEST, LOWEST, WIDTH, figure_of
from tests.support.runs import DONE, asks
from tests.web.conftest import Say

LINES = [
    "A = (0, 0)",
    "B = (4, 0)",
    "C = (1, 3)",
    "Polygon(A, B, C)",
    "k = Circle(A, B, C)",
    "w = Angle(A, B, C)",
    "l = Line(A, C)",
]
CALL = {"id": "g1", "name": "geogebra_analysis", "arguments": {"commands": LINES}}


@pytest.fixture
def page(say: Say, browser: Client) -> str:
    """Return the page of a run that has rebuilt a figure."""
    session = say(asks(CALL), DONE).session
    return browser.get(f"/s/{session.public_id}/").content.decode()


@pytest.mark.django_db
def test_a_figure_is_drawn_by_the_server_with_its_words(page: str) -> None:
    drawn = re.search(r'<figure class="figure">(.*?)</figure>', page, re.DOTALL)
    assert drawn is not None
    assert "style=" not in drawn[1]
    assert 'role="img"' in drawn[1]
    assert re.search(r"<title id=[^>]+>Geometric figure</title>", drawn[1])
    assert "Angle w = pi/4 = 45°." in drawn[1]
    assert all(f'class="figure-{kind}"' in drawn[1] for kind in ("polygon", "circle", "angle", "line", "point"))
    assert re.findall(r"<text[^>]+>([^<]+)</text>", drawn[1]) == ["k", "l", "45°", "A", "B", "C"]


@pytest.mark.django_db
def test_a_figure_is_gone_with_an_erased_result(say: Say, browser: Client) -> None:
    session = say(asks({"id": "g1", "name": "no_such_tool", "arguments": {}}), DONE).session
    point = {"kind": "point", "name": "A", "at": [0.0, 0.0]}
    for details, is_shown in (({"figure": [point]}, True), (None, False)):
        ToolResult.objects.update(content='{"objects": []}' if is_shown else "", details=details)
        assert ("figure-drawing" in browser.get(f"/s/{session.public_id}/").content.decode()) is is_shown


@pytest.mark.parametrize(
    "lines",
    [
        ["A = (5, 5)"],
        ["A = (0, 0)", "B = (0, 9)"],
        ["A = (-1000000, 1/1000000)", "l = Line(A, (3, 3))", "k = Circle(A, 1/1000)"],
        ["s = Segment((0, 0), (900000000, 1))", "r = Ray((0, 0), (-1, 0))"],
        ["l = Line((0, 0), (1, 1))"],
        ["w = Angle((1, 0), (0, 0), (-1, 0))"],
    ],
)
def test_every_place_of_a_drawing_is_a_number_and_every_label_is_in_sight(lines: list[str]) -> None:
    things = run({"lines": lines})["things"]
    shapes = [{"kind": each["type"], "name": each["name"], **each["shape"]} for each in things]
    figure = figure_of({"figure": shapes}, '{"objects": []}')
    assert figure is not None
    assert LOWEST <= figure.height <= HIGHEST
    assert not [stroke.path for stroke in figure.strokes if re.search("nan|inf|e", stroke.path)]
    for label in figure.labels:
        assert 0 <= float(label.x) <= WIDTH
        assert 0 <= float(label.y) <= figure.height


@pytest.mark.parametrize("details", [None, {}, {"folder": "x"}, {"figure": []}])
def test_a_result_without_parts_has_no_figure(details: object) -> None:
    assert figure_of(details, "no JSON") is None


def test_a_stored_figure_too_small_to_be_drawn_has_none() -> None:
    points = [{"kind": "point", "name": name, "at": [x, 0.0]} for name, x in (("A", 0.0), ("B", 3.1e-319))]
    assert figure_of({"figure": points}, '{"objects": []}') is None
