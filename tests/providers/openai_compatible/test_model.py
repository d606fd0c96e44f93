"""The adapter against a real server over HTTP: what servers really send, and how often it asks again."""

import asyncio
import json
import logging
from typing import Any

import pytest

from apps.agent.messages import Turn
from apps.agent.model import ModelError, ModelRequest, StartOver, TextDelta
from apps.providers.openai_compatible import OpenAICompatibleModel
from apps.providers.openai_compatible.history import BrokenHistory
from apps.providers.openai_compatible.model import MOST_TRIES
from tests.providers.conftest import ASK_TOOLS, Hear, Pauses
from tests.support.model_server import ModelServer

ASK = {"id": "c1", "name": "ask_user", "arguments": {"title": "Which way?"}}
LONG = "This sentence is long enough to be torn in the middle, right here."


def frames(*choices: dict[str, Any], done: bool = True) -> list[str]:
    sent = [f"data: {json.dumps({'choices': [{'index': 0, **choice}]}, ensure_ascii=False)}\n\n" for choice in choices]
    return [*sent, "data: [DONE]\n\n"] if done else sent


def fault(kind: str, **fields: Any) -> dict[str, Any]:
    return {"fault": {"kind": kind, **fields}}


async def test_text_comes_in_pieces_and_then_as_a_turn(hear: Hear, server: ModelServer) -> None:
    heard = await hear({"text": LONG})
    assert len(heard.pieces) > 3
    assert heard.turn == Turn(LONG, input_tokens=11, output_tokens=7)
    assert heard.text == LONG


async def test_key_model_name_and_options_are_sent(hear: Hear, server: ModelServer) -> None:
    await hear({"text": "x"}, temperature=0.25, max_tokens=321)
    (request,) = server.requests("k")
    body = request["body"]
    assert request["headers"]["Authorization"] == "Bearer test-key"
    assert (body["model"], body["temperature"], body["max_tokens"], body["tools"]) == ("scripted", 0.25, 321, ASK_TOOLS)


async def test_only_the_key_of_the_settings_is_sent(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "of-the-environment")
    name = server.add({"text": "x"})
    model = OpenAICompatibleModel("m", server.base_url)
    assert [item async for item in model.stream(ModelRequest([{"role": "user", "content": f"[[{name}#k]]"}]))]
    assert "of-the-environment" not in str(server.requests("k")[0]["headers"])


async def test_call_is_assembled_from_a_stream(hear: Hear) -> None:
    (call,) = (await hear({"text": "Well.", "calls": [ASK]})).turn.calls
    assert (call.id, call.name, json.loads(call.arguments)) == ("k-c1", "ask_user", ASK["arguments"])


async def test_h41_interleaved_calls_over_http(hear: Hear) -> None:
    def piece(index: int, arguments: str, **head: str) -> dict[str, Any]:
        function = {"arguments": arguments} | ({"name": head.pop("name")} if "name" in head else {})
        return {"tool_calls": [{"index": index, "function": function, **head}]}

    deltas = [piece(0, "", id="A", name="ask_user"), piece(1, '{"q":', id="B", name="lookup"), piece(0, "{}"), piece(1, '"x"}')]
    turn = (await hear({"deltas": deltas})).turn
    assert [(call.id, call.arguments) for call in turn.calls] == [("A", "{}"), ("B", '{"q":"x"}')]


async def test_frames_and_characters_cut_anywhere(hear: Hear) -> None:
    body = (
        "".join(frames({"delta": {"content": "ä🌍ö 世界"}}, {"delta": {}, "finish_reason": "stop"}))
        .replace("\n", "\r\n")
        .encode()
    )
    heard = await hear({"raw_frames": [b": ping\r\n\r\n", *(body[n : n + 7] for n in range(0, len(body), 7))]})
    assert heard.turn.text == heard.text == "ä🌍ö 世界"


