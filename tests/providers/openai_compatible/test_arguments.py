"""Arguments stay as they came if they are JSON, and are repaired only where their meaning is certain."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.providers.openai_compatible.arguments import is_json, repaired

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


@given(ANY_JSON, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_valid_arguments_are_kept_byte_for_byte(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert repaired(text) == text


@given(st.dictionaries(st.text(max_size=5), st.text(), min_size=1, max_size=4))
def test_raw_control_characters_are_escaped(value: dict[str, str]) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False)
    for escape, raw in (("\\n", "\n"), ("\\t", "\t"), ("\\r", "\r"), ("\\u0000", "\x00"), ("\\u001f", "\x1f")):
        # An escaped backslash before the letter is another thing: leave such samples as they are.
        text = text if "\\\\" in text else text.replace(escape, raw)
    mended = repaired(text)
    assert mended is not None
    assert json.loads(mended) == value


def test_spacing_and_numbers_survive_the_repair() -> None:
    assert repaired('{ "a":1.0,\n"b" : "x\ty", "c": 1E2 }') == '{ "a":1.0,\n"b" : "x\\ty", "c": 1E2 }'


@pytest.mark.parametrize("nothing", ["", "  ", "\n"])
def test_no_arguments_are_an_empty_object(nothing: str) -> None:
    assert repaired(nothing) == "{}"


def test_markdown_fence_is_taken_off() -> None:
    assert repaired('```json\n{"a": "x\ty"}\n```') == '{"a": "x\\ty"}'


def test_object_sent_twice_is_kept_once() -> None:
    assert repaired('{"a": 1}{"a": 1}') == '{"a": 1}'


@pytest.mark.parametrize(
    "broken",
    ['{"title": "x", ', '{"title": ', '{"a": 1}{"a": 2}', "{'a': 1}", "{a: 1}", '{"a": NaN}', "[" * 100_000, "9" * 10_000],
)
def test_what_is_not_certain_is_not_repaired(broken: str) -> None:
    assert repaired(broken) is None


@given(st.text())
def test_whatever_comes_out_is_json(text: str) -> None:
    mended = repaired(text)
    assert mended is None or is_json(mended)
