"""The scripted server is as strict as it says, and tells what it saw."""

import asyncio

import httpx
import pytest

from tests.support.model_server import ModelServer


@pytest.fixture
def strict() -> ModelServer:
    """A server whose problems are the point."""
    return ModelServer({"s": [{"text": "Hi."}]})


def test_broken_history_is_refused_and_kept(strict: ModelServer) -> None:
    messages = [{"role": "user", "content": "[[s#k]]"}, {"role": "tool", "tool_call_id": "a", "content": "{}"}]
    with strict as server:
        answer = httpx.post(f"{server.base_url}/chat/completions", json={"model": "m", "messages": messages})
        assert answer.status_code == 400
        assert "answers no call" in answer.json()["error"]["message"]
        assert len(server.problems) == 1


def test_good_request_is_answered_in_one_piece(strict: ModelServer) -> None:
    body = {"model": "m", "messages": [{"role": "user", "content": "[[s#k]]"}]}
    with strict as server:
        answer = httpx.post(f"{server.base_url}/chat/completions", json=body).json()
        assert answer["choices"][0] == {"index": 0, "message": {"role": "assistant", "content": "Hi."}, "finish_reason": "stop"}
        assert server.requests("k")[0]["body"] == body


async def test_gate_holds_the_answer_until_it_is_released(server: ModelServer) -> None:
    body = {
        "model": "m",
        "stream": True,
        "messages": [{"role": "user", "content": f"[[{server.add({'text': 'Hi.', 'gate_at': 1})}#k]]"}],
    }
    async with httpx.AsyncClient() as client:
        request = asyncio.create_task(client.post(f"{server.base_url}/chat/completions", json=body))
        await asyncio.to_thread(server.wait_for, "k")
        await asyncio.sleep(0.05)
        assert not request.done()
        server.release("k")
        assert "[DONE]" in (await request).text


def test_request_that_never_comes_is_an_assertion(server: ModelServer) -> None:
    with pytest.raises(AssertionError, match="0 of 1 requests for k came"):
        server.wait_for("k", seconds=0.01)