async def test_empty_stream_is_asked_for_in_one_piece(hear: Hear, server: ModelServer) -> None:
    heard = await hear({"text": "Whole.", "calls": [ASK], **fault("empty")})
    assert (heard.turn.text, heard.text, len(heard.turn.calls)) == ("Whole.", "Whole.", 1)
    assert [request["body"].get("stream") for request in server.requests("k")] == [True, None]


async def test_empty_turn_is_a_turn(hear: Hear, server: ModelServer) -> None:
    assert (await hear({"text": ""})).turn == Turn("", input_tokens=11, output_tokens=7)
    assert len(server.requests("k")) == 1


@pytest.mark.parametrize("calls", [[], [ASK]])
async def test_cut_stream_starts_over(hear: Hear, server: ModelServer, calls: list[dict[str, Any]]) -> None:
    heard = await hear({"text": LONG, "calls": calls, **fault("cut")})
    assert heard.text == heard.turn.text == LONG
    assert heard.pieces.count(StartOver()) <= 1
    assert heard.pieces.index(TextDelta(LONG[:12]), 1) == heard.pieces.index(StartOver()) + 1
    assert len(server.requests("k")) == 2
    assert len(heard.turn.calls) == len(calls)


async def test_stream_without_a_finish_is_not_taken_for_whole(hear: Hear, server: ModelServer) -> None:
    half = frames({"delta": {"content": "Half a sen"}}, done=False)
    heard = await hear({"sequence": [{"raw_frames": half}, {"text": "Half a sentence."}]})
    assert heard.text == heard.turn.text == "Half a sentence."
    assert len(server.requests("k")) == 2


async def test_stream_that_says_done_without_a_reason_is_whole(hear: Hear, server: ModelServer) -> None:
    assert (await hear({"raw_frames": frames({"delta": {"content": "Whole."}})})).turn.text == "Whole."
    assert len(server.requests("k")) == 1


async def test_half_a_call_is_not_whole_even_if_the_stream_says_done(hear: Hear, server: ModelServer) -> None:
    function = {"name": "ask_user", "arguments": '{"title": "Whi'}
    half = frames({"delta": {"tool_calls": [{"index": 0, "id": "A", "function": function}]}})
    turn = (await hear({"sequence": [{"raw_frames": half}, {"calls": [ASK]}]})).turn
    assert [json.loads(call.arguments) for call in turn.calls] == [ASK["arguments"]]


async def test_whole_document_in_place_of_a_stream(hear: Hear) -> None:
    document = json.dumps({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]}, indent=1)
    assert (await hear({"raw_frames": [document]})).text == "Hi"


async def test_h43_h44_extras_survive_the_round_trip(hear: Hear, server: ModelServer) -> None:
    own = {"item_id": "fc_9", "extra_content": {"google": {"thought_signature": "c2ln"}}}
    deltas = [
        {"role": "assistant", "reasoning_content": "let me "},
        {"reasoning_content": "think"},
        {"tool_calls": [{"index": 0, "id": "A", "function": {"name": "ask_user", "arguments": "{}"}, **own}]},
    ]
    turn = (await hear({"deltas": deltas})).turn
    (call,) = turn.calls
    asked = {"id": call.id, "function": {"name": call.name, "arguments": call.arguments}, "extras": dict(call.extras)}
    stored = json.loads(json.dumps({"role": "assistant", "content": "", "tool_calls": [asked], "extras": dict(turn.extras)}))
    await hear({"text": "Done."}, after=[stored, {"role": "tool", "tool_call_id": "A", "name": "ask_user", "content": "{}"}])
    sent = server.requests("k")[-1]["body"]["messages"][1]
    assert sent["reasoning_content"] == "let me think"
    assert {name: sent["tool_calls"][0][name] for name in own} == own


