"""The schema is true: H76. What it allows is accepted, what is answered is what it says."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.validation import validate_schema
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from schemathesis.specs.openapi.checks import positive_data_acceptance

from apps.accounts.models import User
from apps.api.schema import document
from tests.api.caller import Caller, fields, problem
from tests.api.calls import CALLS, WITH_BODY, ApiCall
from tests.factories.accounts import UserFactory, token_text
from tests.factories.chat import ask_in_mode, make_card

api_schema = schemathesis.openapi.from_wsgi("/api/schema/", get_wsgi_application())


def path_item(call: ApiCall) -> dict[str, Any]:
    path = call.path.partition("?")[0].replace("{session}", "{sessionId}").replace("{request}", "{requestId}")
    path = path.replace("{artifact}", "{artifactId}").replace("{source}", "{sourceId}")
    return document()["paths"][path]


def shape_of(response: dict[str, Any], media_type: str = "application/json") -> dict[str, Any]:
    return {**response["content"][media_type]["schema"], "components": document()["components"]}


def test_the_schema_is_valid_and_nothing_of_it_was_guessed() -> None:
    validate_schema(document())
    assert not GENERATOR_STATS


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_h76_every_call_is_described_with_its_refusals(call: ApiCall) -> None:
    responses = path_item(call)[call.method.lower()]["responses"]
    assert {"401", "403", "429", "500"} <= set(responses)
    assert all("application/problem+json" in responses[status]["content"] for status in responses if status >= "400")


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_what_is_answered_has_the_shape_that_the_schema_says(call: ApiCall, ada: User, api: Caller) -> None:
    card = make_card(ada)
    api.put(f"/api/interactions/{card.public_id}/draft", {"customInput": "bl"})
    method, path, body = call.about(card)
    for response in (api.send(method, path, body), Caller().send(method, path, body)):
        described = path_item(call)[call.method.lower()]["responses"][str(response.status_code)]
        if response.get("Content-Type", "").endswith("json"):
            shape = shape_of(described, response["Content-Type"])
            Draft202012Validator(shape).validate(response.json())


def body_of(call: ApiCall) -> dict[str, Any]:
    """Return the schema of a call's body."""
    [reference] = path_item(call)[call.method.lower()]["requestBody"]["content"]["application/json"]["schema"].values()
    return document()["components"]["schemas"][reference.rpartition("/")[2]]


BODIES = [call for call in WITH_BODY if not call.path.endswith("/draft")]


@pytest.mark.parametrize("call", BODIES, ids=str)
def test_h76_each_required_key_left_out_is_named(call: ApiCall, ada: User, api: Caller) -> None:
    card = make_card(ada)
    for name in body_of(call).get("required", ()):
        method, path, body = call.about(card)
        del (body or {})[name]
        assert fields(problem(api.send(method, path, body), "malformed_body")) == [name]
    card.refresh_from_db()
    assert card.status == "pending"


ANSWERS: dict[str, dict[str, Any]] = {
    "single": {"selections": ["safe"]},
    "multiple": {"selections": ["safe", "implement"]},
    "toggle": {"selections": ["safe"]},
    "text": {"customInput": "blue"},
    "number": {"customInput": "3"},
    "date": {"customInput": "2026-03-01"},
    "directory": {"customInput": "."},
}


@pytest.mark.parametrize("mode", ANSWERS)
def test_h76_an_answer_with_every_key_of_the_schema_is_taken_in_every_mode(ada: User, api: Caller, mode: str) -> None:
    card = make_card(ada, ask_in_mode(mode))
    schema = body_of(next(call for call in CALLS if call.path == "/api/chat/continue"))
    empty: dict[str, Any] = {name: [] if "array" in part.get("type", "") else None for name, part in schema["properties"].items()}
    body = empty | ANSWERS[mode] | {"sessionId": card.session.public_id, "requestId": card.public_id, "cancelled": False}
    Draft202012Validator({**schema, "components": document()["components"]}).validate(body)
    assert api.post("/api/chat/continue", body).status_code == 202


@pytest.fixture
def kept_connection(db: None) -> Iterator[None]:
    """Keep the test's connection open over requests to the WSGI application, as Django's own test client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def credentials(kept_connection: None, settings: Any) -> dict[str, str]:
    """The header of a token, and no limits."""
    settings.RATE_REQUESTS = settings.RATE_RUNS = 0
    return {"Authorization": f"Bearer {token_text(UserFactory.create(username='ada'))}"}


@api_schema.exclude(path="/api/inbox/events").parametrize()
@settings(max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck))
def test_what_schemathesis_makes_of_the_schema_breaks_nothing(case: Any, credentials: dict[str, str]) -> None:
    case.call_and_validate(headers=credentials | {"Accept": "application/json"}, excluded_checks=[positive_data_acceptance])
