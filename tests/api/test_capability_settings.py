"""Settings of capabilities and plans over the API."""

from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.chat.models import CapabilitySettings
from apps.runs.services import session_of
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import make_run
from tests.support.runs import run_to_rest, scripted

ADDRESS = "/api/v1/capabilities/settings"
PLAN: dict[str, Any] = {
    "calls": [
        {"id": "p", "name": "solve_plan", "arguments": {"analysis": "Think.", "steps": [{"goal": "A"}, {"goal": "B"}]}},
        {"id": "f", "name": "solve_finish_step", "arguments": {"step_id": "S1", "summary": "one"}},
    ]
}


def test_a_part_is_changed_and_the_whole_comes_back(api: Caller, ada: User) -> None:
    changed = api.put(ADDRESS, {"solve": {"temperature": 5, "max_iterations_per_step": 3}})
    assert changed.status_code == 200
    assert changed.json()["solve"]["temperature"] == 2.0
    assert changed.json()["chat"]["max_rounds"] == 8
    assert api.get(ADDRESS).json() == changed.json()
    assert CapabilitySettings.objects.get().user == ada


@pytest.mark.parametrize(("value", "field"), [("NaN", "solve.temperature"), ("warm", "solve.temperature")])
def test_what_cannot_be_read_is_named(api: Caller, value: str, field: str) -> None:
    assert fields(problem(api.put(ADDRESS, {"solve": {"temperature": value}}), "invalid_request")) == [field]


def test_settings_that_are_no_object_are_named(api: Caller) -> None:
    assert fields(problem(api.put(ADDRESS, {"solve": 5}), "invalid_request")) == ["solve"]


def test_the_installations_settings_are_changed_by_staff_with_the_scope_admin_only(ada: User) -> None:
    where, body = f"{ADDRESS}?scope=installation", {"solve": {"max_rounds": 20}}
    client = Client(raise_request_exception=False)
    client.force_login(ada)
    problem(Caller(client).send("PUT", where, body), "insufficient_scope")
    ada.is_staff = True
    ada.save()
    problem(Caller.of(ada, "run", "read").send("PUT", where, body), "insufficient_scope")
    assert Caller.of(ada, "admin").send("PUT", where, body).status_code == 200
    assert CapabilitySettings.objects.get().user is None
    assert Caller.of(ada, "read").get(ADDRESS).json()["solve"]["max_rounds"] == 20
    assert Caller.of(ada, "read").get(ADDRESS, scope="installation").json()["solve"]["max_rounds"] == 20


def test_h83_plans_over_the_api_name_the_failed_step(api: Caller, ada: User) -> None:
    failed = {"step_id": "S1", "summary": "no tool", "outcome": "failed"}
    end = {"calls": [{"id": "f", "name": "solve_finish_step", "arguments": failed}]}
    run = make_run(ada, "go [[default#a]]", capability="deep_solve", config={"plan_review": "off"})
    run_to_rest(run, scripted({"calls": PLAN["calls"][:1]}, end, {"text": "Sorry."}))
    (shown,) = api.get(f"/api/sessions/{run.session.public_id}/plans").json()["results"]
    assert [step["status"] for step in shown["steps"]] == ["failed", "current"]


def test_another_scope_of_settings_is_refused(api: Caller) -> None:
    assert fields(problem(api.get(ADDRESS, scope="everybody"), "invalid_query")) == ["scope"]


def test_plans_are_listed_with_their_steps_a_page_at_a_time(api: Caller, ada: User) -> None:
    solve: dict[str, Any] = {"capability": "deep_solve", "config": {"plan_review": "off"}}
    runs = [run_to_rest(make_run(ada, "go [[default#a]]", **solve), scripted(PLAN, {"text": "Enough."}))]
    again = make_run(ada, "go [[default#b]]", runs[0].session, **solve)
    runs.append(run_to_rest(again, scripted(PLAN, {"text": "Enough."})))
    address = f"/api/sessions/{runs[0].session.public_id}/plans"
    first, both = api.get(address, limit=1).json(), api.get(address).json()
    assert [plan["runId"] for plan in both["results"]] == [run.public_id for run in runs]
    assert both["next"] is None
    assert first["results"] == both["results"][:1]
    assert api.get(address, limit=1, cursor=first["next"]).json()["results"] == both["results"][1:]
    shown = both["results"][0]
    assert (shown["version"], shown["status"], shown["analysis"], shown["reason"]) == (1, "active", "Think.", "")
    assert shown["steps"] == [
        {"id": "S1", "goal": "A", "status": "done", "summary": "one"},
        {"id": "S2", "goal": "B", "status": "current", "summary": ""},
    ]
    problem(api.get(address, cursor="run_x-1"), "not_found")
    assert session_of(ada, runs[0].session.public_id)


@pytest.mark.parametrize("name", ["deep_solve", "solve"])
def test_the_tools_of_deep_solve_are_those_of_the_next_request(api: Caller, ada: User, name: str) -> None:
    model = scripted({"text": "Done."})
    run_to_rest(make_run(ada, capability="deep_solve"), model)
    assert api.get("/api/tools", capability=name).json()["results"] == list(model.requests[0].tools)


def test_capabilities_name_the_settings_of_each(api: Caller) -> None:
    found = {each["name"]: each for each in api.get("/api/capabilities").json()["results"]}
    assert found["deep_solve"]["aliases"] == ["solve"]
    assert found["deep_solve"]["config"]["properties"]["max_replans"]["default"] == 2
    assert found["deep_solve"]["config"]["properties"]["max_rounds"]["default"] == 12
    assert "max_replans" not in found["chat"]["config"]["properties"]