async def test_h43_field_that_is_refused_is_left_out_from_then_on(hear: Hear, server: ModelServer) -> None:
    server.refuse = lambda body: "Unknown parameter: reasoning_content" if "reasoning_content" in str(body["messages"]) else ""
    call = {"id": "A", "function": {"name": "ask_user", "arguments": "{}"}}
    asking = {"role": "assistant", "content": "", "tool_calls": [call], "extras": {"reasoning_content": "hm"}}
    result = {"role": "tool", "tool_call_id": "A", "name": "ask_user", "content": "{}"}
    for requests in (2, 3):
        assert (await hear({"text": "Yes."}, after=[asking, result])).turn.text == "Yes."
        assert len(server.requests("k")) == requests


@pytest.mark.parametrize(
    ("option", "words", "kept"),
    [
        ("stream_options", "Unrecognized request argument: stream_options", {"stream", "tools", "temperature", "max_tokens"}),
        ("max_tokens", "Unsupported parameter: max_tokens. Use max_completion_tokens", {"max_completion_tokens", "tools"}),
        ("temperature", "temperature is not supported", {"stream", "tools", "max_tokens"}),
        ("tools", "this model does not support tools", {"stream", "temperature", "max_tokens"}),
        ("stream", "streaming is not supported", {"tools", "temperature", "max_tokens"}),
    ],
)
async def test_refused_option_is_left_out_from_then_on(
    hear: Hear, server: ModelServer, option: str, words: str, kept: set[str]
) -> None:
    server.refuse = lambda body: words if option in body else ""
    for requests in (2, 3):
        assert (await hear({"text": "Yes."}, temperature=0.5, max_tokens=9)).turn.text == "Yes."
        assert len(server.requests("k")) == requests
    sent = set(server.requests("k")[-1]["body"])
    assert option not in sent
    assert kept <= sent


async def test_several_refusals_are_learnt_one_after_the_other(hear: Hear, server: ModelServer, pauses: Pauses) -> None:
    refused = ["stream_options", "temperature", "max_tokens", "max_completion_tokens", "tools"]
    server.refuse = lambda body: next((f"unsupported: {name}" for name in refused if name in body), "")
    assert (await hear({"text": "Yes."}, temperature=0.5, max_tokens=9)).turn.text == "Yes."
    assert len(server.requests("k")) == len(refused) + 1
    assert pauses.seconds == []


async def test_temporary_refusals_are_asked_again_as_often_as_needed(hear: Hear, server: ModelServer, pauses: Pauses) -> None:
    assert (await hear({"text": "Fine.", **fault("status", status=429, times=2, retry_after=7)})).turn.text == "Fine."
    assert len(server.requests("k")) == 3
    assert pauses.seconds == [7, 7]


@pytest.mark.parametrize(
    ("step", "code"),
    [
        (fault("status", status=500, times=99), "model_unavailable"),
        (fault("status", status=429, times=99), "model_rate_limited"),
        ({"text": LONG, **fault("cut", times=99)}, "model_interrupted"),
        ({"raw_frames": []}, "model_interrupted"),
        ({"raw_frames": ["<html>Sign in</html>"]}, "model_protocol"),
        ({"raw_frames": frames({"finish_reason": "error"})}, "model_unavailable"),
    ],
)
async def test_lasting_faults_end_in_a_retryable_error(
    hear: Hear, server: ModelServer, pauses: Pauses, step: dict[str, Any], code: str
) -> None:
    with pytest.raises(ModelError) as error:
        await hear(step)
    assert (error.value.code, error.value.retryable) == (code, True)
    assert len(server.requests("k")) == MOST_TRIES
    assert sum(pauses.seconds) < 6


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "model_refused_request"),
        (401, "model_denied"),
        (403, "model_denied"),
        (404, "model_not_found"),
        (422, "model_refused_request"),
    ],
)
async def test_lasting_refusals_end_at_once(hear: Hear, server: ModelServer, status: int, code: str) -> None:
    with pytest.raises(ModelError) as error:
        await hear(fault("status", status=status, times=99, message="key sk-secret of http://inside:9/v1 said no"))
    assert (error.value.code, error.value.retryable) == (code, False)
    assert len(server.requests("k")) == 1
    assert "secret" not in error.value.message
    assert "inside" not in error.value.message
    assert error.value.__cause__ is None
    assert error.value.__context__ is None


