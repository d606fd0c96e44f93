"""Folding: what the model keeps before it after a step is finished; nothing that it needs is lost, nothing grows."""

import json
from typing import Any

from apps.agent.messages import ToolCall, ToolResult, Turn
from apps.agent.steps import Ask
from apps.agent.tools import ToolContext
from tests.solve.test_gates import ask, play
from tests.support.loop import Counting, MemoryJournal, call
from tests.support.solving import answer, finish, plan, reloaded, replan, solving

KEYS = ["analysis", "steps", "current", "replansLeft", "answers"]


def checkpoints(messages: Any) -> list[dict[str, Any]]:
    """Return the checkpoints of a request."""
    texts = [m["content"] for m in messages if m["role"] == "user" and '"replansLeft"' in m["content"]]
    return [json.loads(text[text.index("{") :]) for text in texts]


async def test_after_a_step_the_plan_stands_in_one_checkpoint_before_the_finishing_turn() -> None:
    tool = Counting()
    turns = (Turn("", (plan(),)), Turn("", (call("t"),)), Turn("", (finish("f1", "S1", "(x-2)(x+2)"),)), Turn("Done."))
    _, model = await play(solving(tool), *turns)
    sent = model.requests[3].messages
    assert [message["role"] for message in sent] == ["system", "user", "user", "assistant", "tool"]
    (held,) = checkpoints(sent)
    assert list(held) == KEYS
    assert held["analysis"] == "Think."
    assert held["steps"][0] == {"id": "S1", "goal": "Factor", "status": "done", "summary": "(x-2)(x+2)"}
    assert held["steps"][1]["status"] == "current"
    assert (held["current"], held["replansLeft"], held["answers"]) == ("S2", 2, [])
    assert "f1" in str(sent[3])
    assert "S2" in sent[4]["content"]
    assert not [m for m in sent if m.get("tool_call_id") in ("p", "t")]


async def test_what_the_user_answered_stays_before_the_model_after_every_fold() -> None:
    state, journal = solving(), MemoryJournal()
    step, _ = await play(state, Turn("", (plan("p", "A", "B", "C"),)), Turn("", (ask(),)), journal=journal)
    assert isinstance(step, Ask)
    answer(state, "q", "the safe way")
    turns = [Turn("", (finish(f"f{n}", f"S{n}", f"result {n}"),)) for n in (1, 2, 3)]
    _, model = await play(state, *turns, Turn("Done."))
    for request in model.requests[1:]:
        (held,) = checkpoints(request.messages)
        (told,) = held["answers"]
        assert (told["toolCallId"], told["question"]) == ("q", "Which?")
        assert told["answer"]["customInput"] == "the safe way"
        assert str(request.messages).count("the safe way") == 1
    assert [s["summary"] for s in checkpoints(model.requests[-1].messages)[0]["steps"]] == ["result 1", "result 2", "result 3"]


async def test_a_turn_that_also_asked_folds_after_the_answer_and_keeps_it() -> None:
    state = solving()
    await play(state, Turn("", (plan("p", "A", "B", "C"),)), Turn("", (finish("f1", "S1"), ask())))
    assert not checkpoints(state.messages)
    answer(state, "q", "blue")
    assert len(checkpoints(state.messages)) == 1
    _, model = await play(state, Turn("", (finish("f2", "S2"),)), Turn("", (finish("f3", "S3"),)), Turn("Done."))
    assert [str(request.messages).count("blue") for request in model.requests] == [1, 1, 1]


async def test_several_finishes_in_one_turn_are_all_kept() -> None:
    turns = (Turn("", (plan("p", "A", "B", "C"),)), Turn("", (finish("f1", "S1", "one"), finish("f2", "S2", "two"))))
    _, model = await play(solving(), *turns, Turn("", (finish("f3", "S3"),)), Turn("Done."))
    (held,) = checkpoints(model.requests[2].messages)
    assert [(s["id"], s["summary"]) for s in held["steps"][:2]] == [("S1", "one"), ("S2", "two")]
    assert held["current"] == "S3"


