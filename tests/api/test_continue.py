"""POST /api/chat/continue."""

import json
from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditRecord
from apps.chat.models import ToolResult
from apps.events.read import read_events
from apps.interactions.models import Interaction
from apps.runs import services
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import answer, ask_in_mode, let_expire, make_card, make_cards, make_session
from tests.support.runs import ask_questions, ask_user, asks, run_to_rest, scripted

ANSWERS: dict[str, dict[str, Any]] = {
    "single": {"selections": ["safe"]},
    "multiple": {"selections": ["safe", "implement"]},
    "toggle": {"selections": ["implement"]},
    "text": {"customInput": "blue"},
    "number": {"customInput": "3.5"},
    "date": {"customInput": "2026-03-01"},
    "directory": {"customInput": "reports/2026"},
}


def submit(caller: Caller, card: Interaction, **body: Any) -> Any:
    return caller.post("/api/chat/continue", {"sessionId": card.session.public_id, "requestId": card.public_id} | body)


def records(card: Interaction, kind: str = "submission_refused") -> list[str]:
    found = AuditRecord.objects.filter(session=card.session.public_id, kind=kind).order_by("number")
    return [record.summary.get("reason", "") for record in found]


def untouched(card: Interaction) -> bool:
    """Say whether the card still waits and its call has no result."""
    card.refresh_from_db()
    return card.status == "pending" and not ToolResult.objects.filter(call_id=card.call_id).exists()


@pytest.mark.parametrize("mode", ANSWERS)
def test_an_answer_in_every_mode_is_accepted_with_its_receipt(api: Caller, ada: User, mode: str) -> None:
    card = make_card(ada, ask_in_mode(mode))
    response = submit(api, card, **ANSWERS[mode])
    assert response.status_code == 202
    body = response.json()
    assert (body["requestId"], body["toolCallId"], body["runId"]) == (card.public_id, card.call.call_id, card.run.public_id)
    assert body["status"] == body["receipt"]["status"] == "answered"
    assert body["receipt"]["answer"] == json.loads(ToolResult.objects.get(call_id=card.call_id).content)
    assert (body["receipt"]["answeredBy"], body["receipt"]["channel"]) == ("ada", "api")


def test_the_run_goes_on_and_the_stream_learns_where_to_begin(api: Caller, ada: User) -> None:
    model = scripted()
    card = make_card(ada, model)
    response = submit(api, card, customInput="blue")
    kinds = [event.kind for event in read_events(card.session_id, int(response["Handraise-First-Seq"]) - 1)]
    assert kinds == ["user_input_resolved", "tool_result"]
    assert response["Handraise-Session"] == card.session.public_id
    assert "Handraise-Last-Seq" not in response
    card.run.refresh_from_db()
    assert run_to_rest(card.run, model).status == "completed"


def test_the_body_is_kept_as_it_was_received(api: Caller, ada: User) -> None:
    card = make_card(ada)
    raw = f'{{"sessionId":"{card.session.public_id}",\n "requestId": "{card.public_id}", "customInput": "bl\\u00fce"}}'
    assert api.post("/api/chat/continue", raw).status_code == 202
    assert Interaction.objects.get().submission == raw


def test_closing_a_question_with_the_x_ends_the_run_whatever_else_is_sent(api: Caller, ada: User) -> None:
    card = make_card(ada)
    response = submit(api, card, customInput="blue", selections=["no such"], cancelled=True)
    assert response.json()["status"] == "cancelled"
    card.run.refresh_from_db()
    assert (card.run.status, card.run.reason) == ("cancelled", "cancelled_card")


# --- what is no answer ----------------------------------------------------------------------------


@pytest.mark.parametrize("blank", ["", "   ", "\n", "\u200b", None])
@pytest.mark.parametrize("mode", ["single", "text"])
def test_h13_an_empty_submission_answers_nothing(api: Caller, ada: User, mode: str, blank: str | None) -> None:
    card = make_card(ada, ask_in_mode(mode))
    body = problem(submit(api, card, selections=[], customInput=blank, cancelled=False), "invalid_answer")
    assert fields(body) == [{"single": "selections", "text": "customInput"}[mode]]
    assert untouched(card)
    assert submit(api, card, **ANSWERS[mode]).status_code == 202


