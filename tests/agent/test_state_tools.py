"""State tools: applied at once in the turn's own commit, in order; memory folded from what is stored."""

import json
from dataclasses import dataclass
from typing import Any

from apps.agent.capabilities import Capability
from apps.agent.loop import drive
from apps.agent.messages import Asked, Started, ToolCall, ToolResult, Turn, UserMessage
from apps.agent.model import ModelRequest
from apps.agent.state import RunState
from apps.agent.steps import Ask, Finish
from apps.agent.tools import AskRequest, Refusal, Toolbox, ToolContext
from tests.support.loop import Asking, Counting, MemoryJournal, PlayedModel, call, history_problem


@dataclass
class Adding:
    """Adds to the run's sum; a negative number is put to the user first, and zero is refused."""

    name: str = "add"
    comes_first: bool = False
    asks: bool = False

    def schema(self, language: str) -> dict[str, Any]:
        """Return a schema without parameters."""
        return {"name": self.name, "description": "Adds.", "parameters": {"type": "object", "properties": {}}}

    def apply(self, call: ToolCall, state: RunState) -> ToolResult | AskRequest | Refusal:
        """Add."""
        number = json.loads(call.arguments)["n"]
        if number == 0:
            return Refusal("ZERO", "Nothing to add.")
        if number < 0:
            return AskRequest("plan_review", "plan_review", {}, fingerprint=call.arguments)
        return ToolResult(call.id, json.dumps({"sum": state.memory + number}))


class Summing(Capability):
    """A capability that remembers a sum."""

    name = "summing"

    def __init__(self, *tools: Any) -> None:
        self._tools = tools

    def tools(self) -> Any:
        """Return the tools."""
        return self._tools

    def remember(self, settings: Any) -> int:
        """Begin with nothing."""
        return 0

    def absorb(self, memory: int, call: ToolCall, entry: Asked | ToolResult) -> int:
        """Keep the last sum."""
        return memory if isinstance(entry, Asked) else int(json.loads(entry.content).get("sum", memory))

    def checkpoint(self, state: RunState) -> str | None:
        """Fold above ten."""
        return f"So far: {state.memory}" if state.memory > 10 else None


def summing(*more: Any, said: Any = ()) -> RunState:
    tools = (Adding(), Adding("begin", comes_first=True), *more)
    state = RunState(Summing(*tools), Toolbox({tool.name: tool for tool in tools}), "Sum.", memory=0)
    return state.add_all([UserMessage("hello"), *said])


async def play(state: RunState, *turns: Turn, journal: MemoryJournal | None = None) -> Any:
    model = PlayedModel(*turns, Turn("Done."))
    return await drive(state, journal or MemoryJournal(), model, ModelRequest(()), ToolContext("s", "r")), model


async def test_a_state_tool_is_answered_in_the_commit_of_its_turn() -> None:
    journal = MemoryJournal()
    await play(summing(), Turn("", (call("a", "add", n=1),)), journal=journal)
    entries, _ = journal.commits[0]
    assert [type(entry) for entry in entries] == [Turn, ToolResult]
    assert not [entry for entry in journal.entries if isinstance(entry, Started)]


async def test_state_tools_of_a_turn_build_on_each_other_those_that_come_first_before_the_others() -> None:
    state = summing()
    await play(state, Turn("", (call("a", "add", n=1), call("b", "begin", n=5), call("c", "add", n=2))))
    assert [json.loads(state.results[c].content)["sum"] for c in ("b", "a", "c")] == [5, 6, 8]


async def test_they_are_applied_before_a_working_tool_starts() -> None:
    tool, journal = Counting(), MemoryJournal()
    await play(summing(tool), Turn("", (call("t"), call("a", "add", n=1))), journal=journal)
    first = [entry for entry in journal.commits[0][0] if isinstance(entry, ToolResult)]
    assert [entry.call_id for entry in first] == ["a"]
    assert tool.runs == ["t"]


async def test_an_outcome_that_asks_opens_with_the_other_asks_after_the_tools() -> None:
    tool = Counting()
    state = summing(tool, Asking())
    turn = Turn("", (call("a", "add", n=-1), call("q", "ask", x=1), call("t"), call("b", "add", n=3)))
    step, _ = await play(state, turn)
    assert isinstance(step, Ask)
    assert {c.id for c in step.calls} == {"a", "q"} == state.opened
    assert set(state.results) == {"t", "b"}
    assert tool.runs == ["t"]


async def test_a_refusal_is_the_calls_result_and_changes_no_memory() -> None:
    state = summing()
    step, _ = await play(state, Turn("", (call("a", "add", n=0),)))
    assert step == Finish("Done.")
    assert state.results["a"].code == "ZERO"
    assert state.memory == 0


async def test_memory_and_view_are_the_same_when_results_are_read_in_call_order() -> None:
    state, journal = summing(), MemoryJournal()
    await play(state, Turn("", (call("a", "add", n=1), call("b", "begin", n=20))), journal=journal)
    turn, *rest = journal.entries[:3]
    read = [turn, *sorted(rest, key=lambda result: result.call_id)]  # type: ignore[union-attr]
    fresh = summing(said=[*read, *journal.entries[3:]])
    assert fresh.memory == state.memory == 21
    assert fresh.messages == state.messages


async def test_a_fold_keeps_what_the_user_wrote_and_the_last_turn() -> None:
    state = summing()
    _, model = await play(state, Turn("", (call("a", "add", n=3),)), Turn("", (call("b", "add", n=9),)))
    sent = model.requests[-1].messages
    assert [m["content"] for m in sent if m["role"] == "user"] == ["hello", "So far: 12"]
    assert [m.get("tool_call_id") for m in sent if m["role"] == "tool"] == ["b"]
    assert history_problem(sent) == ""


async def test_nothing_is_folded_while_a_call_of_the_turn_is_open() -> None:
    state = summing(Asking())
    await play(state, Turn("", (call("b", "add", n=20), call("q", "ask", x=1))))
    assert "So far" not in str(state.messages)
    state.add(ToolResult("q", json.dumps({"status": "answered"})))
    assert "So far: 20" in str(state.messages)


async def test_a_repeated_question_is_counted_the_same_in_whatever_order_results_are_read() -> None:
    turns = [Turn("", (call(f"q{n}", "ask", x=1), call(f"t{n}", n=n))) for n in range(2)]
    state, journal = summing(Counting(), Asking()), MemoryJournal()
    await play(state, *turns, journal=journal)
    answered = ToolResult("q0", json.dumps({"status": "answered", "customInput": "yes"}))
    state.add(answered)
    read = [Asked(e.call_id, e.fingerprint) if isinstance(e, Asked) else e for e in journal.entries]
    marks = [e for e in read if not isinstance(e, ToolResult)]
    results = [answered, *(e for e in read if isinstance(e, ToolResult))]
    fresh = summing(Counting(), Asking(), said=[*marks, *results])
    assert [ask.stale for ask in fresh.asks] == [ask.stale for ask in state.asks] == [False]
