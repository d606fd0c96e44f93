"""The solver as a provider: a pure function of the request, small talk, limits, and the real worker once."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.agent.messages import Turn
from apps.agent.model import ModelRequest, TextDelta
from apps.providers.builtin import BuiltinModel
from apps.providers.builtin.conversation import read_conversation
from apps.sandbox.errors import JobFailed, OutOfMemory, TimedOut
from apps.sandbox.pool import WorkerPool
from tests.providers.builtin.talking import ASK, Talk


async def turn_of(model, text, language="en", tools=(ASK,)):
    """Return the turn that answers a single message."""
    request = ModelRequest([{"role": "user", "content": text}], tools, language=language)
    return [piece async for piece in model.stream(request)][-1]


def test_it_calls_itself_what_it_is():
    assert BuiltinModel.name == "built-in symbolic solver (no language model)"


@pytest.mark.parametrize(
    ("text", "language", "begin"),
    [("hello", "en", "I am the built-in"), ("你好", "zh", "我是内置符号求解器"), ("", "en", "I am")],
)
async def test_small_talk_gets_an_honest_introduction(talk, pool, text, language, begin):
    turn = await talk(language).say(text)
    assert turn.text.startswith(begin)
    assert turn.text.count("\n- `") == 3
    assert pool.jobs == []


async def test_the_same_request_gives_the_same_turn_and_is_left_alone(pool):
    model = BuiltinModel(pool)
    for text in ("solve x^3 - x - 1 = 0 over the complex numbers", "solve x^2+1=0", "x e^x = 2", "a bag of apples", "∫ sec x dx"):
        request = ModelRequest([{"role": "user", "content": text}], [ASK])
        before = copy.deepcopy(request)
        turns = [[piece async for piece in model.stream(request)] for _ in range(2)]
        assert turns[0] == turns[1]
        assert request == before


async def test_the_text_comes_in_pieces_and_then_as_one_turn(pool):
    request = ModelRequest([{"role": "user", "content": "2+3"}])
    *pieces, turn = [piece async for piece in BuiltinModel(pool).stream(request)]
    assert isinstance(turn, Turn)
    assert len(pieces) > 2
    assert all(isinstance(piece, TextDelta) and piece.text for piece in pieces)
    assert "".join(piece.text for piece in pieces) == turn.text
    assert (turn.input_tokens, turn.output_tokens, turn.finish) == (0, 0, "stop")


@pytest.mark.parametrize(
    "text", ["9^9^9^9", "10000!", "(" * 200 + "x" + ")" * 200, "__import__('os')", "a" * 500, "x" * 5000, "2^999999"]
)
async def test_hostile_texts_never_reach_the_worker(talk, pool, text):
    turn = await talk().say(text)
    assert pool.jobs == []
    assert "Result:" not in turn.text


@pytest.mark.parametrize(
    ("error", "words"), [(TimedOut(), "20 seconds"), (OutOfMemory(), "more memory"), (JobFailed("KeyError"), "failed")]
)
async def test_a_computation_that_ends_early_is_said_so(error, words):
    class Pool:
        async def compute(self, job, *, seconds):
            assert seconds == 20
            raise error

    turn = await turn_of(BuiltinModel(Pool()), "integrate x^2")
    assert words in turn.text
    assert "Result:" not in turn.text
    assert "x^{2}" in turn.text


async def test_an_equation_that_takes_too_long_is_solved_by_numbers(pool):
    class Slow:
        async def compute(self, job, *, seconds):
            if not job["is_numeric"]:
                raise TimedOut
            return await pool.compute(job, seconds=seconds)

    turn = await turn_of(BuiltinModel(Slow()), "e^x = 3 - x")
    assert turn.text.startswith("**Result:** `x ≈ 0.792059968431`")
    assert "there may be more solutions" in turn.text


async def test_only_tools_that_were_sent_are_called(pool):
    other = {"type": "function", "function": {"name": "ask_user_question", "description": "", "parameters": {}}}
    assert not (await turn_of(BuiltinModel(pool), "solve x^2+1=0", tools=(other,))).calls
    assert (await turn_of(BuiltinModel(pool), "solve x^2+1=0", tools=(other, ASK))).calls


async def test_call_arguments_are_one_json_object_without_ascii_escapes(talk):
    turn = await talk("zh").say("解方程 x^2+1=0")
    (call,) = turn.calls
    assert "实数" in call.arguments
    assert set(json.loads(call.arguments)) == {"title", "description", "mode", "options"}


async def test_the_real_worker_solves_the_first_example():
    pool = WorkerPool("apps.providers.builtin.maths.worker")
    chat = Talk(BuiltinModel(pool))
    await chat.say("solve x^2+1=0")
    turn = await chat.answer("domain:complex")
    await pool.close()
    assert "±i" in turn.text


# --- reading the messages ----------------------------------------------------------------------------------
def test_notes_and_checkpoints_of_the_engine_are_not_the_problem():
    checkpoint = 'Progress so far: {"analysis": "…", "steps": [], "current": null, "replansLeft": 2, "answers": []}'
    messages = [
        {"role": "user", "content": "2+2"},
        {"role": "user", "content": "[note] Write the final answer."},
        {"role": "user", "content": checkpoint},
    ]
    assert read_conversation(messages).text == "2+2"


def test_choices_belong_to_the_last_problem_only():
    call = {"id": "c", "type": "function", "function": {"name": "ask_user", "arguments": '{"mode": "single"}'}}
    messages = [
        {"role": "user", "content": "x^2+1=0"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": "c",
            "name": "ask_user",
            "content": '{"status": "answered", "selections": ["domain:real"]}',
        },
    ]
    assert read_conversation(messages).chosen == {"domain:real"}
    assert read_conversation([*messages, {"role": "user", "content": "x^2+4=0"}]).chosen == frozenset()


def test_results_of_other_tools_are_no_answers():
    call = {"id": "c", "type": "function", "function": {"name": "lookup", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "x^2+1=0"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {
            "role": "tool",
            "tool_call_id": "c",
            "name": "lookup",
            "content": '{"status": "answered", "selections": ["domain:real"]}',
        },
    ]
    assert read_conversation(messages).chosen == frozenset()


_CONTENTS = st.one_of(
    st.text(max_size=20), st.sampled_from(['{"status":"answered"}', "[]", "null", '{"status":1,"selections":[2]}', "{"])
)


@given(_CONTENTS, _CONTENTS)
def test_any_arguments_and_results_can_be_read(arguments, content):
    call = {"id": "c", "type": "function", "function": {"name": "ask_user", "arguments": arguments}}
    messages = [
        {"role": "user", "content": "x"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "name": "ask_user", "content": content},
        {"role": "user", "content": "y"},
    ]
    read_conversation(messages)
    read_conversation(messages[:3])
