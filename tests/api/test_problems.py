"""One shape for every refusal, whatever refuses: H61, and ten_minutes.md 3."""

import logging
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.api.views.sessions import SessionsView
from apps.common.errors import HandraiseError
from apps.interactions.models import Interaction
from tests.api.caller import Caller, fields, problem
from tests.api.calls import CALLS, WITH_BODY, ApiCall
from tests.factories.chat import make_card

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")


def _allowed(path: str) -> set[str]:
    bare = path.partition("?")[0]
    return {call.method for call in CALLS if call.path.partition("?")[0] == bare}


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_another_method_is_refused_and_the_right_ones_named(call: ApiCall, ada: User, api: Caller) -> None:
    _method, path, _body = call.about(make_card(ada))
    for method in METHODS:
        if method not in _allowed(call.path):
            response = api.send(method, path)
            problem(response, "method_not_allowed")
            assert _allowed(call.path) <= set(response["Allow"].split(", "))


@pytest.mark.parametrize(
    "path", ["/api", "/api/", "/api/nothing", "/api/sessions/", "/api/schema", "/api/docs", "/api/chat/continue/"]
)
@pytest.mark.parametrize("method", METHODS)
def test_an_unknown_address_is_a_problem_and_never_a_redirect(db: None, method: str, path: str) -> None:
    problem(Caller().send(method, path), "not_found")


@pytest.mark.parametrize("ident", ["nonsense", "%00", "a%0Ab", "%ff", "..", "'--", "x" * 300, "%F0%9F%A7%AA"])
@pytest.mark.parametrize("path", ["/api/sessions/{}", "/api/sessions/{}/messages", "/api/interactions/{}"])
def test_a_malformed_id_is_an_unknown_one(api: Caller, path: str, ident: str) -> None:
    assert api.get(path.format(ident)).json()["status"] == 404


@pytest.mark.parametrize("accept", ["text/html", "text/event-stream", "application/xml"])
def test_who_takes_no_json_is_told_so(api: Caller, accept: str) -> None:
    problem(api.send("GET", "/api/sessions", headers={"Accept": accept}), "not_acceptable")


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "text/json"]
)
@pytest.mark.parametrize("call", WITH_BODY, ids=str)
def test_a_body_that_is_not_json_is_refused(call: ApiCall, kind: str, ada: User, api: Caller) -> None:
    method, path, _body = call.about(make_card(ada))
    problem(api.send(method, path, b"message=Hello", content_type=kind), "unsupported_media_type")


@pytest.mark.parametrize("call", WITH_BODY, ids=str)
def test_unknown_keys_are_named(call: ApiCall, ada: User, api: Caller) -> None:
    if call.path.endswith("/draft"):
        return  # a draft may be any object
    method, path, body = call.about(make_card(ada))
    named = fields(problem(api.send(method, path, {**(body or {}), "answeredBy": "root", "nul\0": 1}), "malformed_body"))
    assert any("nul" in name for name in named)
    named = fields(problem(api.send(method, path, {**(body or {}), "answeredBy": "root"}), "malformed_body"))
    assert named == ["answeredBy"]


@pytest.mark.parametrize("call", WITH_BODY, ids=str)
def test_a_body_that_is_no_object_is_malformed(call: ApiCall, ada: User, api: Caller) -> None:
    method, path, _body = call.about(make_card(ada))
    for body in ("[]", '"text"', "1", "null", "true"):
        problem(api.send(method, path, body), "malformed_body")


def test_h61_details_are_in_the_language_that_is_asked_for(api: Caller) -> None:
    english = api.send("GET", "/api/sessions/x")
    chinese = api.send("GET", "/api/sessions/x", headers={"Accept-Language": "zh-CN"})
    assert english["Content-Language"] == "en"
    assert chinese["Content-Language"] == "zh-hans"
    assert chinese.json()["code"] == english.json()["code"] == "not_found"


class Broken(RuntimeError):
    """A fault of ours whose text holds what somebody wrote."""


def test_a_fault_of_ours_tells_nothing_and_is_logged_without_its_text(
    api: Caller, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any, **kwargs: Any) -> None:
        raise Broken("MY-SECRET-42")

    monkeypatch.setattr(SessionsView, "get", fail)
    with caplog.at_level(logging.DEBUG):
        response = api.get("/api/sessions")
    problem(response, "internal")
    assert b"SECRET" not in response.content
    assert "MY-SECRET-42" not in caplog.text
    assert "Broken at fail" in caplog.text


def test_an_undeclared_code_is_a_fault_of_ours(api: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    class Undeclared(HandraiseError):
        code = "not_in_the_table"

    def fail(*args: Any, **kwargs: Any) -> None:
        raise Undeclared("?")

    monkeypatch.setattr(SessionsView, "get", fail)
    problem(api.get("/api/sessions"), "internal")


def test_a_host_that_is_not_served_gets_a_problem(ada: User, api: Caller) -> None:
    problem(api.send("GET", "/api/sessions", headers={"Host": "evil.example"}), "bad_host")


def test_a_fault_outside_of_the_views_is_a_problem_too(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*args: Any) -> None:
        raise Broken

    monkeypatch.setattr("apps.accounts.middleware.language_of", fail)
    problem(Client(raise_request_exception=False).get("/api/sessions"), "internal")


def test_addresses_beside_the_api_get_pages(db: None) -> None:
    response = Client().get("/apiary")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")


def test_answers_are_kept_by_no_cache(api: Caller) -> None:
    assert api.get("/api/sessions")["Cache-Control"] == "no-store"
    assert api.get("/api/sessions/x")["Cache-Control"] == "no-store"


def test_h76_every_refusal_is_in_the_log_with_its_request_id(ada: User, api: Caller, caplog: pytest.LogCaptureFixture) -> None:
    card = make_card(ada)
    body = {"sessionId": card.session.public_id, "requestId": card.public_id, "customInput": " "}
    with caplog.at_level(logging.INFO):
        response = api.post("/api/chat/continue", body)
    problem(response, "invalid_answer")
    line = next(record.getMessage() for record in caplog.records if record.name == "apps.api.errors")
    assert line == f"POST api/chat/continue refused: 422 invalid_answer, wrong fields: 1 ({response['X-Request-Id']})"


def test_h90_what_people_write_is_in_no_log_line(ada: User, api: Caller, caplog: pytest.LogCaptureFixture) -> None:
    card = make_card(ada)
    address = {"sessionId": card.session.public_id, "requestId": card.public_id}
    with caplog.at_level(logging.DEBUG):
        for body in ({"MY-SECRET-42": 1}, {"selections": ["MY-SECRET-42"]}, {"customInput": "MY-SECRET-42"}):
            api.post("/api/chat/continue", address | body)
        api.post("/api/chat/continue", b'{"MY-SECRET-42": ')
        api.get("/api/interactions", status="MY-SECRET-42")
    assert Interaction.objects.get().status == "answered"
    assert "MY-SECRET-42" not in caplog.text
