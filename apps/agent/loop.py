"""`drive`: one segment of a run, from where its rows stand to its next rest."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, Protocol

from apps.agent.approvals import fingerprint
from apps.agent.asking import put_to_user, put_up_for_approval, refused
from apps.agent.machine import next_step
from apps.agent.messages import Entry, Started, ToolCall, ToolResult, Turn
from apps.agent.model import Model, ModelError, ModelRequest, StartOver, TextDelta
from apps.agent.state import RunState
from apps.agent.steps import Ask, CallModel, Check, Fail, Finish, RunTools, Step
from apps.agent.tools import AskRequest, Refusal, ToolContext, is_state_tool
from apps.agent.words import say

TOOLS_AT_ONCE = 8
logger = logging.getLogger(__name__)


class Journal(Protocol):
    """Where a segment writes. Each commit is one transaction; a commit that is refused raises and ends the segment."""

    async def commit(self, entries: Sequence[Entry], following: Step) -> None:
        """Store the entries, and with a following Ask, Finish or Fail the rest of the run, in one transaction."""
        ...

    def begin_text(self, prefix: str) -> None:
        """A round begins to stream; `prefix` is the text that it continues."""
        ...

    def more_text(self, text: str) -> None:
        """The round's text grows."""
        ...

    def restart_text(self) -> None:
        """The round starts over."""
        ...

    def new_call_id(self) -> str:
        """Return an id for a call that has none of its own."""
        ...


async def drive(state: RunState, journal: Journal, model: Model, sampling: ModelRequest, context: ToolContext) -> Step:
    """Run the state machine until the run rests; return the step it rests on: Ask, Finish or Fail.

    `sampling` is the request to be sent but for messages and tools.
    """
    entries: list[Entry] = []
    while True:
        step = settle(state, entries)
        if isinstance(step, Check):
            entries += await _take_fingerprints(state, step.calls, context)
            continue
        if entries or not isinstance(step, CallModel | RunTools):
            await journal.commit(entries, step)
        match step:
            case CallModel(tools=with_tools):
                entries = await _ask_model(state, journal, model, sampling, with_tools)
            case RunTools(calls):
                entries = await _run_tools(state, journal, calls, context)
            case Ask() | Finish() | Fail():
                return step


def settle(state: RunState, entries: list[Entry]) -> Step:
    """Do all that needs neither model nor tool: notes, state tools, refusals, opening of asks; append it to `entries`."""
    while True:
        made = _applied(state) or _made_at_once(state, step := next_step(state))
        if not made:
            return step
        state.add_all(made)
        entries.extend(made)


def _applied(state: RunState) -> Sequence[Entry]:
    """Apply state tools up to the first that has a result: the outcome of the next depends on it."""
    for call in state.to_apply():
        tool = state.toolbox.tools[call.name]
        assert is_state_tool(tool)
        outcome = _copy(state, call) or tool.apply(call, state)
        if isinstance(outcome, AskRequest):
            state.put_under_review(call, outcome)
        else:
            return [refused(call, outcome) if isinstance(outcome, Refusal) else outcome]
    return []


def _made_at_once(state: RunState, step: Step) -> Sequence[Entry]:
    match step:
        case CallModel(note=note) if note:
            return [note]
        case RunTools(calls):
            return [result for call in calls if (result := _known_result(state, call))]
        case Ask(calls):
            # One at a time: whether an ask repeats another depends on those opened before it.
            return [_opened(state, call) for call in calls if call.id not in state.opened][:1]
        case _:
            return []


def _opened(state: RunState, call: ToolCall) -> Entry:
    """Return the card of a call, or the result that it gets instead."""
    if not state.needs_approval(call):
        return put_to_user(state, call)
    return _known_result(state, call) or put_up_for_approval(state, call)


def _known_result(state: RunState, call: ToolCall) -> ToolResult | None:
    """Return the result of a call that must not be run: unknown, started before a crash, an exact copy, or out of turn."""
    tool = state.toolbox.tools.get(call.name)
    if tool is None:
        return refused(call, Refusal("UNKNOWN_TOOL", say("unknown_tool", state.language, name=call.name)))
    if call.id in state.started and not getattr(tool, "idempotent", False):
        return refused(call, Refusal("OUTCOME_UNKNOWN", say("outcome_unknown", state.language)))
    refusal = _copy(state, call) or state.capability.refuses(state, call)
    return refused(call, refusal) if refusal else None


