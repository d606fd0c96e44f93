"""Whatever a model sends, in whatever order: the loop's promises hold."""

from hypothesis import given, settings
from hypothesis import strategies as st

from apps.agent.capabilities import Limits
from apps.agent.messages import ToolCall, ToolResult, Turn
from apps.agent.steps import Ask, Fail, Finish
from tests.support.loop import Asking, Counting, MemoryJournal, PlayedModel, answer_all, history_problem, play, reloaded, state_of

calls = st.builds(
    ToolCall,
    st.sampled_from(["", "a", "b", "c", "d"]),
    st.sampled_from(["count", "ask", "ask", "nowhere"]),
    st.sampled_from(['{"q":1}', '{"q":2}', '{"q":3}', '{"bad":1}']),
)
turns = st.builds(
    Turn,
    st.sampled_from(["", "", "some text", " "]),
    st.lists(calls, max_size=4).map(tuple),
    st.sampled_from(["stop", "stop", "stop", "length"]),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(turns, min_size=1, max_size=12), st.integers(1, 5), st.booleans())
async def test_any_turns_lead_to_a_rest_with_every_call_answered_once(
    played: list[Turn], max_rounds: int, restarts: bool
) -> None:
    model, journal, tool = PlayedModel(*played), MemoryJournal(), Counting()
    tools, limits = (tool, Asking()), Limits(max_rounds=max_rounds)
    state = state_of(*tools, limits=limits)
    for _ in range(60):
        step = await play(state, model, journal)
        if not isinstance(step, Ask):
            break
        if restarts:
            state = reloaded(state, journal, *tools, limits=limits)
        before = set(state.results)
        answer_all(state)
        journal.commits.append(([state.results[c] for c in state.results if c not in before], step))
    assert isinstance(step, Finish | Fail)
    assert not isinstance(step, Finish) or step.text.strip()
    results = [e.call_id for e in journal.entries if isinstance(e, ToolResult)]
    assert len(results) == len(set(results)) == len(state.calls)
    assert len(tool.runs) == len(set(tool.runs))
    assert len(model.requests) <= max_rounds + 4
    assert [history_problem(r.messages) for r in model.requests] == [""] * len(model.requests)
