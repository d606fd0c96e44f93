"""Capabilities, tools, schema, docs, health."""

import re
from typing import Any

import django.db
import pytest
from django.test import Client

from apps.accounts.models import User
from apps.agent.model import ModelError
from apps.api.views import health
from apps.runs.capabilities import capability_named
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import make_run, make_session
from tests.support.runs import run_to_rest, scripted


def test_capabilities_say_what_a_run_may_be_given_and_which_model_answers(api: Caller) -> None:
    body = api.get("/api/capabilities").json()
    chat = next(each for each in body["results"] if each["name"] == "chat")
    assert chat["titles"]["zh"] == "对话"
    assert {"ask_user", "ask_user_question"} <= set(chat["tools"])
    assert chat["config"]["properties"]["max_rounds"]["default"] == capability_named("chat").max_rounds
    assert body["model"] == scripted().name


def test_no_model_is_named_if_none_is_set_up(api: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise ModelError("model_not_configured", "The model is not set up.", retryable=True)

    monkeypatch.setattr("apps.api.views.about.current_model", fail)
    assert api.get("/api/capabilities").json()["model"] is None


@pytest.mark.parametrize("language", ["en", "zh"])
def test_tools_are_exactly_those_of_the_next_request(api: Caller, ada: User, language: str) -> None:
    model = scripted({"text": "Done."})
    run_to_rest(make_run(ada, language=language), model)
    listed = api.get("/api/tools", capability="chat", language=language).json()["results"]
    assert listed == list(model.requests[-1].tools)


def test_tools_of_a_session_leave_out_what_it_has_switched_off(api: Caller, ada: User) -> None:
    session = make_session(ada)
    api.patch(f"/api/sessions/{session.public_id}", {"tools": {"ask_user": False}})
    names = [each["function"]["name"] for each in api.get("/api/tools", sessionId=session.public_id).json()["results"]]
    assert "ask_user" not in names
    assert "ask_user_question" in names


def test_tools_speak_the_language_that_is_asked_for(api: Caller) -> None:
    chinese = api.send("GET", "/api/tools", headers={"Accept-Language": "zh-CN"}).json()
    assert chinese == api.get("/api/tools", language="zh").json()
    assert chinese != api.get("/api/tools").json()


@pytest.mark.parametrize(("name", "value"), [("capability", "nothing"), ("language", "de")])
def test_what_there_is_not_is_named(api: Caller, name: str, value: str) -> None:
    assert fields(problem(api.get("/api/tools", **{name: value}), "invalid_query")) == [name]


# --- schema and page ------------------------------------------------------------------------------


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/vnd.oai.openapi+json", "text/html"])
def test_the_schema_is_json_for_everybody(db: None, accept: str) -> None:
    response = Caller().send("GET", "/api/schema/", headers={"Accept": accept})
    assert response["Content-Type"] == "application/json"
    assert response.json()["openapi"].startswith("3.1")


def test_the_page_shows_every_call_and_loads_nothing_from_elsewhere(db: None) -> None:
    response = Client().get("/api/docs/")
    page = response.content.decode()
    assert response["Content-Type"].startswith("text/html")
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert "POST /api/chat/continue" in page
    assert re.findall(r'(?:src|href)="(?!/|#)[^"]*"', page) == []
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=", page)


def test_every_link_inside_the_page_leads_somewhere(db: None) -> None:
    page = Client().get("/api/docs/").content.decode()
    assert set(re.findall(r'href="#([^"]+)"', page)) <= set(re.findall(r'id="([^"]+)"', page))


@pytest.mark.parametrize("path", ["/api/schema/", "/api/docs/", "/healthz", "/readyz"])
def test_open_addresses_refuse_other_methods_with_a_problem(db: None, path: str) -> None:
    problem(Caller().send("POST", path), "method_not_allowed")


# --- health ---------------------------------------------------------------------------------------


def test_it_lives_without_a_look_at_the_database(django_assert_num_queries: Any, db: None) -> None:
    with django_assert_num_queries(0):
        response = Client().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


def test_it_is_ready(db: None) -> None:
    response = Client().get("/readyz", headers={"Accept": "text/plain"})
    assert (response.status_code, response.json()) == (200, {"database": "ok", "queue": "ok", "model": "ok"})


def test_it_says_what_failed_and_no_more(db: None, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    def fail(*args: Any) -> None:
        raise django.db.OperationalError("no connection to db.internal:5432")

    monkeypatch.setattr(health, "queued_runs", fail)
    settings.MODEL, settings.MODEL_BASE_URL = "openai:x", ""
    response = Client().get("/readyz")
    assert (response.status_code, response.json()) == (503, {"database": "ok", "queue": "failed", "model": "failed"})
