"""The three tools: what they answer, what they refuse, in which order."""

import json
from typing import Any

import pytest

from apps.agent.messages import ToolCall
from apps.agent.tools import Refusal
from apps.runs.capabilities import capability_named
from apps.solve.capability import DeepSolve
from apps.solve.tools import OWN_TOOLS, SolveFinishStepTool, SolvePlanTool
from tests.support.loop import state_of
from tests.support.solving import content, finish, ids, plan, replan, solving, turn


def test_outside_of_deep_solve_there_are_no_solve_tools_and_no_block() -> None:
    chat = capability_named("chat")
    assert not [tool.name for tool in chat.tools() if tool.name.startswith("solve_")]
    assert "solve_plan" not in chat.instructions("en")


def test_deep_solve_owns_exactly_three_tools_and_its_block_names_the_first() -> None:
    solve = capability_named("solve")
    assert solve.name == "deep_solve"
    assert {tool.name for tool in OWN_TOOLS} == set(solve.owned) == {"solve_plan", "solve_finish_step", "solve_replan"}
    assert "solve_plan" in solve.instructions("en")


@pytest.mark.parametrize(("language", "word"), [("en", "problem"), ("zh", "计划"), ("zh-hans", "计划"), ("de", "problem")])
def test_the_block_is_in_the_language_of_the_run(language: str, word: str) -> None:
    assert word in DeepSolve().instructions(language).split("\n\n", 2)[-1]


def test_a_plan_of_two_steps_is_named_and_begins_with_the_first() -> None:
    state = solving()
    turn(state, plan("p", "Factor", "Verify"))
    body = content(state, "p")
    assert body["status"] == "planned"
    assert body["analysis"] == "Think."
    assert body["steps"] == [
        {"id": "S1", "goal": "Factor", "done": False},
        {"id": "S2", "goal": "Verify", "done": False},
    ]
    assert body["next"] == body["steps"][0]
    assert "S1" in body["instruction"]


def test_finishing_step_by_step_leads_to_the_answer() -> None:
    state = solving()
    turn(state, plan())
    turn(state, finish("f1", "S1"))
    body = content(state, "f1")
    assert (body["status"], body["completed"], body["next"]["id"], body["all_done"]) == ("step_done", "S1", "S2", False)
    turn(state, finish("f2", "S2"))
    body = content(state, "f2")
    assert (body["completed"], body["next"], body["all_done"]) == ("S2", None, True)
    assert "exact result first" in body["instruction"]


def test_ids_that_the_model_sends_are_not_used() -> None:
    state = solving()
    steps = [{"goal": "One", "id": "S9"}, {"goal": "Two", "id": "x"}]
    turn(state, plan("p", steps=steps, run_id="another", id="another"))
    assert ids(state) == ["S1", "S2"]


def test_steps_may_be_plain_texts_and_those_without_a_goal_are_dropped() -> None:
    state = solving()
    turn(state, plan("p", steps=["One", {"goal": " "}, {"goal": "Two\nlines"}, {}, None, 7, '{"goal": "Three"}']))
    assert [step["goal"] for step in content(state, "p")["steps"]] == ["One", "Two lines", "Three"]


def test_more_than_twelve_steps_are_cut_and_the_result_says_so() -> None:
    state = solving()
    turn(state, plan("p", *(f"Step {n}" for n in range(15))))
    body = content(state, "p")
    assert len(body["steps"]) == 12
    assert "first 12 of 15" in body["instruction"]


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (plan("c", analysis=" "), "analysis"),
        (plan("c", analysis=None), "analysis"),
        (plan("c", steps=None), "steps"),
        (plan("c", steps=3), "steps"),
        (finish("c", ""), "step_id"),
        (finish("c", "S1", "  "), "summary"),
        (finish("c", "S1", outcome="error"), "outcome"),
        (replan("c", reason=""), "reason"),
        (replan("c", steps=""), "steps"),
        (ToolCall("c", "solve_plan", "[]"), "arguments"),
    ],
)
def test_a_missing_argument_is_named_and_the_same_call_is_refused_again(call: ToolCall, field: str) -> None:
    state = solving()
    turn(state, call)
    turn(state, ToolCall("again", call.name, call.arguments))
    for ident in ("c", "again"):
        assert state.results[ident].is_error
        assert content(state, ident)["field"] == field
    assert not state.memory.plans


def test_without_a_solve_run_the_tools_refuse() -> None:
    for tool, call in ((SolvePlanTool(), plan()), (SolveFinishStepTool(), finish("f", "S1"))):
        refused = tool.apply(call, state_of())
        assert isinstance(refused, Refusal)
        assert refused.code == "NO_SOLVE_RUN"


@pytest.mark.parametrize(
    ("calls", "code"),
    [
        ([plan("c", steps=[])], "NO_STEPS"),
        ([plan("c", steps=[{"goal": ""}])], "NO_STEPS"),
        ([finish("c", "S1")], "NO_PLAN"),
        ([replan("c")], "NO_PLAN"),
        ([replan("c", steps=[])], "NO_PLAN"),
        ([plan(), finish("c", "S99")], "UNKNOWN_STEP"),
        ([plan(), finish("f", "S1"), finish("c", "S1", "again")], "STEP_FINISHED"),
        ([plan(), finish("c", "S2")], "NOT_CURRENT_STEP"),
        ([plan(), replan("c", steps=[{}])], "NO_STEPS"),
    ],
)
def test_refusals_come_in_the_order_of_the_contract(calls: list[ToolCall], code: str) -> None:
    state = solving()
    for call in calls:
        turn(state, call)
    before = state.memory
    assert state.results["c"].code == code
    body = content(state, "c")
    assert (body["status"], body["code"]) == ("error", code)
    assert body["message"]
    assert state.memory is before