async def test_wait_longer_than_a_minute_ends_the_tries(hear: Hear, server: ModelServer, pauses: Pauses) -> None:
    with pytest.raises(ModelError) as error:
        await hear(fault("status", status=429, times=9, retry_after=3600))
    assert (error.value.code, error.value.retryable, pauses.seconds) == ("model_rate_limited", True, [])


async def test_unreachable_server_is_unavailable(pauses: Pauses) -> None:
    model = OpenAICompatibleModel("m", "http://127.0.0.1:9/v1", sleep=pauses)
    with pytest.raises(ModelError, match="cannot be reached") as error:
        await anext(aiter(model.stream(ModelRequest([{"role": "user", "content": "x"}]))))
    assert (error.value.code, error.value.retryable, len(pauses.seconds)) == ("model_unavailable", True, MOST_TRIES - 1)


async def test_silent_server_times_out(server: ModelServer, pauses: Pauses) -> None:
    model = OpenAICompatibleModel("m", server.base_url, sleep=pauses, silence_seconds=0.05)
    name = server.add({"text": "late", **fault("hang", times=99)})
    with pytest.raises(ModelError) as error:
        await anext(aiter(model.stream(ModelRequest([{"role": "user", "content": f"[[{name}#k]]"}], language="zh"))))
    assert (error.value.code, error.value.retryable) == ("model_timeout", True)
    assert not error.value.message.isascii()


async def test_h45_broken_history_is_never_sent(hear: Hear, server: ModelServer) -> None:
    call = {"id": "A", "function": {"name": "ask_user", "arguments": "{}"}}
    with pytest.raises(BrokenHistory, match="call 'A' has no result"):
        await hear(
            {"text": "x"}, after=[{"role": "assistant", "content": "", "tool_calls": [call]}, {"role": "user", "content": "?"}]
        )
    assert server.requests() == []


async def begun(
    model: OpenAICompatibleModel, server: ModelServer, step: dict[str, Any]
) -> tuple["asyncio.Task[None]", asyncio.Event]:
    """Start to read an answer in a task; return it and the event of the first piece."""
    first = asyncio.Event()

    async def read() -> None:
        async for _ in model.stream(ModelRequest([{"role": "user", "content": f"[[{server.add(step)}#k]]"}])):
            first.set()

    task = asyncio.create_task(read())
    await asyncio.to_thread(server.wait_for, "k")
    return task, first


@pytest.mark.parametrize("step", [{"text": LONG, "gate_at": 3}, fault("hang")])
async def test_cancelling_closes_the_connection(
    adapter: OpenAICompatibleModel, server: ModelServer, step: dict[str, Any]
) -> None:
    task, first = await begun(adapter, server, step)
    if "text" in step:
        await first.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.to_thread(server.wait_until_closed, "k")


async def test_leaving_the_iteration_closes_the_connection(adapter: OpenAICompatibleModel, server: ModelServer) -> None:
    name = server.add({"text": LONG, "gate_at": 3})
    stream = adapter.stream(ModelRequest([{"role": "user", "content": f"[[{name}#k]]"}]))
    await anext(stream)
    await stream.aclose()
    await asyncio.to_thread(server.wait_until_closed, "k")


async def test_many_requests_at_once_keep_their_answers_apart(adapter: OpenAICompatibleModel, server: ModelServer) -> None:
    async def ask(number: int) -> str:
        name = server.add({"text": f"{LONG} {number}"})
        async for item in adapter.stream(ModelRequest([{"role": "user", "content": f"[[{name}#n{number}]]"}])):
            if isinstance(item, Turn):
                return item.text
        raise AssertionError("no turn")

    assert await asyncio.gather(*map(ask, range(30))) == [f"{LONG} {number}" for number in range(30)]


async def test_neither_texts_nor_key_reach_the_log(hear: Hear, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        await hear({"text": "Private words.", **fault("status", status=500, message="Private error")})
    assert "Private" not in caplog.text
    assert "test-key" not in caplog.text
