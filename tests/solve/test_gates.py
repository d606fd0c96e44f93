"""The gates that the engine holds in deep_solve, each bounded, each counted from what is stored."""

from typing import Any

import pytest

from apps.agent.capabilities import Limits
from apps.agent.loop import drive
from apps.agent.messages import Note, Turn
from apps.agent.model import ModelRequest
from apps.agent.state import RunState
from apps.agent.steps import Ask, Finish, Step
from apps.agent.tools import ToolContext
from tests.support.loop import Counting, MemoryJournal, PlayedModel, call
from tests.support.solving import answer, content, finish, plan, reloaded, solving

ADVISORY = {"enforcement": "advisory"}


async def play(state: RunState, *turns: Any, journal: MemoryJournal | None = None) -> tuple[Step, PlayedModel]:
    """Drive the state with these turns; return the step that it rests on and the model."""
    model = PlayedModel(*turns)
    step = await drive(state, journal or MemoryJournal(), model, ModelRequest(()), ToolContext("s", "r"))
    return step, model


def reminders(state: RunState) -> dict[str, int]:
    return {kind: count for kind, count in state.notes.items() if kind.endswith("reminder")}


def ask(ident: str = "q") -> Any:
    return call(ident, "ask_user", title="Which?", mode="text")


async def test_before_a_plan_no_other_tool_works() -> None:
    tool = Counting()
    state = solving(tool)
    await play(
        state, Turn("", (call("t"),)), Turn("", (plan(),)), Turn("", (call("u"),)), Turn("", (finish("f", "S1"),)), Turn("x")
    )
    assert content(state, "t")["code"] == "PLAN_FIRST"
    assert tool.runs == ["u"]


async def test_a_tool_of_the_same_turn_as_the_plan_works() -> None:
    tool = Counting()
    await play(solving(tool), Turn("", (call("t"), plan())), Turn("x"))
    assert tool.runs == ["t"]


async def test_before_a_plan_the_user_may_be_asked() -> None:
    step, _ = await play(solving(), Turn("", (ask(),)))
    assert isinstance(step, Ask)


async def test_when_advisory_tools_work_without_a_plan() -> None:
    tool = Counting()
    step, _ = await play(solving(tool, settings=ADVISORY), Turn("", (call("t"),)), Turn("Done."))
    assert tool.runs == ["t"]
    assert step == Finish("Done.", "finished_without_plan")


async def test_h82_an_answer_without_a_plan_is_reminded_once_and_then_taken() -> None:
    state = solving()
    step, model = await play(state, Turn("Direct answer."))
    assert step == Finish("Direct answer.", "finished_without_plan")
    assert reminders(state) == {"plan_reminder": 1}
    assert len(model.requests) == 2


async def test_h82_an_answer_with_open_steps_is_reminded_twice_and_then_taken() -> None:
    state = solving()
    step, model = await play(state, Turn("", (plan(),)), Turn("Early."))
    assert step == Finish("Early.", "finished_with_open_steps")
    assert reminders(state) == {"steps_reminder": 2}
    assert len(model.requests) == 4
    assert "S1, S2" in model.requests[-1].messages[-1]["content"]


async def test_an_answer_after_the_last_step_is_simply_taken() -> None:
    step, _ = await play(solving(), Turn("", (plan("p", "A"),)), Turn("", (finish("f", "S1"),)), Turn("Done."))
    assert step == Finish("Done.")


async def test_a_failed_step_is_finished_too() -> None:
    state = solving()
    step, _ = await play(state, Turn("", (plan("p", "A"),)), Turn("", (finish("f", "S1", outcome="failed"),)), Turn("Sorry."))
    assert step == Finish("Sorry.")


async def test_when_the_rounds_are_used_up_nobody_is_reminded() -> None:
    state = solving(limits=Limits(max_rounds=2))
    step, _ = await play(state, Turn("", (plan(),)), Turn("Early."))
    assert step == Finish("Early.", "finished_with_open_steps")


async def test_reminders_are_stored_and_a_restart_forgets_none() -> None:
    state, journal = solving(), MemoryJournal()
    await play(state, Turn("", (plan(),)), Turn("Early."), journal=journal)
    assert [e.kind for e in journal.entries if isinstance(e, Note)] == ["steps_reminder"] * 2
    seen = MemoryJournal(commits=journal.commits[:-1])
    fresh = reloaded(seen)
    assert reminders(fresh) == {"steps_reminder": 2}
    step, model = await play(fresh, Turn("Early again."))
    assert step == Finish("Early again.", "finished_with_open_steps")
    assert len(model.requests) == 1


async def test_a_model_that_never_ends_is_brought_to_an_end() -> None:
    state = solving(limits=Limits(max_rounds=3))
    turns = [Turn("", (plan(),)), *(Turn("", (finish(f"f{n}", "S9", f"{n}"),)) for n in range(9))]
    step, model = await play(state, *turns)
    assert isinstance(step, Finish)
    assert step.outcome == "rounds_exhausted"
    assert len(model.requests) == 3 + 3 + 1
    assert not model.requests[-1].tools


async def test_nine_and_more_calls_of_a_turn_all_keep_their_results() -> None:
    tool = Counting()
    calls = tuple(call(f"t{n}", n=n) for n in range(12))
    state = solving(tool)
    await play(state, Turn("", (plan("p", "A"),)), Turn("", calls), Turn("", (finish("f", "S1"),)), Turn("Done."))
    assert sorted(tool.runs) == sorted(each.id for each in calls)
    assert all(state.results[each.id].content for each in calls)


async def test_h45_an_ask_beside_a_finished_step_keeps_calls_and_results_together() -> None:
    state = solving()
    step, _ = await play(state, Turn("", (plan(),)), Turn("", (ask(), finish("f", "S1", "one"))))
    assert isinstance(step, Ask)
    answer(state, "q", "blue")
    _, model = await play(state, Turn("", (finish("g", "S2"),)), Turn("Done."))
    sent = model.requests[0].messages
    at = next(n for n, message in enumerate(sent) if message.get("tool_calls"))
    assert [message.get("tool_call_id") for message in sent[at + 1 :]] == ["q", "f"]


@pytest.mark.parametrize("text", ["", "  "])
async def test_an_empty_closing_text_is_never_an_empty_answer(text: str) -> None:
    step, _ = await play(solving(), Turn("", (plan("p", "A"),)), Turn("", (finish("f", "S1"),)), Turn(text))
    assert isinstance(step, Finish)
    assert step.text.strip()
