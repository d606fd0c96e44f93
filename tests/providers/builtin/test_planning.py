"""A planned run: questions, one plan, a finish a turn, then the answer; all of it read from the messages."""

import json

import pytest

from apps.agent.messages import ToolCall, ToolResult
from apps.providers.builtin import BuiltinModel
from apps.providers.builtin.progress import FINISH, PLAN, REPLAN
from apps.sandbox.errors import TimedOut
from apps.solve import results
from apps.solve.arguments import read_finish, read_plan, read_replan
from apps.solve.checkpoint import plan_json
from apps.solve.memory import absorb
from apps.solve.plan import PlanState, rejected
from tests.providers.builtin.talking import ASK, Talk, options_of

CODE = {"type": "function", "function": {"name": "code_execution", "parameters": {}}}
TOOLS = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in (PLAN, FINISH, REPLAN)]


class Solving:
    """A run of the engine without the engine: the tools' own results, and folding after each finished step if wished."""

    def __init__(self, talk: Talk, *, folds: bool = False, rejections: int = 0) -> None:
        self.talk, self.folds, self.rejections = talk, folds, rejections
        self.plan, self.calls, self.answers = PlanState(), [], []
        talk.tools = (ASK, *TOOLS)

    async def until_text(self, turn):
        """Answer every call with its result; return the final text."""
        while turn.calls:
            (call,) = turn.calls
            self.calls.append((call.name, json.loads(call.arguments)))
            self.talk.result(self._result(call))
            if self.folds and call.name == FINISH:
                self._fold()
            turn = await self.talk.turn()
        return turn.text

    def _result(self, call: ToolCall):
        if call.name in ("code_execution", "geogebra_analysis"):
            return self.program
        if call.name == PLAN and self.rejections:
            self.rejections -= 1
            return results.plan_rejected(rejected(self.plan, is_decision=True), "shorter", "en", may_revise=True)
        read = {PLAN: read_plan, FINISH: read_finish}.get(call.name, lambda call, _: read_replan(call, "", "en"))(call, "en")
        write = {PLAN: results.planned, REPLAN: results.replanned}.get(call.name)
        content = write(self.plan, read.proposal, (), "en") if write else None
        before, self.plan = self.plan, self._after(call, read, content)
        assert before != self.plan
        return content or results.step_done(self.plan, read, "en")

    def _after(self, call, read, content):
        content = content or {"status": "step_done", "completed": read.step_id, "outcome": read.outcome}
        return absorb(self.plan, call, ToolResult("", json.dumps(content)))

    def _fold(self):
        checkpoint = json.dumps(plan_json(self.plan) | {"answers": self.answers}, ensure_ascii=False)
        said = [message for message in self.talk.messages if message["role"] in ("system", "user")][:2]
        self.talk.messages[:] = [*said, {"role": "user", "content": f"So far.\n{checkpoint}"}, *self.talk.messages[-2:]]

    @property
    def tools(self):
        return [name for name, _ in self.calls]

    @property
    def finished(self):
        return {arguments["step_id"]: arguments for name, arguments in self.calls if name == FINISH}


@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize(
    ("language", "goal", "result", "begin"),
    [("en", "State the result", "`x = ±2`", "**Result:**"), ("zh", "写出结果", "`x = ±2`", "**结果：**")],
)
async def test_a_plan_then_each_step_then_the_answer(talk, folds, language, goal, result, begin):
    run = Solving(talk(language), folds=folds)
    text = await run.until_text(await run.talk.say("x^2=4"))
    assert run.tools == [PLAN, *[FINISH] * 4]
    assert run.calls[0][1]["steps"][2] == {"goal": goal}
    assert "x^{2} = 4" in run.calls[0][1]["analysis"]
    assert list(run.finished) == ["S1", "S2", "S3", "S4"]
    assert all("outcome" not in arguments for arguments in run.finished.values())
    assert run.finished["S3"]["summary"] in text
    assert text.startswith(begin)


async def test_questions_come_before_the_plan_and_their_answers_outlive_the_folding(talk):
    run = Solving(talk(), folds=True)
    assert "domain:complex" in options_of(await run.talk.say("solve x^2+1=0"))
    answer = {"status": "answered", "selections": ["domain:complex"], "customInput": ""}
    run.answers = [{"toolCallId": "c", "question": "Which numbers?", "answer": answer}]
    text = await run.until_text(await run.talk.answer("domain:complex"))
    assert run.tools[0] == PLAN
    assert set(run.tools[1:]) == {FINISH}
    assert "±i" in text


async def test_other_words_for_the_problem_outlive_the_folding(talk):
    run = Solving(talk(), folds=True)
    await run.talk.say("a bag of apples")
    answer = {"status": "answered", "selections": [], "customInput": "x^2=4"}
    run.answers = [{"toolCallId": "c", "question": "How else can you write the problem?", "answer": answer}]
    assert "±2" in await run.until_text(await run.talk.answer(text="x^2=4"))
    assert run.tools == [PLAN, *[FINISH] * 4]


