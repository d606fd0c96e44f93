"""Sessions: list, make, read, change, delete; their messages, events and evidence."""

import json
from typing import Any

import pytest

from apps.accounts.models import User
from apps.audit.models import AuditRecord
from apps.chat.models import ChatSession, Run
from apps.events.read import read_events
from apps.runs.services import last_seq
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import answer, make_card, make_run, make_session
from tests.support.runs import run_to_rest, scripted


def titles(response: Any) -> list[str]:
    return [each["title"] for each in response.json()["results"]]


def finished(user: User) -> Run:
    """Ask, answer, end."""
    model = scripted()
    card = make_card(user, model)
    answer(card)
    card.run.refresh_from_db()
    return run_to_rest(card.run, model)


# --- sessions -------------------------------------------------------------------------------------


def test_a_session_is_made_and_read(api: Caller) -> None:
    made = api.post("/api/sessions", {"title": "Plans"})
    assert made.status_code == 201
    assert made.json() | {"sessionId": "", "createdAt": "", "updatedAt": ""} == {
        "sessionId": "",
        "title": "Plans",
        "archived": False,
        "tools": {},
        "status": "idle",
        "lastRun": None,
        "createdAt": "",
        "updatedAt": "",
    }
    assert api.get(f"/api/sessions/{made.json()['sessionId']}").json() == made.json()


def test_a_session_needs_no_body(api: Caller) -> None:
    assert api.send("POST", "/api/sessions").status_code == 201


def test_a_session_shows_its_latest_run(api: Caller, ada: User) -> None:
    card = make_card(ada)
    body = api.get(f"/api/sessions/{card.session.public_id}").json()
    assert (body["status"], body["lastRun"]["runId"], body["lastRun"]["status"]) == ("waiting", card.run.public_id, "waiting")


def test_a_failed_run_says_why(api: Caller, ada: User) -> None:
    run = run_to_rest(make_run(ada), scripted({"fault": {"kind": "status", "status": 500, "times": 1}}))
    [session] = api.get("/api/sessions").json()["results"]
    assert session["status"] == "idle"
    assert session["lastRun"]["error"] == {"code": run.error_code, "message": run.error_message, "retryable": True}


def test_the_list_shows_own_sessions_the_latest_change_first(api: Caller, ada: User, bob: User) -> None:
    first = make_session(ada, "first")
    make_session(ada, "second")
    make_session(bob, "bob's")
    assert titles(api.get("/api/sessions")) == ["second", "first"]
    make_run(ada, session=first)
    assert titles(api.get("/api/sessions")) == ["first", "second"]


def test_the_list_in_pages_shows_every_session_once(api: Caller, ada: User) -> None:
    names = [str(number) for number in range(7)]
    for name in names:
        session = make_session(ada, name)
        ChatSession.objects.filter(pk=session.pk).update(archived=int(name) % 3 == 0)
    ChatSession.objects.update(updated_at=session.updated_at)
    seen: list[str] = []
    page: dict[str, Any] = {"next": ""}
    while page["next"] is not None:
        page = api.get("/api/sessions", limit=2, cursor=page["next"]).json()
        seen += [each["title"] for each in page["results"]]
    assert seen == names[::-1]


def test_a_page_can_be_left_when_its_last_session_is_deleted(api: Caller, ada: User) -> None:
    for name in ("first", "second", "third"):
        make_session(ada, name)
    page = api.get("/api/sessions", limit=1).json()
    api.delete(f"/api/sessions/{page['results'][0]['sessionId']}")
    assert titles(api.get("/api/sessions", cursor=page["next"])) == ["second", "first"]


def test_the_list_of_archived_sessions_and_of_others(api: Caller, ada: User) -> None:
    make_session(ada, "kept")
    gone = make_session(ada, "gone")
    assert api.patch(f"/api/sessions/{gone.public_id}", {"archived": True}).json()["archived"] is True
    assert titles(api.get("/api/sessions", archived="true")) == ["gone"]
    assert titles(api.get("/api/sessions", archived="false")) == ["kept"]
    problem(api.get("/api/sessions", archived="maybe"), "invalid_query")
    problem(api.get("/api/sessions", cursor="nonsense"), "not_found")


def test_title_and_tools_are_changed(api: Caller, ada: User) -> None:
    path = f"/api/sessions/{make_session(ada, 'old').public_id}"
    body = api.patch(path, {"title": " new \u202etitle ", "tools": {"ask_user": False}}).json()
    assert (body["title"], body["tools"]) == ("new title", {"ask_user": False})
    told = [record.summary for record in AuditRecord.objects.filter(kind="settings_changed").order_by("pk")]
    assert [(each["names"], each.get("tool"), each.get("policy")) for each in told] == [
        (["tools"], None, None),
        (["tools"], "ask_user", "off"),
    ]
    assert api.patch(path, {}).json()["title"] == "new title"


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({"title": 5}, "malformed_body", "title"),
        ({"title": "x" * 201}, "invalid_request", "title"),
        ({"archived": "yes"}, "malformed_body", "archived"),
        ({"tools": []}, "malformed_body", "tools"),
        ({"tools": {"ask_user": "maybe"}}, "invalid_request", "tools.ask_user"),
        ({"tools": {f"tool{n}": True for n in range(101)}}, "invalid_request", "tools"),
    ],
)
def test_a_wrong_change_is_named(api: Caller, ada: User, body: dict[str, Any], code: str, field: str) -> None:
    session = make_session(ada, "old")
    assert fields(problem(api.patch(f"/api/sessions/{session.public_id}", body), code)) == [field]
    session.refresh_from_db()
    assert session.title == "old"


