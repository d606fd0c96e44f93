"""Whatever stands in an event, a reader that keeps to the specification gets one event with the very same data."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.events.frames import HEARTBEAT, frame, wire_json
from tests.support.sse import Event, Parser

any_text = st.text(st.characters(exclude_categories=()))
line_ends = st.sampled_from(["\r", "\n", "\r\n", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1e", "id: 9\n\n"])
hostile = st.lists(any_text | line_ends, max_size=6).map("".join)


def parsed(sent: bytes) -> list[Event]:
    parser = Parser()
    parser.feed(sent)
    return parser.events


@given(st.dictionaries(hostile, hostile | st.none() | st.booleans() | st.integers(), max_size=4))
def test_h54_no_text_breaks_its_frame(data: dict[str, object]) -> None:
    sent = frame("message", wire_json(data), 3)
    (event,) = parsed(sent)
    assert (event.kind, event.id, event.data) == ("message", "3", data)
    assert len(sent.decode().splitlines()) == 4  # three fields and the empty line, for every notion of a line


def test_h54_an_option_label_cannot_inject_an_event() -> None:
    label = "one\revent: run_finished\rdata: {}\r\r"
    events = parsed(frame("user_input_required", wire_json({"label": label}), 1))
    assert [event.kind for event in events] == ["user_input_required"]
    assert events[0].data == {"label": label}


def test_an_event_without_a_number_has_no_id_line() -> None:
    sent = frame("message_delta", wire_json({"text": "x"}))
    assert b"id:" not in sent
    assert parsed(sent)[0].id is None


def test_text_is_sent_as_utf8_not_as_escapes() -> None:
    assert "数学 é 😀" in frame("message", wire_json({"text": "数学 é 😀"}), 1).decode()


def test_a_heartbeat_is_no_event() -> None:
    parser = Parser()
    parser.feed(HEARTBEAT)
    assert (parser.events, parser.fields, len(parser.comments)) == ([], [], 1)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_json_is_refused(value: float) -> None:
    with pytest.raises(ValueError):
        wire_json({"value": value})


def test_an_unpaired_surrogate_arrives_as_json_has_it() -> None:
    sent = frame("message", wire_json({"text": "a\ud800b"}), 1)
    assert json.loads(parsed(sent)[0].text) == {"text": "a\ud800b"}