async def test_a_refused_finish_folds_nothing() -> None:
    _, model = await play(solving(), Turn("", (plan(),)), Turn("", (finish("f", "S9"),)), Turn("x"))
    assert not checkpoints(model.requests[-1].messages)


async def test_h83_a_failed_step_reads_failed_in_the_next_request() -> None:
    _, model = await play(solving(), Turn("", (plan(),)), Turn("", (finish("f", "S1", "broke", outcome="failed"),)), Turn("x"))
    assert checkpoints(model.requests[2].messages)[0]["steps"][0]["status"] == "failed"


async def test_h84_an_old_answer_is_told_once_after_two_replans() -> None:
    state = solving()
    await play(state, Turn("", (plan("p", "A", "B", "C"),)), Turn("", (ask(),)))
    answer(state, "q", "skip the export")
    turns = [Turn("", (finish("f1", "S1", "one"),)), Turn("", (replan("r1", "D"),)), Turn("", (replan("r2", "E", "F"),))]
    _, model = await play(state, *turns, Turn("", (finish("f6", "S5", "five"),)), Turn("x"))
    last = model.requests[4].messages
    assert str(last).count("skip the export") == 1
    (held,) = checkpoints(last)
    assert [(s["id"], s["status"]) for s in held["steps"]] == [
        ("S1", "done"), ("S2", "dropped"), ("S3", "dropped"), ("S4", "dropped"), ("S5", "done"), ("S6", "current"),
    ]  # fmt: skip
    assert held["replansLeft"] == 0


LONG = [
    Turn("", (plan("p", "A", "B", "C"),)), Turn("", (call("t"), finish("f1", "S1", "one"))),
    Turn("", (finish("x", "S9"), replan("r", "D", "E"))), Turn("", (call("u", n=2),)),
    Turn("", (finish("f2", "S4", "four"), finish("f3", "S5"))), Turn("Done."),
]  # fmt: skip


async def test_after_a_restart_at_any_commit_the_run_goes_on_as_if_nothing_had_happened() -> None:
    state, journal = solving(Counting()), MemoryJournal()
    ended, undisturbed = await play(state, *LONG, journal=journal)
    for n in range(1, len(journal.commits)):
        seen = MemoryJournal(commits=journal.commits[:n])
        fresh = reloaded(seen, Counting())
        turns = [entry for entry in seen.entries if isinstance(entry, Turn)]
        step, model = await play(fresh, *LONG[len(turns) :])
        assert step == ended
        assert fresh.memory == state.memory
        if not any(fresh.results[ident].code == "OUTCOME_UNKNOWN" for ident in ("t", "u")):
            assert [r.messages for r in model.requests] == [r.messages for r in undisturbed.requests[len(turns) :]]


class Verbose(Counting):
    """A tool with much to say."""

    async def run(self, call: ToolCall, context: ToolContext) -> ToolResult:
        """Return 20 kB."""
        return ToolResult(call.id, json.dumps({"status": "ok", "text": "x" * 20_000}))


async def test_twelve_steps_of_much_output_stay_bounded() -> None:
    steps = range(1, 13)
    work = [[Turn("", (call(f"t{n}", n=n),)), Turn("", (finish(f"f{n}", f"S{n}", "result " * 60),))] for n in steps]
    turns = [Turn("", (plan("p", *(f"Goal {n}" for n in steps)),)), *(turn for pair in work for turn in pair), Turn("Done.")]
    _, model = await play(solving(Verbose()), *turns)
    sizes = [len(json.dumps(request.messages)) for request in model.requests]
    assert len(sizes) == 26
    assert max(sizes) < 40_000 + 20_000
    assert max(sizes[n] for n in range(1, 26, 2)) < 40_000  # before the step's output and after the fold
