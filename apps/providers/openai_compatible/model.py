"""A model behind an OpenAI-compatible address: asks, asks again where that helps, and gives one turn."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import Any

from apps.agent.messages import Turn
from apps.agent.model import ModelRequest, StartOver, TextDelta
from apps.providers.openai_compatible.body import extra_fields, request_body
from apps.providers.openai_compatible.connections import Connections
from apps.providers.openai_compatible.failures import Failure, model_error
from apps.providers.openai_compatible.frames import FrameParser
from apps.providers.openai_compatible.history import check_history
from apps.providers.openai_compatible.quirks import Quirks, learned
from apps.providers.openai_compatible.turns import TurnBuilder

MOST_TRIES = 5
PAUSES_SECONDS = (0.2, 0.5, 1.0, 2.0)
PATIENCE_SECONDS = 600.0
"""After this long no further try begins, however few there were."""
SILENCE_SECONDS = 300.0
"""Reasoning models may be silent for minutes before their first word."""
USAGE_SECONDS, DRAIN_SECONDS = 5.0, 0.2

Sleep = Callable[[float], Awaitable[None]]


class OpenAICompatibleModel:
    """Implements `apps.agent.model.Model`. One object serves any number of requests, on any number of event loops.

    `quirks` is what is known beforehand of the provider; more is learnt from its refusals.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str,
        api_key: str = "",
        *,
        quirks: Quirks | None = None,
        silence_seconds: float = SILENCE_SECONDS,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self.name = f"openai:{model_name}"
        self._model_name = model_name
        self._quirks = quirks or Quirks()
        self._connections = Connections(base_url, api_key, silence_seconds)
        self._sleep = sleep

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TextDelta | StartOver | Turn]:
        """Yield pieces of text, StartOver before they come again, and at last the turn.

        Raises ModelError, and BrokenHistory (a fault of the program) before anything is sent.
        """
        check_history(request.messages)
        tries = _Tries(self._sleep, request.language)
        quirks, streamed = self._quirks, self._quirks.streaming
        while True:
            builder = TurnBuilder([tool["function"]["name"] for tool in request.tools])
            failure, shown = None, False
            body = request_body(self._model_name, request, quirks, streamed=streamed)
            try:
                async with aclosing(self._answer(body, builder)) as pieces:
                    async for text in pieces:
                        shown = True
                        yield TextDelta(text)
            except Failure as caught:
                # Dealt with below: an error raised in here would carry the failure, and with it words of the answer.
                failure = caught
            if failure is None:
                yield builder.turn()
                return
            if shown:
                yield StartOver()
            if not self._learn(failure, request, body, quirks):
                await tries.again(failure)
            # What is empty when streamed is asked for once in one piece.
            quirks, streamed = self._quirks, self._quirks.streaming and not (failure.empty and streamed)

    async def close(self) -> None:
        """Close the running event loop's connections."""
        await self._connections.close()

    async def _answer(self, body: dict[str, Any], builder: TurnBuilder) -> AsyncGenerator[str]:
        """Send the request once; feed the builder, yield the text. Raises Failure."""
        transport = await self._connections.transport()
        parser = FrameParser()
        async with transport.answer(body) as pieces:
            async for piece in pieces:
                for frame in parser.feed(piece):
                    if text := builder.feed(frame):
                        yield text
                if builder.is_finished or parser.done:
                    break
            await _read_rest(pieces, parser, builder)
        for frame in parser.finish():
            if text := builder.feed(frame):
                yield text
        _check_whole(parser, builder)

    def _learn(self, failure: Failure, request: ModelRequest, body: dict[str, Any], quirks: Quirks) -> bool:
        """Say whether there is another way to ask: the refusal of `body` taught it, or another request's meanwhile."""
        if failure.refusal and self._quirks == quirks:
            fields = extra_fields(request.messages) - quirks.refused_fields
            self._quirks = learned(quirks, failure.refusal, body, fields)
        return bool(failure.refusal) and self._quirks != quirks


class _Tries:
    """Counts the tries of one request and waits between them."""

    def __init__(self, sleep: Sleep, language: str) -> None:
        self._sleep, self._language = sleep, language
        self._failed = 0
        self._began = time.monotonic()

    async def again(self, failure: Failure) -> None:
        """Wait until the next try; raise ModelError if there is none."""
        self._failed += 1
        late = time.monotonic() - self._began > PATIENCE_SECONDS
        if not failure.again or self._failed >= MOST_TRIES or late:
            raise model_error(failure.code, self._language)
        pause = PAUSES_SECONDS[self._failed - 1] * random.uniform(0.75, 1.25)
        await self._sleep(pause if failure.wait_seconds is None else failure.wait_seconds)


async def _read_rest(pieces: AsyncGenerator[bytes], parser: FrameParser, builder: TurnBuilder) -> None:
    """Read on after the turn's end: the usage comes last, and a connection read to its end can be used again.

    The turn stands already, so neither silence nor a cut is a failure here.
    """
    try:
        async with asyncio.timeout(DRAIN_SECONDS if parser.done else USAGE_SECONDS) as limit:
            async for piece in pieces:
                for frame in parser.feed(piece):
                    builder.feed(frame)
                if parser.done:
                    limit.reschedule(asyncio.get_running_loop().time() + DRAIN_SECONDS)
    except (TimeoutError, Failure):
        return


def _check_whole(parser: FrameParser, builder: TurnBuilder) -> None:
    """Raise Failure unless the answer is a whole turn: half a sentence is never taken for the whole."""
    if builder.is_finished or (parser.done and builder.could_be_whole):
        return
    if parser.is_empty:
        raise Failure("model_interrupted", empty=True)
    raise Failure("model_interrupted" if builder.has_begun else "model_protocol")
