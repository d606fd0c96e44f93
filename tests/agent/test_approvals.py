"""Approvals in the pure loop: whatever is called, decided and changed, no guarded tool starts without its user's leave."""

import json
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agent.approvals import fingerprint
from apps.agent.loop import drive
from apps.agent.messages import ApprovalAsked, Approved, Started, ToolCall, ToolResult, Turn
from apps.agent.model import ModelRequest
from apps.agent.state import RunState
from apps.agent.steps import Ask, CallModel, Check, Fail, Finish, RunTools
from apps.agent.tools import ToolContext
from tests.support.loop import Asking, Counting, MemoryJournal, PlayedModel, call, history_problem, play, reloaded, state_of
from tests.support.tools import Sending

CONTEXT = ToolContext("s", "r")


def next_kind(state: RunState) -> type:
    """Return the kind of the next step."""
    from apps.agent.machine import next_step

    return type(next_step(state))


def test_the_steps_of_a_guarded_call_follow_from_what_is_stored() -> None:
    guarded = call("a", "send")
    state = state_of(Sending(), said=[Turn("", (guarded,))])
    assert next_kind(state) is Check
    seen = fingerprint(Sending(), guarded, CONTEXT)
    state.fingerprints["a"] = seen
    assert next_kind(state) is Ask
    state.add_all([ApprovalAsked("a", seen.digest), Approved("a", seen.digest)])
    assert next_kind(state) is RunTools
    state.add(ToolResult("a", "{}"))
    assert next_kind(state) is CallModel


def test_a_call_that_had_started_is_past_asking_whatever_the_policy_is_now() -> None:
    state = state_of(Sending(), said=[Turn("", (call("a", "send"),)), Started("a")])
    assert next_kind(state) is RunTools


async def test_tools_that_ask_nobody_run_before_the_card_opens() -> None:
    counting, sending = Counting(), Sending()
    model = PlayedModel(Turn("", (call("a", "send"), call("b"))), Turn("Done."))
    step = await play(state_of(counting, sending), model)
    assert isinstance(step, Ask)
    assert (counting.runs, sending.sent) == (["b"], [])


async def test_a_tool_that_cannot_name_its_files_gets_a_result_and_no_card() -> None:
    class Broken(Sending):
        def files(self, call: ToolCall, context: ToolContext) -> list[Path]:
            raise KeyError("x")

    state = state_of(Broken())
    assert isinstance(await play(state, PlayedModel(Turn("", (call("a", "send"),)), Turn("Done."))), Finish)
    assert state.results["a"].code == "TOOL_FAILED"


async def test_a_file_that_another_allowed_call_of_the_turn_has_written_is_asked_for_anew(tmp_path: Path) -> None:
    class Writing(Sending):
        async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
            (tmp_path / "f").write_text(call.id)
            return await super().run(call, context)

    tool, model, context = Writing(), PlayedModel(Turn("Done.")), ToolContext("s", "r", workspace=str(tmp_path))
    first, second = call("a", "send", text="one"), call("b", "send", text="two", file="f")
    state = state_of(tool, said=[Turn("", (first, second))])
    assert await drive(state, MemoryJournal(), model, ModelRequest(()), context) == Ask((first, second))
    state.add_all([Approved(each.id, state.fingerprints[each.id].digest) for each in (first, second)])
    assert await drive(state, MemoryJournal(), model, ModelRequest(()), context) == Ask((second,))
    assert tool.sent == ["one"]
    state.add(Approved("b", state.fingerprints["b"].digest))
    assert isinstance(await drive(state, MemoryJournal(), model, ModelRequest(()), context), Finish)
    assert tool.sent == ["one", "two"]


def test_a_fingerprint_is_that_of_tool_schema_arguments_and_files(tmp_path: Path) -> None:
    context, tool = ToolContext("s", "r", workspace=str(tmp_path)), Sending()
    (tmp_path / "a").write_text("one")

    def digest(arguments: str, tool: Sending = tool) -> str:
        return fingerprint(tool, ToolCall("x", "send", arguments), context).digest

    first = digest('{"text":"t","file":"a"}')
    assert digest(' {"file": "a", "text": "t"} ') == first
    assert digest('{"text":"t","file":"b"}') != first
    assert digest('{"text":"u","file":"a"}') != first
    assert digest('{"text":"t","file":"a"}', Sending(about="Other.")) != first
    (tmp_path / "a").write_text("two")
    assert digest('{"text":"t","file":"a"}') != first


calls = st.builds(
    ToolCall,
    st.sampled_from(["", "a", "b", "c"]),
    st.sampled_from(["send", "send", "count", "ask", "nowhere"]),
    st.sampled_from(['{"text":"1"}', '{"text":"2"}', '{"bad":1}', '{"text":"3"}']),
)
turns = st.builds(Turn, st.just("some text"), st.lists(calls, max_size=4).map(tuple))


def decide(state: RunState, journal: MemoryJournal, choices: st.DataObject) -> set[str]:
    """Close every card of the turn as the coordinator does; return the calls that were allowed."""
    allowed: list[Any] = []
    closed: list[Any] = []
    for each in state.unanswered():
        if state.needs_approval(each) and each.id in state.opened and choices.draw(st.booleans(), label=f"allow {each.id}"):
            allowed.append(Approved(each.id, state.fingerprints[each.id].digest))
        elif not state.is_approved(each):
            closed.append(ToolResult(each.id, json.dumps({"status": "denied"}), is_error=True))
    state.add_all([*allowed, *closed])
    journal.commits.append(([*allowed, *closed], Ask(())))
    return {entry.call_id for entry in allowed}


@settings(max_examples=200, deadline=None)
@given(st.lists(turns, min_size=1, max_size=6), st.data())
async def test_no_guarded_tool_ever_starts_without_leave_for_what_it_is_then(played: list[Turn], choices: st.DataObject) -> None:
    model, journal, sending = PlayedModel(*played), MemoryJournal(), Sending()
    tools: tuple[Any, ...] = (Counting(), sending, Asking())
    state, allowed = state_of(*tools), set[tuple[str, str]]()
    while isinstance(step := await play(state, model, journal), Ask):
        allowed |= {(ident, sending.about) for ident in decide(state, journal, choices)}
        if choices.draw(st.booleans(), label="the tool changes"):
            sending.about += "!"
        state = reloaded(state, journal, *tools)
    assert isinstance(step, Finish | Fail)
    assert set(sending.ran) <= allowed
    assert len({ident for ident, _ in sending.ran}) == len(sending.ran)
    results = [e.call_id for e in journal.entries if isinstance(e, ToolResult)]
    assert len(results) == len(set(results)) == len(state.calls)
    assert [history_problem(r.messages) for r in model.requests] == [""] * len(model.requests)
