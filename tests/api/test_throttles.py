"""So many calls a minute, and no more."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditRecord
from apps.chat.models import Run
from apps.runs import rates
from apps.runs.rates import SlidingWindow
from tests.api.caller import Caller, problem
from tests.factories.chat import make_card


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    now = {"now": 1000.0}
    monkeypatch.setattr("apps.runs.rates.time.monotonic", lambda: now["now"])
    return now


def test_calls_over_the_limit_are_told_how_long_to_wait(api: Caller, settings: Any, clock: dict[str, float]) -> None:
    settings.RATE_REQUESTS = 3
    for _ in range(3):
        assert api.get("/api/sessions").status_code == 200
        clock["now"] += 10
    response = api.get("/api/sessions")
    problem(response, "throttled")
    assert response["Retry-After"] == "30"
    clock["now"] += 30
    assert api.get("/api/sessions").status_code == 200


def test_a_limit_is_each_users_own(api: Caller, bobs: Caller, settings: Any) -> None:
    settings.RATE_REQUESTS = 1
    assert api.get("/api/sessions").status_code == 200
    assert bobs.get("/api/sessions").status_code == 200
    problem(api.get("/api/sessions"), "throttled")


def test_runs_have_a_limit_of_their_own(api: Caller, settings: Any) -> None:
    settings.RATE_RUNS = 2
    for _ in range(2):
        assert api.post("/api/chat", {"message": "Hello"}).status_code == 202
    problem(api.post("/api/chat", {"message": "Hello"}), "throttled")
    assert Run.objects.count() == 2
    assert api.get("/api/sessions").status_code == 200


def test_a_throttled_try_changes_nothing_not_even_the_audit(api: Caller, ada: User, settings: Any) -> None:
    settings.RATE_REQUESTS = 1
    card = make_card(ada)
    api.get("/api/sessions")
    before = AuditRecord.objects.count()
    body = {"sessionId": card.session.public_id, "requestId": card.public_id, "customInput": "blue"}
    problem(api.post("/api/chat/continue", body), "throttled")
    card.refresh_from_db()
    assert (card.status, AuditRecord.objects.count()) == ("pending", before)


def test_nought_is_no_limit(api: Caller, settings: Any) -> None:
    settings.RATE_REQUESTS = settings.RATE_RUNS = 0
    assert {api.post("/api/chat", {"message": "Hello"}).status_code for _ in range(5)} == {202}


def test_who_has_been_away_is_forgotten(clock: dict[str, float]) -> None:
    window = SlidingWindow()
    for user in range(rates._SWEEP_AT + 1):
        window.take(user, 1)
    clock["now"] += rates.WINDOW_SECONDS + 1
    window.take(-1, 1)
    assert len(window._times) == 1
