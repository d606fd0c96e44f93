"""A single question to the model beside the run: no tools, no transcript; for tools that think."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from typing import Protocol, TypeGuard

from apps.agent.messages import Turn
from apps.agent.model import Model, ModelError, ModelRequest
from apps.agent.tools import Tool, Toolbox

Consult = Callable[[str, str], Awaitable[Turn]]
"""The system text and the question -> the model's turn. Raises ModelError. Cancelling it ends the request."""


class Consulting(Protocol):
    """A tool that asks the run's model; whoever drives the run lends it. It adds the tokens of its turns to its result."""

    def consulting(self, consult: Consult) -> Tool:
        """Return the tool with the model at hand."""
        ...


def lend(toolbox: Toolbox, model: Model, sampling: ModelRequest) -> Toolbox:
    """Return the toolbox with the run's model lent to the tools that ask it."""

    async def consult(system: str, question: str) -> Turn:
        messages = ({"role": "system", "content": system}, {"role": "user", "content": question})
        return await _answer(model, replace(sampling, messages=messages, tools=()))

    lent = {name: tool.consulting(consult) for name, tool in toolbox.tools.items() if _is_consulting(tool)}
    return replace(toolbox, tools={**toolbox.tools, **lent}) if lent else toolbox


def _is_consulting(tool: object) -> TypeGuard[Consulting]:
    return hasattr(tool, "consulting")


async def _answer(model: Model, request: ModelRequest) -> Turn:
    # Closed at once whatever happens: a request that nobody reads any more must not go on.
    async with aclosing(model.stream(request)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Turn):
                return piece
    raise ModelError("model_protocol", "The model's answer ended without a turn.", retryable=True)
