"""An answer's bytes become JSON objects, however they are cut."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from apps.providers.openai_compatible.frames import FrameParser

BODY = (
    ": heartbeat\r\n\r\n"
    'event: chunk\r\ndata: {"n": 1, "text": "grüße 🌍"}\r\n\r\n'
    'data:{"n": 2}\n\ndata: {"n":\ndata: 3}\n\ndata: [DONE]\n\n'
).encode()
FRAMES = [{"n": 1, "text": "grüße 🌍"}, {"n": 2}, {"n": 3}]


def read(*pieces: bytes) -> tuple[list[Any], FrameParser]:
    parser = FrameParser()
    frames = [frame for piece in pieces for frame in parser.feed(piece)]
    return [*frames, *parser.finish()], parser


@given(st.lists(st.integers(0, len(BODY)), max_size=8))
def test_frames_do_not_depend_on_where_the_pieces_end(cuts: Sequence[int]) -> None:
    ends = sorted({0, *cuts, len(BODY)})
    frames, parser = read(*(BODY[start:end] for start, end in pairwise(ends)))
    assert frames == FRAMES
    assert parser.done


def test_last_frame_needs_no_line_end() -> None:
    assert read(b'data: {"n": 1}')[0] == [{"n": 1}]


def test_frames_need_no_blank_line_between() -> None:
    assert read(b'data: {"n": 1}\ndata: {"n": 2}\n')[0] == [{"n": 1}, {"n": 2}]


def test_line_separators_inside_a_text_do_not_end_the_line() -> None:
    assert read('data: {"t": "a\u2028b\u0085c"}\n\n'.encode())[0] == [{"t": "a\u2028b\u0085c"}]


def test_whole_document_is_one_frame() -> None:
    assert read(b'{\n  "choices": [],\n\n  "n": 1\n}\n')[0] == [{"choices": [], "n": 1}]


def test_heartbeats_alone_are_an_empty_answer() -> None:
    frames, parser = read(b": ping\n\n: ping\n\n")
    assert frames == []
    assert parser.is_empty
    assert not parser.done


def test_page_of_html_is_not_empty_and_no_frame() -> None:
    frames, parser = read(b"<html><body>Sign in</body></html>")
    assert frames == []
    assert not parser.is_empty


def test_unreadable_frame_is_passed_over() -> None:
    assert read(b'data: {"n": \n\ndata: {"n": 2}\n\n')[0] == [{"n": 2}]


def test_broken_utf8_costs_one_character() -> None:
    assert read(b'data: {"t": "a\xffb"}\n\n')[0] == [{"t": "a\ufffdb"}]


def test_numbers_that_are_no_json_become_null() -> None:
    assert read(b'data: {"a": NaN, "b": Infinity, "c": 1e999, "d": 1.5}\n')[0] == [{"a": None, "b": None, "c": None, "d": 1.5}]


def test_nesting_without_end_is_passed_over() -> None:
    assert read(b"data: " + b"[" * 200_000 + b"\n\n")[0] == []


@given(st.binary(max_size=200))
def test_no_bytes_break_the_parser(noise: bytes) -> None:
    read(noise)
