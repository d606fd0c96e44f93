"""What waits, the history, drafts, more time."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditRecord
from apps.common.clock import database_now, wire_time
from apps.events.read import read_events
from apps.interactions.models import Draft
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import OPTIONS, answer, ask_in_mode, let_expire, make_card, make_session
from tests.support.runs import ask_questions, asks, scripted

MODES = ("single", "multiple", "toggle", "text", "number", "date", "directory")
SEVERAL = asks(ask_questions("c1", [{"question": "Why?", "options": OPTIONS, "multi_select": True}, {"question": "How?"}]))


def listed(response: Any) -> list[str]:
    return [each["id"] for each in response.json()["results"]]


# --- pending --------------------------------------------------------------------------------------


def test_pending_lists_all_that_waits_for_the_user_oldest_first(api: Caller, ada: User, bob: User) -> None:
    cards = [make_card(ada), make_card(ada)]
    make_card(bob)
    answer(make_card(ada))
    body = api.get("/api/interactions/pending").json()
    assert body["sessionId"] is None
    assert [each["id"] for each in body["pending"]] == [card.public_id for card in cards]


def test_pending_of_one_session(api: Caller, ada: User) -> None:
    card = make_card(ada)
    make_card(ada)
    body = api.get("/api/interactions/pending", sessionId=card.session.public_id).json()
    assert body["sessionId"] == card.session.public_id
    assert [each["id"] for each in body["pending"]] == [card.public_id]
    empty = api.get("/api/interactions/pending", sessionId=make_session(ada).public_id).json()
    assert empty["pending"] == []


@pytest.mark.parametrize("model", [*map(ask_in_mode, MODES), scripted(SEVERAL)], ids=[*MODES, "questions"])
def test_h77_pending_and_event_are_equal(api: Caller, ada: User, model: Any) -> None:
    card = make_card(ada, model)
    [event] = [each.data for each in read_events(card.session_id, 0) if each.kind == "user_input_required"]
    [pending] = api.get("/api/interactions/pending").json()["pending"]
    common = {"sessionId", "runId", "seq", "at"}
    assert {key: event[key] for key in event if key not in common} == {key: pending[key] for key in pending if key not in common}
    assert {key: pending[key] for key in ("sessionId", "runId")} == {key: event[key] for key in ("sessionId", "runId")}


def test_that_a_card_was_shown_is_recorded_once(api: Caller, ada: User) -> None:
    card = make_card(ada)
    for _ in range(3):
        api.get("/api/interactions/pending")
        api.get(f"/api/interactions/{card.public_id}")
    record = AuditRecord.objects.get(kind="interaction_shown")
    assert (record.request, record.channel, record.actor_kind) == (card.public_id, "api", "token")
    card.refresh_from_db()
    assert card.shown == "api"


def test_showing_what_is_closed_is_not_recorded(api: Caller, ada: User) -> None:
    card = make_card(ada)
    answer(card)
    api.get(f"/api/interactions/{card.public_id}")
    assert not AuditRecord.objects.filter(kind="interaction_shown").exists()


# --- history --------------------------------------------------------------------------------------


def test_the_history_shows_the_newest_first_with_receipts(api: Caller, ada: User) -> None:
    old, new = make_card(ada), make_card(ada)
    answer(old)
    first, second = api.get("/api/interactions").json()["results"]
    assert (first["id"], first["status"], first["receipt"]) == (new.public_id, "pending", None)
    assert (second["id"], second["status"], second["receipt"]["answer"]["customInput"]) == (old.public_id, "answered", "blue")


def test_the_history_in_pages_shows_everything_once(api: Caller, ada: User) -> None:
    cards = [make_card(ada).public_id for _ in range(5)]
    seen: list[str] = []
    page: dict[str, Any] = {"next": ""}
    while page["next"] is not None:
        page = api.get("/api/interactions", limit=2, cursor=page["next"]).json()
        seen += [each["id"] for each in page["results"]]
    assert seen == cards[::-1]


def test_a_page_can_be_left_while_its_last_entry_changes(api: Caller, ada: User) -> None:
    cards = [make_card(ada) for _ in range(3)]
    page = api.get("/api/interactions", status="pending", limit=1).json()
    answer(cards[2])
    rest = api.get("/api/interactions", status="pending", cursor=page["next"])
    assert listed(rest) == [cards[1].public_id, cards[0].public_id]


def test_filters_of_the_history(api: Caller, ada: User) -> None:
    text, form = make_card(ada), make_card(ada, scripted(SEVERAL))
    answer(text)
    assert listed(api.get("/api/interactions", status="pending")) == [form.public_id]
    assert listed(api.get("/api/interactions", status="answered")) == [text.public_id]
    assert listed(api.get("/api/interactions", kind="questions")) == [form.public_id]
    assert listed(api.get("/api/interactions", kind="plan_review")) == []
    assert listed(api.get("/api/interactions", sessionId=text.session.public_id)) == [text.public_id]
    asked = wire_time(form.created_at)
    assert listed(api.get("/api/interactions", since=asked)) == [form.public_id]
    assert listed(api.get("/api/interactions", until=asked)) == [text.public_id]


def test_h20_what_is_over_counts_as_expired_before_anybody_sweeps(api: Caller, ada: User) -> None:
    card = make_card(ada)
    let_expire(card)
    assert listed(api.get("/api/interactions", status="pending")) == []
    assert listed(api.get("/api/interactions", status="expired")) == [card.public_id]
    shown = api.get(f"/api/interactions/{card.public_id}").json()
    assert (shown["status"], shown["receipt"]["status"]) == ("expired", "expired")
    card.refresh_from_db()
    assert card.status == "pending"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("status", "open"),
        ("kind", "form"),
        ("since", "yesterday"),
        ("until", "2026-01-01T00:00:00"),
        ("since", "0001-01-01T00:00:00+23:59"),
        ("limit", "0"),
        ("limit", "101"),
        ("limit", "x"),
        ("cursor", "a\0b"),
        ("sessionId", "\0"),
    ],
)
def test_a_parameter_that_cannot_be_read_is_named(api: Caller, name: str, value: str) -> None:
    assert fields(problem(api.get("/api/interactions", **{name: value}), "invalid_query")) == [name]


def test_a_cursor_of_nothing_is_a_page_that_is_not_there(api: Caller, bob: User) -> None:
    problem(api.get("/api/interactions", cursor="nonsense"), "not_found")
    problem(api.get("/api/interactions", cursor=make_card(bob).public_id), "not_found")


# --- drafts ---------------------------------------------------------------------------------------


def test_a_draft_is_kept_and_the_last_write_wins(api: Caller, ada: User) -> None:
    path = f"/api/interactions/{make_card(ada).public_id}"
    for text in ("b", "bl"):
        response = api.put(f"{path}/draft", {"customInput": text})
        assert (response.status_code, response.json()["draft"]) == (200, {"customInput": text})
    assert api.get(path).json()["draft"] == {"customInput": "bl"}
    assert api.get(path).json()["status"] == "pending"


def test_a_draft_goes_with_the_answer(api: Caller, ada: User) -> None:
    card = make_card(ada)
    path = f"/api/interactions/{card.public_id}"
    api.put(f"{path}/draft", {"customInput": "bl"})
    answer(card)
    assert api.get(path).json()["draft"] is None
    problem(api.put(f"{path}/draft", {"customInput": "red"}), "already_resolved")
    assert not Draft.objects.exists()


def test_a_draft_over_64_kib_is_too_large(api: Caller, ada: User) -> None:
    path = f"/api/interactions/{make_card(ada).public_id}/draft"
    problem(api.put(path, {"customInput": "x" * 65536}), "too_large")
    assert api.put(path, {"customInput": "x" * 65000}).status_code == 200


# --- more time ------------------------------------------------------------------------------------


def test_extend_moves_the_deadline_to_so_many_seconds_from_now(api: Caller, ada: User) -> None:
    card = make_card(ada, config={"ask_lifetime": 60})
    response = api.post(f"/api/interactions/{card.public_id}/extend", {"seconds": 3600})
    assert response.status_code == 200
    until = datetime.fromisoformat(response.json()["expiresAt"])
    assert timedelta(minutes=59) < until - database_now() < timedelta(minutes=61)
    [event] = [each.data for each in read_events(card.session_id, 0) if each.kind == "user_input_updated"]
    assert (event["id"], event["expiresAt"]) == (card.public_id, response.json()["expiresAt"])


def test_extend_never_makes_it_earlier_and_stops_at_thirty_days(api: Caller, ada: User) -> None:
    card = make_card(ada, config={"ask_lifetime": 3600})
    path = f"/api/interactions/{card.public_id}/extend"
    assert api.post(path, {"seconds": 1}).json()["expiresAt"] == wire_time(card.expires_at)
    until = datetime.fromisoformat(api.post(path, {"seconds": 10**12}).json()["expiresAt"])
    assert until - database_now() < timedelta(days=30, seconds=1)


def test_extend_of_what_never_expires_is_refused(api: Caller, ada: User) -> None:
    card = make_card(ada, config={"ask_lifetime": 0})
    problem(api.post(f"/api/interactions/{card.public_id}/extend", {"seconds": 60}), "no_expiry")


def test_extend_of_what_is_closed_is_refused_as_an_answer_would_be(api: Caller, ada: User) -> None:
    answered, late = make_card(ada), make_card(ada)
    answer(answered)
    let_expire(late)
    body = {"seconds": 60}
    assert "receipt" in problem(api.post(f"/api/interactions/{answered.public_id}/extend", body), "already_resolved")
    assert problem(api.post(f"/api/interactions/{late.public_id}/extend", body), "expired")["receipt"]["status"] == "expired"
    late.refresh_from_db()
    assert late.status == "expired"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "malformed_body"),
        ({"seconds": "60"}, "malformed_body"),
        ({"seconds": True}, "malformed_body"),
        ({"seconds": 0}, "invalid_request"),
    ],
)
def test_seconds_are_a_whole_number_above_nought(api: Caller, ada: User, body: dict[str, Any], code: str) -> None:
    card = make_card(ada)
    assert fields(problem(api.post(f"/api/interactions/{card.public_id}/extend", body), code)) == ["seconds"]