def test_an_unknown_step_is_answered_with_the_valid_ones() -> None:
    state = solving()
    turn(state, plan())
    turn(state, finish("f", "S99"))
    assert "S1, S2" in content(state, "f")["message"]


def test_the_budget_of_replans_is_held() -> None:
    state = solving(settings={"max_replans": 1})
    turn(state, plan("p", "A", "B"))
    turn(state, replan("r1", "C"))
    body = content(state, "r1")
    assert (body["status"], body["replans_used"], body["replans_max"]) == ("replanned", 1, 1)
    assert body["reason"] == "Stuck."
    before = state.memory
    turn(state, replan("r2", "D"))
    assert state.results["r2"].is_error
    assert content(state, "r2")["status"] == "budget_exhausted"
    assert content(state, "r2")["instruction"]
    assert state.memory is before


def test_a_replan_sets_the_open_steps_anew_and_counts() -> None:
    state = solving()
    turn(state, plan("p", "A", "B", "C"))
    turn(state, replan("r", "Otherwise"))
    body = content(state, "r")
    assert body["steps"] == [body["next"]] == [{"id": "S4", "goal": "Otherwise", "done": False}]
    assert state.memory.current.id == "S4"


def test_no_replan_at_all_may_be_allowed() -> None:
    state = solving(settings={"max_replans": 0})
    turn(state, plan())
    turn(state, replan("r"))
    assert content(state, "r")["status"] == "budget_exhausted"


def test_a_second_plan_takes_from_the_budget() -> None:
    state = solving(settings={"max_replans": 1})
    for ident in ("p1", "p2", "p3"):
        turn(state, plan(ident))
    assert [content(state, ident)["status"] for ident in ("p1", "p2", "p3")] == ["planned", "planned", "budget_exhausted"]
    assert content(state, "p2")["replans_used"] == 1


def test_h84_a_replan_keeps_what_is_finished_and_uses_no_id_again() -> None:
    state = solving()
    turn(state, plan("p", "A", "B", "C"))
    turn(state, finish("f1", "S1", "a is 3"))
    turn(state, replan("r", "D", "E"))
    steps = {step.id: (step.status, step.summary) for step in state.memory.steps()}
    assert steps == {
        "S1": ("done", "a is 3"), "S2": ("dropped", ""), "S3": ("dropped", ""), "S4": ("open", ""), "S5": ("open", ""),
    }  # fmt: skip


def test_a_late_finish_never_hits_a_new_step() -> None:
    state = solving()
    turn(state, plan("p", "A", "B"))
    turn(state, replan("r", "C", "D"))
    turn(state, finish("late", "S1"))
    assert content(state, "late")["code"] == "UNKNOWN_STEP"
    assert state.memory.current.id == "S3"


def test_h83_a_failed_step_stays_failed_and_the_last_result_names_it() -> None:
    state = solving()
    turn(state, plan("p", "A", "B"))
    turn(state, finish("f1", "S1", "the tool broke", outcome="failed"))
    turn(state, finish("f2", "S2"))
    assert [step.status for step in state.memory.steps()] == ["failed", "done"]
    body = content(state, "f2")
    assert body["all_done"]
    assert "S1" in body["instruction"]


def test_in_one_turn_the_plan_comes_first_and_then_the_others_in_call_order() -> None:
    state = solving()
    turn(state, finish("f1", "S1"), finish("f2", "S2", "two"), plan("p"))
    assert [content(state, ident)["status"] for ident in ("p", "f1", "f2")] == ["planned", "step_done", "step_done"]
    assert state.memory.standing.status == "done"


def test_an_exact_copy_in_the_same_turn_is_answered_as_one() -> None:
    state = solving()
    turn(state, plan("p"))
    turn(state, finish("f1", "S1"), finish("f2", "S1"))
    assert state.results["f1"].code == ""
    assert state.results["f2"].code == "DUPLICATE_CALL"


def test_long_texts_are_cut_and_the_result_says_so() -> None:
    state = solving()
    turn(state, plan("p"))
    turn(state, finish("f1", "S1", "x" * 5_000))
    assert len(state.memory.step("S1").summary) == 2_000
    assert "`summary` was cut" in content(state, "f1")["instruction"]


def closed(schema: dict[str, Any]) -> None:
    """Check that every property is described and nothing else is let in."""
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    for each in schema["properties"].values():
        assert each["description"]
        if each["type"] == "array":
            closed(each["items"])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_parameter_but_the_outcome_is_required(language: str) -> None:
    for tool in OWN_TOOLS:
        parameters = tool.schema(language)["parameters"]
        closed(parameters)
        assert set(parameters["properties"]) - set(parameters["required"]) <= {"outcome"}
        json.dumps(parameters)
