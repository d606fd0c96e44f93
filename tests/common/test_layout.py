"""JSON on several lines, and what is left as the text that it is."""

import json

import pytest

from apps.common.layout import on_lines


def test_json_stands_on_several_lines_with_its_own_characters() -> None:
    assert on_lines('{"a":["\u00e9",1]}') == '{\n  "a": [\n    "\u00e9",\n    1\n  ]\n}'


@pytest.mark.parametrize("text", ["{not json", "[" * 51 + "]" * 51, "[" * 3000 + "]" * 3000, "[" * 10**6])
def test_what_is_no_json_or_too_deep_stays_as_it_is(text: str) -> None:
    assert on_lines(text) == text


def test_a_long_list_far_inside_stays_as_it_is_and_one_near_the_surface_does_not() -> None:
    deep, flat = (f"{'[' * levels}{','.join('1' * 10**5)}{']' * levels}" for levels in (40, 2))
    assert on_lines(deep) == deep
    assert json.loads(on_lines(flat)) == json.loads(flat)
    assert on_lines(flat).count("\n") > 10**5
