"""The scripted model replays its steps, whatever is asked again or folded away."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.agent.messages import Turn
from apps.agent.model import ModelError, ModelRequest, StartOver, TextDelta
from apps.providers.openai_compatible.arguments import INVALID_ARGUMENTS
from apps.providers.openai_compatible.history import BrokenHistory
from apps.providers.scripted import ScriptedModel, ScriptError, read_scenarios

ASK: dict[str, Any] = {"id": "c1", "name": "ask_user", "arguments": {"title": "Wohin – ä?"}}
TWO_STEPS: dict[str, list[dict[str, Any]]] = {"s": [{"text": "One moment, please.", "calls": [ASK]}, {"text": "Done."}]}
USER = {"role": "user", "content": "go [[s#k]]"}


def answered(call_id: str) -> list[dict[str, Any]]:
    call = {"id": call_id, "type": "function", "function": {"name": "ask_user", "arguments": "{}"}}
    asking = {"role": "assistant", "content": "", "tool_calls": [call]}
    return [asking, {"role": "tool", "tool_call_id": call_id, "name": "ask_user", "content": "{}"}]


async def play(model: ScriptedModel, *messages: dict[str, Any]) -> tuple[Turn, list[TextDelta | StartOver]]:
    *pieces, turn = [item async for item in model.stream(ModelRequest(messages))]
    assert isinstance(turn, Turn)
    return turn, [piece for piece in pieces if not isinstance(piece, Turn)]


async def test_steps_follow_the_answers() -> None:
    model = ScriptedModel(TWO_STEPS)
    first, pieces = await play(model, USER)
    assert "".join(piece.text for piece in pieces if isinstance(piece, TextDelta)) == first.text == "One moment, please."
    assert [(call.id, call.name, call.arguments) for call in first.calls] == [("k-c1", "ask_user", '{"title":"Wohin – ä?"}')]
    assert (await play(model, USER))[0] == first
    assert (await play(model, USER, *answered("k-c1")))[0].text == "Done."


async def test_answers_that_were_seen_once_count_after_folding() -> None:
    model = ScriptedModel(TWO_STEPS)
    await play(model, USER, *answered("k-c1"))
    assert (await play(model, USER))[0].text == "Done."


async def test_keys_tell_conversations_apart() -> None:
    model = ScriptedModel(TWO_STEPS)
    await play(model, USER, *answered("k-c1"))
    assert (await play(model, {"role": "user", "content": "[[s#other]]"}))[0].calls[0].id == "other-c1"


async def test_last_tag_counts() -> None:
    model = ScriptedModel({**TWO_STEPS, "t": [{"text": "T."}]})
    messages = [USER, {"role": "assistant", "content": "x"}, {"role": "user", "content": "[[s#k]] [[t#k2]]"}]
    assert (await play(model, *messages))[0].text == "T."


async def test_default_script_begins_with_each_message() -> None:
    model = ScriptedModel({"default": TWO_STEPS["s"]})
    hello = {"role": "user", "content": "hello"}
    assert (await play(model, hello))[0].calls[0].id == "c1"
    run = [hello, *answered("c1")]
    assert (await play(model, *run))[0].text == "Done."
    assert (await play(model, *run, {"role": "assistant", "content": "Done."}, hello))[0].calls


async def test_script_that_is_over_or_unknown_says_so() -> None:
    model = ScriptedModel({"s": [{"calls": [ASK]}]})
    assert "over" in (await play(model, USER, *answered("k-c1")))[0].text
    assert "no script named x" in (await play(model, {"role": "user", "content": "[[x#k]]"}))[0].text


async def test_sequence_gives_a_variant_for_each_request() -> None:
    model = ScriptedModel({"s": [{"sequence": [{"text": "Half", "finish": "length"}, {"text": "whole."}]}]})
    turns = [(await play(model, USER))[0] for _ in range(3)]
    assert [(turn.text, turn.finish) for turn in turns] == [("Half", "length"), ("whole.", "stop"), ("whole.", "stop")]


async def test_missing_expectation_is_said() -> None:
    model = ScriptedModel({"s": [{"text": "x", "expect": ["go", "nowhere"]}]})
    assert (await play(model, USER))[0].text == "EXPECTATION FAILED: ['nowhere']"


async def test_scripted_refusal_is_an_error_so_often() -> None:
    model = ScriptedModel({"s": [{"text": "Fine.", "fault": {"kind": "status", "status": 401, "times": 1}}]})
    with pytest.raises(ModelError) as error:
        await play(model, USER)
    assert (error.value.code, error.value.retryable) == ("model_denied", False)
    assert (await play(model, USER))[0].text == "Fine."


async def test_scripted_cut_starts_over() -> None:
    model = ScriptedModel({"s": [{"text": "x" * 40, "fault": {"kind": "cut"}}]})
    _, pieces = await play(model, USER)
    assert sum(isinstance(piece, StartOver) for piece in pieces) == 1
    assert len((await play(model, USER))[1]) == 4


async def test_broken_arguments_are_marked_as_the_adapter_does() -> None:
    model = ScriptedModel({"s": [{"calls": [{**ASK, "arguments": '{"title": '}]}]})
    (call,) = (await play(model, USER))[0].calls
    assert (call.arguments, call.extras) == ("{}", {INVALID_ARGUMENTS: True})


async def test_requests_are_kept_as_they_were() -> None:
    model, messages = ScriptedModel({"s": [{"text": "x"}]}, keep_requests=True), [USER]
    async for _ in model.stream(ModelRequest(messages)):
        messages.append({"role": "user", "content": "later"})
    assert list(model.requests[0].messages) == [USER]


async def test_h45_broken_history_is_refused() -> None:
    with pytest.raises(BrokenHistory):
        await play(ScriptedModel(TWO_STEPS), USER, answered("k-c1")[0])


@pytest.mark.parametrize("content", ["", "{", "3", '{"s": {}}', '{"s": [1]}', '"x"'])
def test_files_without_scripts_are_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(content)
    with pytest.raises(ScriptError):
        read_scenarios(path)


def test_list_of_steps_is_the_default_script(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(TWO_STEPS["s"], ensure_ascii=False), encoding="utf-8")
    assert read_scenarios(path) == {"default": TWO_STEPS["s"]}