def _copy(state: RunState, call: ToolCall) -> Refusal | None:
    """Refuse the exact copy of an earlier call of the same turn."""
    assert state.turn is not None
    first = next(c for c in state.turn.calls if (c.name, c.arguments) == (call.name, call.arguments))
    return None if first is call else Refusal("DUPLICATE_CALL", say("duplicate", state.language))


async def _ask_model(state: RunState, journal: Journal, model: Model, sampling: ModelRequest, with_tools: bool) -> list[Entry]:
    journal.begin_text(state.prefix)
    tools = state.toolbox.schemas(state.language) if with_tools else ()
    try:
        turn = await _receive(journal, model, replace(sampling, messages=state.messages, tools=tools))
    except ModelError as error:
        state.failure = Fail(error.code, error.message, error.retryable)
        return []
    turn = state.joined(_checked(state, journal, turn, with_tools))
    state.add(turn)
    return [turn]


async def _receive(journal: Journal, model: Model, request: ModelRequest) -> Turn:
    # Closed at once whatever happens: a request that nobody reads any more must not go on.
    async with aclosing(model.stream(request)) as pieces:
        async for piece in pieces:
            match piece:
                case TextDelta(text):
                    journal.more_text(text)
                case StartOver():
                    journal.restart_text()
                case Turn():
                    return piece
    raise ModelError("model_protocol", "The model's answer ended without a turn.", retryable=True)


def _checked(state: RunState, journal: Journal, turn: Turn, with_tools: bool) -> Turn:
    """Drop the calls of a truncated turn and of a round without tools; give every other call an id of its own."""
    if turn.finish == "length" or not with_tools:
        return replace(turn, calls=())
    taken = set(state.calls)
    calls = []
    for call in turn.calls:
        if not call.id or call.id in taken:
            call = replace(call, id=journal.new_call_id())
        taken.add(call.id)
        calls.append(call)
    return replace(turn, calls=tuple(calls))


async def _take_fingerprints(state: RunState, calls: Sequence[ToolCall], context: ToolContext) -> list[Entry]:
    """Take the fingerprints; a call whose files cannot be named gets its result, for nobody could say what is allowed."""
    failed: list[Entry] = []
    for call in calls:
        tool: Any = state.toolbox.tools[call.name]
        try:
            state.fingerprints[call.id] = await asyncio.to_thread(fingerprint, tool, call, context)
        except Exception as error:
            # The edge of a tool: what it raises is the model's to hear of.
            failed.append(_failed(state, call, error))
    state.add_all(failed)
    return failed


async def _run_tools(state: RunState, journal: Journal, calls: Sequence[ToolCall], context: ToolContext) -> list[Entry]:
    """Mark the tools as started, then run them side by side; every call has its result, none is dropped."""
    marks: list[Entry] = [Started(c.id) for c in calls if not getattr(state.toolbox.tools[c.name], "idempotent", False)]
    if marks:
        state.add_all(marks)
        await journal.commit(marks, RunTools(tuple(calls)))
    room = asyncio.Semaphore(TOOLS_AT_ONCE)

    async def run(call: ToolCall) -> ToolResult:
        async with room:
            return await _run_tool(state, call, context)

    results = await asyncio.gather(*map(run, calls))
    state.add_all(results)
    # What has run may have changed the files of what was allowed beside it.
    state.fingerprints.clear()
    return list(results)


async def _run_tool(state: RunState, call: ToolCall, context: ToolContext) -> ToolResult:
    try:
        return await state.toolbox.tools[call.name].run(call, context)  # type: ignore[union-attr]
    except Exception as error:
        # The edge of a tool: what it raises is the model's to hear of.
        return _failed(state, call, error)


def _failed(state: RunState, call: ToolCall, error: Exception) -> ToolResult:
    """Return the result of a tool that raised. The exception's text may hold what the user wrote: only its type is kept."""
    logger.warning("tool %s failed with %s", call.name, type(error).__name__)
    return refused(call, Refusal("TOOL_FAILED", say("tool_failed", state.language)))
