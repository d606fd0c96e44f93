"""Connections belong to one event loop and end with it."""

import asyncio
import gc
import subprocess
import sys

from apps.agent.messages import Turn
from apps.agent.model import ModelRequest
from apps.providers.openai_compatible import OpenAICompatibleModel
from tests.support.model_server import ModelServer


async def ask(model: OpenAICompatibleModel, text: str) -> str:
    async for item in model.stream(ModelRequest([{"role": "user", "content": text}])):
        if isinstance(item, Turn):
            return item.text
    raise AssertionError("no turn")


def test_one_model_serves_many_loops(server: ModelServer) -> None:
    model = OpenAICompatibleModel("scripted", server.base_url)
    name = server.add({"text": "Hello."})
    for number in range(3):
        assert asyncio.run(ask(model, f"[[{name}#k{number}]]")) == "Hello."
    # An unclosed socket warns when it is collected, and warnings are errors here.
    gc.collect()
    assert not model._connections._open


def test_requests_that_begin_at_once_share_the_connections(server: ModelServer) -> None:
    model = OpenAICompatibleModel("scripted", server.base_url)
    name = server.add({"text": "Hello."})

    async def main() -> None:
        await asyncio.gather(*(ask(model, f"[[{name}#k{number}]]") for number in range(5)))
        assert len({id(await model._connections.transport()) for _ in range(3)}) == 1

    asyncio.run(main())


def test_closing_twice_and_unused_is_fine() -> None:
    async def main() -> None:
        model = OpenAICompatibleModel("m", "http://127.0.0.1:9/v1")
        await model.close()
        await model._connections.transport()
        await model.close()
        await model.close()

    asyncio.run(main())


def test_the_sdk_is_imported_late() -> None:
    program = "import sys, apps.providers.openai_compatible; sys.exit('openai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
