"""`next_step`: what a run does next, as a pure function of its state."""

from apps.agent.messages import Note, ToolCall, Turn
from apps.agent.state import REMARKS, RunState
from apps.agent.steps import Ask, CallModel, Check, Fail, Finish, RunTools, Step
from apps.agent.words import say

CLOSING_ROUNDS_WITH_TOOLS = 3
REPEATS_THAT_END_A_RUN = 3


def next_step(state: RunState) -> Step:
    """Return the next step. Kill the process anywhere, load the rows, call this: the same step comes out.

    1. Calls without a result come first: working tools, then asks and approvals together, then what was approved,
       one at a time: what one does may change what the next was allowed for.
    2. A final text ends the run, unless the capability sends the model back.
    3. Otherwise the model is called; every bound is counted from stored entries.
    """
    if state.failure:
        return state.failure
    if waiting := state.unanswered():
        return _about_calls(state, waiting)
    if len(state.repeats) >= REPEATS_THAT_END_A_RUN:
        return Fail("ask_loop", say("ask_loop", state.language))
    if state.remarks:
        return CallModel(note=Note(REMARKS, "\n".join(state.remarks)))
    if state.turn is None or state.turn.calls:
        return _call_model(state)
    return _after_text(state, state.turn)


def _about_calls(state: RunState, waiting: tuple[ToolCall, ...]) -> Step:
    """Return what becomes of the calls without a result. What was approved runs after the last card has closed."""
    if free := tuple(call for call in waiting if not (state.asks_user(call) or state.needs_approval(call))):
        return RunTools(free)
    unseen = (call for call in waiting if state.needs_approval(call) and call.id not in state.fingerprints)
    if to_check := tuple(unseen):
        return Check(to_check)
    if asking := tuple(call for call in waiting if not state.is_approved(call)):
        return Ask(asking)
    return RunTools(waiting[:1])


def _after_text(state: RunState, turn: Turn) -> Step:
    if _is_last_round_over(state):
        return Finish(turn.text if turn.text.strip() else say("exhausted", state.language), "rounds_exhausted")
    if state.noted:
        return _call_model(state)
    if turn.finish == "length":
        return _call_model(state, _note(state, "continue" if turn.text.strip() else "cut_call"))
    if not turn.text.strip():
        return _after_empty_turn(state)
    if state.notes["directive"]:
        return Finish(turn.text, "rounds_exhausted")
    return state.capability.before_finish(state, turn.text) or Finish(turn.text)


def _after_empty_turn(state: RunState) -> Step:
    if not state.notes["nudge"]:
        return _call_model(state, _note(state, "nudge"))
    if not state.notes["directive"]:
        return CallModel(note=_note(state, "directive"))
    return _call_model(state)


def _note(state: RunState, kind: str) -> Note:
    return Note(kind, say(kind, state.language))


def _call_model(state: RunState, note: Note | None = None) -> Step:
    if state.view.too_long:
        return Fail("context_too_long", say("context_too_long", state.language))
    if state.notes["directive"]:
        return _closing_round(state)
    if note is None and state.rounds >= state.limits.max_rounds:
        return CallModel(note=_note(state, "directive"))
    return CallModel(note=note)


def _closing_round(state: RunState) -> Step:
    if state.closing_rounds > CLOSING_ROUNDS_WITH_TOOLS:
        return Finish(say("exhausted", state.language), "rounds_exhausted")
    return CallModel(tools=state.closing_rounds < CLOSING_ROUNDS_WITH_TOOLS)


def _is_last_round_over(state: RunState) -> bool:
    return state.closing_rounds > CLOSING_ROUNDS_WITH_TOOLS