@pytest.mark.parametrize(("problem", "more", "words"), [("x^2=4", 1, "in two steps"), ("expand (x+1)^2", 0, "the same plan")])
async def test_a_rejected_plan_comes_once_more_and_says_what_it_cannot(talk, problem, more, words):
    run = Solving(talk(), rejections=1)
    text = await run.until_text(await run.talk.say(problem))
    (_, first), (_, second) = run.calls[:2]
    assert run.tools[:3] == [PLAN, PLAN, FINISH]
    assert len(second["steps"]) == len(first["steps"]) + more
    assert words in second["analysis"]
    assert text.startswith("**Result:**")
    assert all("outcome" not in arguments for arguments in run.finished.values())


async def test_a_plan_rejected_twice_or_closed_starts_nothing(talk):
    run = Solving(talk(), rejections=2)
    assert "Both plans were rejected" in await run.until_text(await run.talk.say("x^2=4"))
    closed = Solving(talk())
    await closed.talk.say("x^2=4")
    assert "not approved" in (await closed.talk.close({"status": "cancelled", "reason": "closed"})).text


@pytest.mark.parametrize("text", ["hello", "9^9^9^9", "prove that sqrt(2) is irrational"])
async def test_small_talk_and_refusals_need_no_plan(talk, text):
    run = Solving(talk())
    turn = await run.talk.say(text)
    assert not turn.calls
    assert turn.text


@pytest.mark.parametrize("folds", [False, True])
async def test_an_equation_that_runs_out_of_time_is_replanned_before_the_numbers(pool, folds):
    class Slow:
        async def compute(self, job, *, seconds):
            if not job["is_numeric"]:
                raise TimedOut
            return await pool.compute(job, seconds=seconds)

    run = Solving(Talk(BuiltinModel(Slow())), folds=folds)
    text = await run.until_text(await run.talk.say("e^x = 3 - x"))
    assert run.tools == [PLAN, FINISH, REPLAN, *[FINISH] * 3]
    assert run.calls[2][1]["steps"][0] == {"goal": "Find the solutions by numbers"}
    assert "took too long" in run.calls[2][1]["reason"]
    assert "0.792059968431" in text


async def test_a_step_that_the_user_wrote_is_not_claimed_to_be_done(talk):
    run = Solving(talk())
    await run.talk.say("x^2=4")
    steps = [{"id": "S1", "goal": "Draw it", "done": False}]
    turn = await run.talk.close({"status": "planned", "steps": steps, "next": steps[0]})
    assert json.loads(turn.calls[0].arguments)["outcome"] == "failed"


async def test_a_refused_call_is_not_repeated(talk):
    run = Solving(talk())
    await run.talk.say("x^2=4")
    assert (await run.talk.close({"status": "error", "code": "PLAN_LIMIT"})).text.startswith("**Result:**")


@pytest.mark.parametrize(("key", "value"), [("steps", [1]), ("steps", 1), ("answers", ["a"]), ("answers", [{"answer": []}])])
async def test_an_object_of_another_shape_is_what_the_user_wrote(talk, key, value):
    shape = {"analysis": "", "steps": [], "current": "S1", "replansLeft": 2, "answers": []}
    run = Solving(talk())
    await run.until_text(await run.talk.say("x^2=4"))
    assert "±2" not in (await run.talk.say(json.dumps(shape | {key: value}))).text


@pytest.mark.parametrize("folds", [False, True])
@pytest.mark.parametrize(("exit_code", "outcome", "words"), [(0, None, "I drew `y = x^2`"), (1, "failed", "There is no picture")])
async def test_a_drawing_is_a_step_of_the_plan(talk, folds, exit_code, outcome, words):
    run = Solving(talk(), folds=folds)
    run.talk.tools = (*run.talk.tools, CODE)
    run.program = {"status": "done", "exit_code": exit_code, "stdout": "{}", "files": [{"name": "plot.png"}]}
    text = await run.until_text(await run.talk.say("plot y = x^2 from -1 to 4"))
    assert run.tools == [PLAN, FINISH, "code_execution", FINISH, FINISH, FINISH]
    assert run.calls[0][1]["steps"][1] == {"goal": "Draw the graph by a program"}
    assert run.finished["S2"].get("outcome") == outcome
    assert words in run.finished["S2"]["summary"]
    assert words in text


async def test_a_figure_is_a_step_of_the_plan(talk):
    run = Solving(talk("zh"), folds=True)
    run.talk.tools = (*run.talk.tools, {"type": "function", "function": {"name": "geogebra_analysis", "parameters": {}}})
    run.program = {"status": "done", "objects": [{"name": "result", "exact": "5", "value": 5.0}]}
    text = await run.until_text(await run.talk.say("A(0,0), B(3,4), 线段 AB 的长"))
    assert run.tools == [PLAN, FINISH, "geogebra_analysis", FINISH]
    assert "A, B 之间的距离是 `5`" in text


async def test_a_plan_without_the_step_that_draws_ends_without_a_picture(talk):
    run = Solving(talk())
    run.talk.tools = (*run.talk.tools, CODE)
    await run.talk.say("plot y = x^2 from -1 to 4")
    steps = [{"id": "S1", "goal": "Restate the problem as it was read", "done": False}]
    await run.talk.close({"status": "planned", "steps": steps, "next": steps[0]})
    turn = await run.talk.close({"status": "step_done", "completed": "S1", "next": None})
    assert "the step that draws it was not carried out" in turn.text


async def test_without_the_solve_tools_the_answer_comes_at_once(talk):
    assert (await talk().say("x^2=4")).text.startswith("**Result:**")
