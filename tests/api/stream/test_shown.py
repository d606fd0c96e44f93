"""A reader that joins at any moment shows the running text as it is."""

from hypothesis import given
from hypothesis import strategies as st

from apps.api.stream.shown import Change, Shown
from apps.events.live import RunningText


class Screen:
    """What a reader shows: for each message the text that snapshots replace and deltas extend."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def take(self, changes: list[Change]) -> None:
        for change in changes:
            before = "" if change.replaces else self.texts.get(change.message_id, "")
            self.texts[change.message_id] = before + change.text


def seen(shown: Shown, text: RunningText) -> list[tuple[str, str, str]]:
    return [(change.kind, change.message_id, change.text) for change in shown.changes(text)]


def test_who_joins_in_the_middle_gets_the_text_so_far_then_pieces() -> None:
    shown, text = Shown(), RunningText(1, "m1", "so far")
    assert seen(shown, text) == [("message_snapshot", "m1", "so far")]
    shown.joined()
    text.text += " and on"
    assert seen(shown, text) == [("message_delta", "m1", " and on")]
    assert seen(shown, text) == []


def test_who_is_there_from_the_beginning_gets_only_pieces() -> None:
    shown = Shown()
    shown.joined()
    assert seen(shown, RunningText(1, "m1")) == []
    assert seen(shown, RunningText(1, "m1", "a")) == [("message_delta", "m1", "a")]


def test_a_round_that_starts_over_empties_what_was_shown() -> None:
    shown = Shown()
    shown.changes(RunningText(1, "m1", "wrong"))
    assert seen(shown, RunningText(1, "m1", "", generation=1)) == [("message_snapshot", "m1", "")]
    assert seen(shown, RunningText(1, "m1", "right", generation=1)) == [("message_delta", "m1", "right")]


def test_nothing_of_a_stored_message_is_sent_again() -> None:
    shown, text = Shown(), RunningText(1, "m1", "whole")
    shown.changes(text)
    shown.stored("m1")
    text.text += " and late pieces"
    assert seen(shown, text) == []


def test_a_text_that_was_never_stored_is_taken_back_when_another_takes_its_place() -> None:
    shown = Shown()
    shown.joined()
    shown.changes(RunningText(1, "m1", "cut off"))
    assert seen(shown, RunningText(1, "m2", "cut off, continued")) == [
        ("message_snapshot", "m1", ""),
        ("message_snapshot", "m2", "cut off, continued"),
    ]


def test_a_row_that_lags_behind_takes_nothing_back() -> None:
    shown = Shown()
    shown.changes(RunningText(1, "m1", "twelve signs"))
    assert seen(shown, RunningText(1, "m1", "twelve")) == []
    assert seen(shown, RunningText(1, "m1", "twelve signs!")) == [("message_delta", "m1", "!")]


pieces = st.tuples(st.just("piece"), st.text(max_size=3))
steps = st.lists(pieces | st.tuples(st.sampled_from(["restart", "next", "stored", "look"]), st.just("")), max_size=30)


@given(steps)
def test_the_screen_is_the_running_text_at_every_look(told: list[tuple[str, str]]) -> None:
    shown, screen, text = Shown(), Screen(), RunningText(1, "m0")
    for number, (step, piece) in enumerate([*told, ("look", "")], 1):
        if step == "piece":
            text.text += piece
        elif step == "restart":
            text = RunningText(1, text.message_id, "", text.generation + 1)
        elif step in ("next", "stored"):
            if step == "stored":
                shown.stored(text.message_id)
                screen.texts.pop(text.message_id, None)
            text = RunningText(1, f"m{number}")
        else:
            screen.take(shown.changes(text))
            assert screen.texts.get(text.message_id, "") == text.text
            assert not any(shown_text for message, shown_text in screen.texts.items() if message != text.message_id)
