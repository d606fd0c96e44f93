"""The computation without a process around it, and a conversation with the model."""

import json
from collections.abc import Sequence
from typing import Any

from apps.agent.messages import Turn
from apps.agent.model import ModelRequest
from apps.providers.builtin import BuiltinModel

ASK = {"type": "function", "function": {"name": "ask_user", "description": "", "parameters": {"type": "object"}}}


async def compute_here(job: dict[str, Any], *, seconds: float = 0) -> dict[str, Any]:
    """Do what the worker would do, through JSON as over the pipe."""
    from apps.providers.builtin.maths.worker import run

    result: dict[str, Any] = json.loads(json.dumps(run(json.loads(json.dumps(job)))))
    return result


class HerePool:
    """Stands for the pool of workers; counts the jobs."""

    def __init__(self) -> None:
        self.jobs: list[dict[str, Any]] = []

    async def compute(self, job: dict[str, Any], *, seconds: float) -> dict[str, Any]:
        self.jobs.append(job)
        return await compute_here(job)


class Talk:
    """A conversation with the model: what the user writes and answers, and the turns that come."""

    def __init__(self, model: BuiltinModel, language: str = "en") -> None:
        self.model, self.language = model, language
        self.tools: Sequence[dict[str, Any]] = (ASK,)
        self.messages: list[dict[str, Any]] = [{"role": "system", "content": "You are an agent."}]

    async def turn(self) -> Turn:
        """Have the model make a turn; keep it in the messages."""
        request = ModelRequest(self.messages, self.tools, language=self.language)
        pieces = [piece async for piece in self.model.stream(request)]
        turn = pieces.pop()
        assert isinstance(turn, Turn)
        assert "".join(piece.text for piece in pieces) == turn.text
        message: dict[str, Any] = {"role": "assistant", "content": turn.text}
        if turn.calls:
            call = turn.calls[0]
            function = {"name": call.name, "arguments": call.arguments}
            message["tool_calls"] = [{"id": f"call_{len(self.messages)}", "type": "function", "function": function}]
        self.messages.append(message)
        return turn

    async def say(self, text: str) -> Turn:
        """Write a message and get a turn."""
        self.messages.append({"role": "user", "content": text})
        return await self.turn()

    async def answer(self, *selections: str, text: str = "") -> Turn:
        """Answer the open card and get a turn."""
        result = {"status": "answered", "selections": selections, "customInput": text, "cancelled": False, "answeredBy": "user"}
        return await self.close(result)

    async def close(self, result: dict[str, Any]) -> Turn:
        """Close the open card with any result and get a turn."""
        self.result(result)
        return await self.turn()

    def result(self, result: dict[str, Any]) -> None:
        """Put the result of the open card into the messages."""
        (call,) = self.messages[-1]["tool_calls"]
        content = json.dumps(result, ensure_ascii=False)
        self.messages.append({"role": "tool", "tool_call_id": call["id"], "name": "ask_user", "content": content})


def card_of(turn: Turn) -> dict[str, Any]:
    """Return the arguments of the turn's one question."""
    (call,) = turn.calls
    card: dict[str, Any] = json.loads(call.arguments)
    return card


def options_of(turn: Turn) -> list[str]:
    """Return the option ids of the turn's one question."""
    return [option["id"] for option in card_of(turn)["options"]]
