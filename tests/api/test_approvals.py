"""Approvals over the API: the card, the decision, and which tools ask."""

from typing import Any

import pytest

from apps.accounts.models import User
from apps.chat.models import Run
from apps.events.read import read_events
from apps.interactions.models import Interaction
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import make_card
from tests.support.runs import DONE, asks, run_to_rest, scripted
from tests.support.tools import Sending, mounted_in_chat, send

SETTINGS = "/api/v1/capabilities/settings"


@pytest.fixture(autouse=True)
def tool(monkeypatch: pytest.MonkeyPatch) -> Sending:
    """Mount a tool that waits for its user."""
    return mounted_in_chat(Sending(), monkeypatch)


@pytest.fixture
def card(ada: User, tool: Sending) -> Interaction:
    """A call that waits to be allowed."""
    return make_card(ada, scripted(asks(send()), DONE))


def submit(api: Caller, card: Interaction, **body: Any) -> Any:
    return api.post("/api/chat/continue", {"sessionId": card.session.public_id, "requestId": card.public_id} | body)


def names_of_tools(api: Caller, **query: Any) -> list[str]:
    return [each["function"]["name"] for each in api.get("/api/tools", **query).json()["results"]]


def test_h77_the_card_is_the_same_in_event_and_list(api: Caller, card: Interaction) -> None:
    (listed,) = api.get("/api/interactions/pending").json()["pending"]
    (event,) = [e.data for e in read_events(card.session_id, 0) if e.kind == "user_input_required"]
    assert {key: event[key] for key in listed} == listed
    assert (listed["kind"], listed["title"], listed["detail"]) == ("approval", "send", '{\n  "text": "hello"\n}')


@pytest.mark.parametrize(("decision", "sent"), [("approve", ["hello"]), ("deny", [])])
def test_a_decision_is_taken_once_and_its_receipt_tells_it(
    api: Caller, card: Interaction, tool: Sending, decision: str, sent: list[str]
) -> None:
    accepted = submit(api, card, decision=decision, feedback="I say so.")
    assert accepted.status_code == 202
    receipt = accepted.json()["receipt"]
    assert (receipt["status"], receipt["answer"]["decision"], receipt["answer"]["feedback"]) == (
        "answered",
        decision,
        "I say so.",
    )
    late = problem(submit(api, card, decision="approve"), "already_resolved")
    assert late["receipt"]["answer"] == receipt["answer"]
    run = run_to_rest(Run.objects.get(pk=card.run_id), scripted(DONE))
    assert (run.status, tool.sent) == (Run.Status.COMPLETED, sent)
    assert api.get(f"/api/interactions/{card.public_id}").json()["receipt"]["answer"] == receipt["answer"]


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "decision"), ({"decision": "yes"}, "decision"), ({"decision": "approve", "selections": ["x"]}, "selections")],
)
def test_what_is_no_decision_is_refused_by_its_field(api: Caller, card: Interaction, body: dict[str, Any], field: str) -> None:
    assert fields(problem(submit(api, card, **body), "invalid_answer")) == [field]
    card.refresh_from_db()
    assert card.status == "pending"


def test_a_stranger_can_allow_nothing(bobs: Caller, card: Interaction, tool: Sending) -> None:
    problem(submit(bobs, card, decision="approve"), "interaction_not_found")
    card.refresh_from_db()
    assert card.status == "pending"


def test_a_tool_that_is_off_is_in_no_schema(api: Caller) -> None:
    assert "send" in names_of_tools(api)
    changed = api.put(SETTINGS, {"tools": {"send": "off"}}).json()
    assert changed["chat"]["tools"]["send"] == changed["solve"]["tools"]["send"] == "off"
    assert "send" not in names_of_tools(api)


def test_a_session_makes_its_own_tools_stricter(api: Caller, tool: Sending) -> None:
    session = api.post("/api/sessions", {}).json()["sessionId"]
    changed = api.patch(f"/api/sessions/{session}", {"tools": {"send": "off", "count": True, "x": "ask"}})
    assert changed.json()["tools"] == {"send": "off", "count": True, "x": "ask"}
    assert "send" not in names_of_tools(api, sessionId=session)
    assert "send" in names_of_tools(api)


@pytest.mark.parametrize(("value", "code"), [("sometimes", "invalid_request"), (1, "malformed_body")])
def test_what_is_no_setting_is_refused_by_its_name(api: Caller, value: Any, code: str) -> None:
    session = api.post("/api/sessions", {}).json()["sessionId"]
    assert fields(problem(api.patch(f"/api/sessions/{session}", {"tools": {"send": value}}), code)) == ["tools.send"]
    assert fields(problem(api.put(SETTINGS, {"chat": {"tools": {"send": value}}}), "invalid_request")) == ["chat.tools.send"]
