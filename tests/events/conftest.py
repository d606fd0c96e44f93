"""A session with a stream, and readers of our own: these tests need no transcript."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pytest

from apps.events import catalogue, hints, log, net, read
from apps.events.models import Event
from tests.support.triggers import lift_append_only_triggers  # noqa: F401

SESSION, SESSION_ID = 7, "sess_7"


def message_data(event: Event) -> catalogue.Data:
    return {"messageId": f"msg_{event.subject}", "role": "assistant", "text": f"text {event.subject}", "final": False}


def read_messages(events: Sequence[Event]) -> dict[int, catalogue.Data]:
    return {event.seq: message_data(event) for event in events}


def run_ids(keys: Iterable[int]) -> Mapping[int, str]:
    return {key: f"run_{key}" for key in keys}


@pytest.fixture(autouse=True)
def own_readers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "_run_ids", run_ids)
    monkeypatch.setitem(catalogue.READERS, "message", read_messages)


@pytest.fixture(autouse=True)
def own_subscriptions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "_subscriptions", {})


@pytest.fixture
def session(db: None) -> int:
    """Return the key of a session whose stream is open."""
    log.open_stream(SESSION, SESSION_ID)
    return SESSION


@pytest.fixture
def no_net(monkeypatch: pytest.MonkeyPatch) -> None:
    """Subscribe without the thread that watches the database."""
    monkeypatch.setattr(net, "start", lambda: None)


@pytest.fixture
def watching_net() -> Iterator[None]:
    """End the thread that watches the database before the test's rows go."""
    yield
    net.stop()