@pytest.mark.parametrize(
    ("mode", "body", "field"),
    [
        ("single", {"selections": ["root"]}, "selections[0]"),
        ("single", {"selections": ["safe", "implement"]}, "selections"),
        ("single", {"customInput": "other"}, "customInput"),
        ("multiple", {"selections": ["safe", "safe"]}, "selections[1]"),
        ("text", {"customInput": "blue", "selections": ["safe"]}, "selections"),
        ("text", {"customInput": "blue", "decision": "approve"}, "decision"),
        ("number", {"customInput": "3,2"}, "customInput"),
        ("number", {"customInput": "abc"}, "customInput"),
        ("date", {"customInput": "2026-02-30"}, "customInput"),
        ("directory", {"customInput": "../up"}, "customInput"),
    ],
)
def test_h61_a_wrong_answer_bounces_to_the_person_field_by_field(
    api: Caller, ada: User, mode: str, body: dict[str, Any], field: str
) -> None:
    card = make_card(ada, ask_in_mode(mode))
    assert field in fields(problem(submit(api, card, **body), "invalid_answer"))
    assert untouched(card)
    assert records(card) == ["invalid"]


def test_a_question_left_out_is_named(api: Caller, ada: User) -> None:
    questions = [{"id": "colour", "question": "Which colour?"}, {"id": "size", "question": "Which size?"}]
    card = make_card(ada, scripted(asks(ask_questions("c1", questions))))
    body = problem(submit(api, card, answers=[{"id": "colour", "selected": [], "custom": "blue"}]), "invalid_answer")
    assert body["missing"] == ["size"]
    assert untouched(card)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"selections": "safe"}, "selections"),
        ({"selections": [5]}, "selections[0]"),
        ({"customInput": 5}, "customInput"),
        ({"customInput": "a\0b"}, "customInput"),
        ({"customInput": "a\ud800b"}, "customInput"),
        ({"answers": {}}, "answers"),
        ({"answers": [{"selected": []}]}, "answers[0].id"),
        ({"answers": [{"id": "q1"}]}, "answers[0].selected"),
        ({"answers": [{"id": "q1", "selected": [], "because": 1}]}, "answers[0].because"),
        ({"cancelled": "true"}, "cancelled"),
        ({"planRevision": "1"}, "planRevision"),
    ],
)
def test_a_malformed_part_is_named(api: Caller, ada: User, body: dict[str, Any], field: str) -> None:
    card = make_card(ada)
    assert field in fields(problem(submit(api, card, **body), "malformed_body"))
    assert untouched(card)


@pytest.mark.parametrize("name", ["sessionId", "requestId"])
@pytest.mark.parametrize("value", [None, 5, ["ask_x"], True])
def test_h76_session_and_question_are_texts_and_must_be_there(api: Caller, ada: User, name: str, value: Any) -> None:
    card = make_card(ada)
    assert fields(problem(submit(api, card, **{name: value}, customInput=5), "malformed_body")) == [name, "customInput"]
    body = {"sessionId": card.session.public_id, "requestId": card.public_id, "customInput": "blue"}
    del body[name]
    assert fields(problem(api.post("/api/chat/continue", body), "malformed_body")) == [name]
    assert untouched(card)


def test_h87_what_a_client_says_of_the_call_is_refused(api: Caller, ada: User) -> None:
    card = make_card(ada, ask_in_mode("single"))
    claims = {"toolCallId": "c9", "title": "Other", "options": [], "state": {}, "expiresAt": "2030-01-01T00:00:00Z"}
    assert fields(problem(submit(api, card, selections=["safe"], **claims), "malformed_body")) == list(claims)
    assert untouched(card)
    assert submit(api, card, selections=["safe"]).json()["toolCallId"] == "c1"


@pytest.mark.parametrize("size", [64 * 1024 + 1, 10 * 1024 * 1024])
def test_a_body_over_64_kib_is_too_large(api: Caller, ada: User, size: int) -> None:
    card = make_card(ada)
    problem(submit(api, card, customInput="x" * size), "too_large")
    assert untouched(card)
    assert api.get("/api/interactions/pending").status_code == 200


# --- too late, twice, elsewhere -------------------------------------------------------------------


