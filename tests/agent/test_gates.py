"""The bounds of a run: rounds, truncated and empty turns, closing rounds, repeated asks, length."""

import json

import pytest

from apps.agent.capabilities import Limits
from apps.agent.messages import Asked, Note, ToolResult, Turn, UserMessage
from apps.agent.steps import Ask, Fail, Finish
from apps.agent.words import say
from tests.support.loop import Asking, Counting, MemoryJournal, PlayedModel, answer_all, call, play, reloaded, state_of


def endless() -> PlayedModel:
    return PlayedModel(*(Turn("", (call(f"c{n}", n=n),)) for n in range(60)))


async def test_spent_rounds_end_with_an_answer_and_a_last_round_without_tools() -> None:
    model = endless()
    step = await play(state_of(Counting(), limits=Limits(max_rounds=2)), model)
    assert step == Finish(say("exhausted", "en"), "rounds_exhausted")
    assert [bool(r.tools) for r in model.requests] == [True, True, True, True, True, False]


async def test_a_text_in_a_closing_round_is_the_answer() -> None:
    model = PlayedModel(Turn("", (call("a", n=1),)), Turn("Best I have."))
    step = await play(state_of(Counting(), limits=Limits(max_rounds=1)), model)
    assert step == Finish("Best I have.", "rounds_exhausted")


async def test_a_final_text_in_the_last_allowed_round_is_simply_finished() -> None:
    assert await play(state_of(limits=Limits(max_rounds=1)), PlayedModel(Turn("Done."))) == Finish("Done.")


async def test_the_directive_is_stored_once_and_survives_a_restart() -> None:
    journal, tool = MemoryJournal(), Counting()
    await play(state_of(tool, limits=Limits(max_rounds=1)), endless(), journal)
    directives = [e for e in journal.entries if isinstance(e, Note) and e.kind == "directive"]
    assert len(directives) == 1
    seen = MemoryJournal(commits=journal.commits[:4])
    fresh = reloaded(state_of(tool), seen, tool, limits=Limits(max_rounds=1))
    model = PlayedModel(*(Turn("", (call(f"d{n}", n=n),)) for n in range(9)))
    await play(fresh, model)
    assert not model.requests[-1].tools


async def test_a_truncated_text_is_continued_and_joined_exactly() -> None:
    model = PlayedModel(Turn("Begin, cut in mid", finish="length"), Turn("dle, end."))
    journal = MemoryJournal()
    assert await play(state_of(), model, journal) == Finish("Begin, cut in middle, end.")
    assert journal.texts == ["Begin, cut in mid", "Begin, cut in middle, end."]


async def test_a_continued_text_is_one_message_to_the_model_afterwards() -> None:
    model = PlayedModel(Turn("Begin ", finish="length"), Turn("and ask", (call("q", "ask"),)), Turn("Done."))
    state = state_of(Asking())
    await play(state, model)
    answer_all(state)
    await play(state, model)
    texts = [m["content"] for m in model.requests[2].messages if m["role"] == "assistant"]
    assert texts == ["Begin and ask"]


async def test_calls_of_a_truncated_turn_never_run() -> None:
    tool = Counting()
    model = PlayedModel(Turn("", (call("c1"),), finish="length"), Turn("Done."))
    state = state_of(tool)
    assert await play(state, model) == Finish("Done.")
    assert tool.runs == []
    assert "tool_calls" not in str(model.requests[1].messages)


async def test_an_empty_turn_gets_one_nudge() -> None:
    model = PlayedModel(Turn(""), Turn("Here I am."))
    state = state_of()
    assert await play(state, model) == Finish("Here I am.")
    assert state.notes["nudge"] == 1


async def test_empty_turns_end_with_a_fixed_sentence_never_an_empty_text() -> None:
    model = PlayedModel(Turn("  \n"))
    step = await play(state_of(), model)
    assert step == Finish(say("exhausted", "en"), "rounds_exhausted")
    assert len(model.requests) == 6


async def test_h34_a_question_that_was_closed_is_not_put_again_and_the_third_try_ends_the_run() -> None:
    turns = [Turn("", (call(f"c{n}", "ask", q="same"),)) for n in range(9)]
    model = PlayedModel(*turns)
    state = state_of(Asking(), limits=Limits(max_rounds=20))
    assert isinstance(await play(state, model), Ask)
    state.add(ToolResult("c0", json.dumps({"status": "cancelled", "code": "ASK_CANCELLED"}), is_error=True))
    step = await play(state, model)
    assert isinstance(step, Fail)
    assert step.code == "ask_loop"
    assert len(model.requests) == 4


