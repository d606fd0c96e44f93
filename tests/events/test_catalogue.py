"""A kind is declared before it is written, and read in bulk."""

from collections.abc import Sequence

import pytest

from apps.events import catalogue
from apps.events.models import Event


def event(seq: int, kind: str, **facts: object) -> Event:
    return Event(session=7, seq=seq, kind=kind, facts=facts or None)


def test_a_reader_is_called_once_for_all_events_of_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[int]] = []

    def read_plan(events: Sequence[Event]) -> dict[int, catalogue.Data]:
        calls.append([each.seq for each in events])
        return {each.seq: {"plan": {}} for each in events}

    monkeypatch.setitem(catalogue.READERS, "plan_updated", read_plan)
    rows = [event(1, "plan_updated"), event(2, "run_resumed", segment=1), event(3, "plan_updated")]
    assert catalogue.read_data(rows) == {1: {"plan": {}}, 2: {"segment": 1}, 3: {"plan": {}}}
    assert calls == [[1, 3]]


def test_data_that_lacks_a_declared_key_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue.READERS, "message", lambda events: {1: {"messageId": "msg_1", "role": "assistant"}})
    with pytest.raises(catalogue.WrongData, match="text, final"):
        catalogue.read_data([event(1, "message")])


def test_an_event_that_a_reader_leaves_out_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue.READERS, "plan_updated", lambda events: {})
    with pytest.raises(catalogue.WrongData):
        catalogue.read_data([event(1, "plan_updated")])


def test_erased_data_keeps_its_keys_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    erased = {"messageId": "msg_1", "role": "assistant", "text": None, "final": True, "erased": True}
    monkeypatch.setitem(catalogue.READERS, "message", lambda events: {1: erased})
    assert catalogue.read_data([event(1, "message")]) == {1: erased}


@pytest.mark.parametrize("kind", ["message_delta", "nothing"])
def test_only_stored_kinds_have_readers(kind: str) -> None:
    with pytest.raises(catalogue.UndeclaredKind):
        catalogue.register(kind, catalogue.read_facts)


def test_every_personal_key_is_a_declared_key() -> None:
    assert all(set(kind.personal) <= set(kind.keys) for kind in catalogue.KINDS.values())


def test_a_run_rests_after_declared_kinds_only() -> None:
    assert catalogue.KINDS.keys() > catalogue.RESTS
