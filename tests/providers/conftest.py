"""A model server and an adapter that does not really wait."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import settings

from apps.agent.messages import Turn
from apps.agent.model import ModelRequest, StartOver, TextDelta
from apps.providers.openai_compatible import OpenAICompatibleModel
from tests.support.model_server import ModelServer

# A busy machine is no failure: examples are bounded by number, not by time.
settings.register_profile("without deadline", deadline=None)
settings.load_profile("without deadline")

TITLE = {"title": {"type": "string", "description": "Title."}}
ASK_TOOLS = [
    {"type": "function", "function": {"name": name, "description": name, "parameters": {"type": "object", "properties": TITLE}}}
    for name in ("ask_user", "ask_user_question", "lookup")
]


@dataclass
class Heard:
    """What a stream gave: the pieces, and at last the turn."""

    pieces: list[TextDelta | StartOver] = field(default_factory=list)
    turn: Turn = field(default_factory=lambda: Turn(""))

    @property
    def text(self) -> str:
        """Return the text as an interface shows it at the end: pieces joined, emptied by each StartOver."""
        shown = ""
        for piece in self.pieces:
            shown = "" if isinstance(piece, StartOver) else shown + piece.text
        return shown


@dataclass
class Pauses:
    """Stands in for sleep: notes how long was to be waited."""

    seconds: list[float] = field(default_factory=list)

    async def __call__(self, seconds: float) -> None:
        """Return at once."""
        self.seconds.append(seconds)


Hear = Callable[..., Awaitable[Heard]]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A strict model server; a test that breaks its rules without saying so fails."""
    with ModelServer() as running:
        yield running
        assert running.problems == []


@pytest.fixture
def pauses() -> Pauses:
    """The pauses between tries."""
    return Pauses()


@pytest.fixture
async def adapter(server: ModelServer, pauses: Pauses) -> AsyncIterator[OpenAICompatibleModel]:
    """The adapter, pointed at the server."""
    model = OpenAICompatibleModel("scripted", server.base_url, "test-key", sleep=pauses, silence_seconds=5)
    yield model
    await model.close()


@pytest.fixture
def hear(server: ModelServer, adapter: OpenAICompatibleModel) -> Hear:
    """Play steps as one conversation with the key ``k`` and return what the adapter gave."""

    async def play(*steps: dict[str, Any], after: Sequence[dict[str, Any]] = (), **options: Any) -> Heard:
        messages = [{"role": "user", "content": f"[[{server.add(*steps)}#k]]"}, *after]
        heard = Heard()
        async for item in adapter.stream(ModelRequest(messages, options.pop("tools", ASK_TOOLS), **options)):
            if isinstance(item, Turn):
                heard.turn = item
            else:
                heard.pieces.append(item)
        return heard

    return play