def test_h15_h16_the_second_answer_gets_the_receipt_of_the_first(api: Caller, ada: User) -> None:
    card = make_card(ada)
    first = submit(api, card, customInput="blue")
    for text in ("blue", "red"):
        second = problem(submit(api, card, customInput=text), "already_resolved")
        assert second["receipt"] == first.json()["receipt"]
    assert ToolResult.objects.filter(call_id=card.call_id).count() == 1
    assert records(card) == ["duplicate", "duplicate"]


def test_h17_the_answer_goes_to_the_question_that_it_names(api: Caller, ada: User) -> None:
    old, new = make_card(ada), make_card(ada)
    assert submit(api, new, customInput="blue").status_code == 202
    assert untouched(old)
    old.run.refresh_from_db()
    assert old.run.status == "waiting"


def test_h18_with_two_questions_open_the_run_waits_for_both(api: Caller, ada: User) -> None:
    first, second = make_cards(ada, scripted(asks(ask_user("c1"), ask_user("c2", title="Which size?")), {"text": "Done."}))
    response = submit(api, second, customInput="large")
    last = int(response["Handraise-Last-Seq"])
    assert [event.kind for event in read_events(second.session_id, int(response["Handraise-First-Seq"]) - 1)] == [
        "user_input_resolved",
        "tool_result",
    ]
    assert last == services.last_seq(second.session)
    assert [card["id"] for card in api.get("/api/interactions/pending").json()["pending"]] == [first.public_id]
    second.run.refresh_from_db()
    assert second.run.status == "waiting"


def test_h20_a_late_answer_is_refused_by_the_clock_and_the_expiry_recorded(api: Caller, ada: User) -> None:
    card = make_card(ada)
    let_expire(card)
    assert api.get("/api/interactions/pending").json()["pending"] == []
    receipt = problem(submit(api, card, customInput="blue"), "expired")["receipt"]
    assert (receipt["status"], receipt["answer"]["answeredBy"], receipt["answer"]["customInput"]) == ("expired", "timeout", "")
    card.refresh_from_db()
    assert card.status == "expired"
    assert records(card) == ["late"]
    assert records(card, "interaction_expired") == [""]


def test_h19_the_draft_of_a_late_answer_is_still_there(api: Caller, ada: User) -> None:
    card = make_card(ada)
    api.put(f"/api/interactions/{card.public_id}/draft", {"customInput": "a long text"})
    let_expire(card)
    problem(submit(api, card, customInput="a long text"), "expired")
    assert api.get(f"/api/interactions/{card.public_id}").json()["draft"] == {"customInput": "a long text"}


def test_h14_silence_chooses_nothing(api: Caller, ada: User) -> None:
    card = make_card(ada, scripted(asks(ask_user(mode="single", options=[{"id": "safe", "label": "A", "recommended": True}]))))
    let_expire(card)
    receipt = problem(submit(api, card, selections=["safe"]), "expired")["receipt"]
    assert receipt["answer"]["selections"] == []


def test_an_answer_for_another_session_of_the_user_touches_neither(api: Caller, ada: User) -> None:
    card, other = make_card(ada), make_session(ada)
    body = {"sessionId": other.public_id, "requestId": card.public_id, "customInput": "blue"}
    problem(api.post("/api/chat/continue", body), "wrong_session")
    assert untouched(card)
    assert records(card) == ["wrong_session"]


def test_h85_a_strangers_question_is_not_found_even_with_an_own_session(ada: User, bob: User, bobs: Caller) -> None:
    card, own = make_card(ada), make_session(bob)
    body = {"sessionId": own.public_id, "requestId": card.public_id, "customInput": "blue"}
    problem(bobs.post("/api/chat/continue", body), "interaction_not_found")
    assert untouched(card)


def test_a_run_stored_by_a_newer_version_cannot_go_on(api: Caller, ada: User) -> None:
    card = make_card(ada)
    card.run.state_version = 99
    card.run.save()
    assert api.get("/api/interactions/pending").json()["pending"][0]["resumable"] is False
    problem(submit(api, card, customInput="blue"), "not_resumable")
    assert untouched(card)


def test_a_closed_question_cannot_be_closed_again(api: Caller, ada: User) -> None:
    card = make_card(ada)
    answer(card)
    problem(submit(api, card, cancelled=True), "already_resolved")