def test_a_deleted_session_is_gone_but_for_its_trail(api: Caller, ada: User) -> None:
    card = make_card(ada)
    session_id = card.session.public_id
    response = api.delete(f"/api/sessions/{session_id}")
    assert (response.status_code, response.content) == (204, b"")
    problem(api.get(f"/api/sessions/{session_id}"), "not_found")
    problem(api.get(f"/api/interactions/{card.public_id}"), "interaction_not_found")
    assert not Run.objects.exists()
    kinds = AuditRecord.objects.filter(session=session_id).order_by("number").values_list("kind", flat=True)
    assert list(kinds)[-1] == "session_deleted"


# --- messages -------------------------------------------------------------------------------------


def test_messages_tell_what_was_said_called_and_answered(api: Caller, ada: User) -> None:
    run = finished(ada)
    hello, question, end = api.get(f"/api/sessions/{run.session.public_id}/messages").json()["results"]
    assert (hello["role"], hello["text"], hello["runId"]) == ("user", "Hello", run.public_id)
    [call] = question["toolCalls"]
    assert (call["toolCallId"], call["name"], json.loads(call["arguments"])["title"]) == ("c1", "ask_user", "Which colour?")
    assert call["requestId"] == run.interactions.get().public_id
    assert json.loads(call["result"]["content"])["customInput"] == "blue"
    assert (end["role"], end["text"], end["final"]) == ("assistant", "All done.", True)


def test_a_call_without_a_result_says_so(api: Caller, ada: User) -> None:
    card = make_card(ada)
    *_before, question = api.get(f"/api/sessions/{card.session.public_id}/messages").json()["results"]
    assert question["toolCalls"][0]["result"] is None


def test_messages_come_in_pages(api: Caller, ada: User) -> None:
    run = finished(ada)
    path = f"/api/sessions/{run.session.public_id}/messages"
    first = api.get(path, limit=2).json()
    second = api.get(path, limit=2, cursor=first["next"]).json()
    everything = api.get(path).json()
    assert (first["results"] + second["results"], second["next"]) == (everything["results"], None)


# --- events ---------------------------------------------------------------------------------------


def test_events_as_a_page_are_those_of_the_stream(api: Caller, ada: User) -> None:
    run = finished(ada)
    body = api.get(f"/api/sessions/{run.session.public_id}/events").json()
    assert body["next"] is None
    assert body["results"] == [{"type": each.kind, **each.data} for each in read_events(run.session_id, 0)]


def test_h86_a_page_after_any_number_holds_events_of_its_session_only(api: Caller, ada: User, bob: User) -> None:
    run, foreign = finished(ada), finished(bob)
    path = f"/api/sessions/{run.session.public_id}/events"
    for after in range(last_seq(foreign.session) + 2):
        events = api.get(path, after=after).json()["results"]
        assert {each["sessionId"] for each in events} <= {run.session.public_id}
        assert [each["seq"] for each in events] == list(range(after + 1, last_seq(run.session) + 1))


def test_a_full_page_names_the_next(api: Caller, ada: User) -> None:
    run = finished(ada)
    path, after = f"/api/sessions/{run.session.public_id}/events", "0"
    seen: list[int] = []
    while after is not None:
        body = api.get(path, after=after, limit=4).json()
        seen, after = seen + [each["seq"] for each in body["results"]], body["next"]
    assert seen == list(range(1, last_seq(run.session) + 1))


@pytest.mark.parametrize("after", ["abc", "-1", "1.5", "18446744073709551616", "\0", "٣"])
def test_a_number_that_is_none_is_named(api: Caller, ada: User, after: str) -> None:
    path = f"/api/sessions/{make_session(ada).public_id}/events"
    assert fields(problem(api.get(path, after=after), "invalid_query")) == ["after"]


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_the_inbox_is_a_stream_and_nothing_else(api: Caller, method: str) -> None:
    code = {"GET": "not_acceptable", "POST": "method_not_allowed"}[method]
    problem(api.send(method, "/api/inbox/events"), code)


# --- evidence -------------------------------------------------------------------------------------


def test_evidence_holds_all_that_happened(api: Caller, ada: User) -> None:
    run = finished(ada)
    body = api.get(f"/api/sessions/{run.session.public_id}/evidence").json()
    assert [each["runId"] for each in body["runs"]] == [run.public_id]
    assert [each["text"] for each in body["messages"]] == ["Hello", "", "All done."]
    [call], [asked] = body["toolCalls"], body["interactions"]
    assert json.loads(call["result"]["content"]) == asked["receipt"]["answer"]
    assert (asked["submission"], asked["toolCallId"]) == ('{"customInput": "blue"}', call["toolCallId"])
    assert "".join(body["stream"]).encode() == b"".join(each.frame for each in read_events(run.session_id, 0))
    assert body["versions"]["product"]
    assert body["versions"]["capabilities"][0]["capability"] == "chat"


def test_evidence_holds_the_chain_and_the_export_is_recorded_behind_it(api: Caller, ada: User) -> None:
    run = finished(ada)
    body = api.get(f"/api/sessions/{run.session.public_id}/evidence").json()
    records = AuditRecord.objects.filter(session=run.session.public_id).order_by("number")
    assert [each["value"] for each in body["audit"]] == [bytes(row.value).hex() for row in records][:-1]
    assert [each["previous"] for each in body["audit"][1:]] == [each["value"] for each in body["audit"][:-1]]
    last = records.last()
    assert last is not None
    assert (last.kind, last.summary) == ("evidence_exported", {"events": len(body["stream"]), "records": len(body["audit"])})