async def test_an_answered_question_is_quoted_instead_of_asked_again() -> None:
    turns = [Turn("", (call(f"c{n}", "ask", q="same"),)) for n in range(2)]
    state = state_of(Asking())
    model = PlayedModel(*turns, Turn("Done."))
    await play(state, model)
    answer_all(state, "blue")
    assert await play(state, model) == Finish("Done.")
    assert "blue" in state.results["c1"].content
    assert state.results["c1"].code == "ASK_REPEATED"


async def test_an_answered_question_may_be_asked_again_after_another_tool() -> None:
    model = PlayedModel(
        Turn("", (call("c0", "ask", q="same"),)), Turn("", (call("t"),)), Turn("", (call("c1", "ask", q="same"),))
    )
    state = state_of(Asking(), Counting())
    await play(state, model)
    answer_all(state)
    step = await play(state, model)
    assert isinstance(step, Ask)
    assert step.calls[0].id == "c1"


async def test_the_same_question_twice_in_a_turn_is_one_card() -> None:
    model = PlayedModel(Turn("", (call("a", "ask", q=1), call("b", "ask", q=1))), Turn("Done."))
    state = state_of(Asking())
    await play(state, model)
    assert state.opened == {"a"}
    assert state.results["b"].code == "ASK_REPEATED"


async def test_a_run_asks_a_bounded_number_of_questions() -> None:
    asks = tuple(call(f"c{n}", "ask", q=n) for n in range(4))
    state = state_of(Asking(), limits=Limits(max_asks=3))
    await play(state, PlayedModel(Turn("", asks)))
    assert state.opened == {"c0", "c1", "c2"}
    assert state.results["c3"].code == "ASK_LIMIT"


@pytest.mark.parametrize("code", ["NO_PROVIDER", "DELEGATED_CALLER"])
async def test_h23_h24_where_nobody_can_answer_the_call_gets_its_code_at_once(code: str) -> None:
    state = state_of(Asking(), can_ask=code)
    assert await play(state, PlayedModel(Turn("", (call("c", "ask"),)), Turn("Done."))) == Finish("Done.")
    assert state.results["c"].code == code


async def test_a_bad_question_is_named_before_it_is_said_that_nobody_can_answer() -> None:
    state = state_of(Asking(), can_ask="NO_PROVIDER")
    await play(state, PlayedModel(Turn("", (call("c", "ask", bad=1),)), Turn("Done.")))
    assert state.results["c"].code == "BAD_QUESTION"


def earlier_runs(count: int) -> list[list[dict[str, str]]]:
    return [[{"role": "user", "content": f"run {n} " + "x" * 90}] for n in range(count)]


async def test_whole_earlier_runs_are_left_out_oldest_first() -> None:
    model = PlayedModel(Turn("Done."))
    await play(state_of(earlier=earlier_runs(10), limits=Limits(context_chars=520)), model)
    sent = [m["content"] for m in model.requests[0].messages]
    assert sent[1].endswith(say("left_out", "en"))
    assert [text.split(" x")[0] for text in sent[2:-1]] == [f"run {n}" for n in range(5, 10)]


async def test_earlier_runs_are_left_out_as_the_current_one_grows() -> None:
    model = PlayedModel(Turn("y" * 300, (call("c1"),)), Turn("Done."))
    await play(state_of(Counting(), earlier=earlier_runs(5), limits=Limits(context_chars=520)), model)
    assert sum(len(m["content"]) for m in model.requests[1].messages[2:]) <= 520


async def test_a_run_that_alone_is_too_long_fails_with_a_reason() -> None:
    state = state_of(limits=Limits(context_chars=50), said=[UserMessage("x" * 60)])
    step = await play(state, PlayedModel(Turn("Done.")))
    assert isinstance(step, Fail)
    assert step.code == "context_too_long"


async def test_h38_an_open_call_is_never_cut_from_the_next_request() -> None:
    said = [Turn("y" * 300, (call("r1", "ask"),)), Asked("r1", "f")]
    state = state_of(Asking(), earlier=earlier_runs(5), limits=Limits(context_chars=400), said=said)
    answer_all(state)
    model = PlayedModel(Turn("Done."))
    await play(state, model)
    assert [m["role"] for m in model.requests[0].messages[-2:]] == ["assistant", "tool"]
