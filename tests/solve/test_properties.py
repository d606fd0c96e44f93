"""Whatever sequence of calls and decisions comes: one current step, finished steps fixed, budget held, ids never reused."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agent.loop import settle
from apps.agent.messages import Entry, ToolCall, ToolResult, Turn
from apps.agent.state import RunState
from apps.agent.steps import Ask
from apps.interactions import results
from apps.interactions.answers import PlanAnswer
from apps.interactions.payload import read_payload
from apps.solve.plan import FINISHED, PlanState
from tests.support.solving import as_read, ids, solving

junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["goal", "id", "x"]), inner, max_size=2),
    max_leaves=6,
)
goals = st.lists(st.sampled_from(["A", "B", "C", "", " "]).map(lambda goal: {"goal": goal}), max_size=14)
arguments = st.fixed_dictionaries(
    {},
    optional={
        "analysis": st.just("Think.") | junk,
        "reason": st.just("Stuck.") | junk,
        "steps": goals | goals | goals | junk,
        "step_id": st.integers(0, 20).map(lambda n: f"S{n}") | junk,
        "summary": st.just("found") | junk,
        "outcome": st.sampled_from(["done", "failed", "", None]) | junk,
    },
)
calls = st.tuples(st.sampled_from(["solve_plan", "solve_finish_step", "solve_finish_step", "solve_replan"]), arguments)
right = st.one_of(
    st.just(("solve_plan", {"analysis": "Think.", "steps": ["A", "B"]})),
    st.integers(1, 12).map(lambda n: ("solve_finish_step", {"step_id": f"S{n}", "summary": "found"})),
    st.just(("solve_replan", {"reason": "Stuck.", "steps": ["C", "D"]})),
)
turns = st.lists(calls | right, min_size=1, max_size=3)
decisions = st.sampled_from(["approve", "approve_with_edits", "reject", "cancelled", "expired"])


def invariants(before: PlanState, after: PlanState) -> None:
    """Check one transition, and the state that it leads to."""
    assert sum(plan.status == "active" for plan in after.plans) <= 1
    assert sum(plan.status == "proposed" for plan in after.plans) <= 1
    assert sum(plan.current is not None for plan in after.plans) <= 1
    assert [plan.version for plan in after.plans] == list(range(1, len(after.plans) + 1))
    assert after.replans_used <= after.replans_max
    named = [step.id for step in after.steps()]
    assert named == [f"S{number}" for number in range(1, len(named) + 1)]
    assert all(0 < len(plan.steps) <= 12 for plan in after.plans)
    fixed = {step.id: step for step in before.steps() if step.status in FINISHED}
    assert fixed.items() <= {step.id: step for step in after.steps()}.items()
    if after.standing:
        open_places = [n for n, step in enumerate(after.standing.steps) if step.status == "open"]
        finished_places = [n for n, step in enumerate(after.standing.steps) if step.status in FINISHED]
        assert not open_places or not finished_places or max(finished_places) < min(open_places)  # none was skipped
        assert (after.standing.status == "done") == (not open_places)


def decide(state: RunState, call: ToolCall, decision: str) -> ToolResult:
    """Decide on a plan as the coordinator does."""
    request, tool = state.reviews[call.id], state.toolbox.tools[call.name]
    assert request is not None
    if decision in ("cancelled", "expired"):
        status: Any = decision
        return results.closed("plan_review", call.id, status, "", "en")
    edited = ("E", "F") if decision == "approve_with_edits" else None
    answer = PlanAnswer(decision, "because", edited)  # type: ignore[arg-type]
    return tool.decided(call, state, read_payload(request.payload), answer)  # type: ignore[union-attr]


@settings(max_examples=200, deadline=None)
@given(st.lists(turns, max_size=8), st.integers(0, 3), st.sampled_from(["off", "first", "every"]), st.data())
def test_any_sequence_keeps_the_invariants(
    played: list[list[tuple[str, dict[str, Any]]]], max_replans: int, review: str, data: st.DataObject
) -> None:
    options: dict[str, Any] = {"max_replans": max_replans, "plan_review": review}
    state, entries = solving(settings=options), list[Entry]()
    for number, made in enumerate(played):
        before = state.memory
        turn = Turn("", tuple(ToolCall(f"{number}.{n}", name, json.dumps(sent)) for n, (name, sent) in enumerate(made)))
        state.add(turn)
        entries.append(turn)
        step = settle(state, entries)
        invariants(before, state.memory)
        if isinstance(step, Ask):
            assert state.memory.proposed is not None
            (call,) = step.calls
            result = decide(state, call, data.draw(decisions))
            before = state.memory
            state.add(result)
            entries.append(result)
            invariants(before, state.memory)
        assert not state.unanswered()
    fresh = solving(settings=options, said=as_read(entries))
    assert fresh.memory == state.memory
    assert fresh.messages == state.messages
    assert ids(fresh) == ids(state)
