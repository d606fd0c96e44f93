"""Hints between processes, over a real Redis."""

import asyncio
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from channels_redis.pubsub import RedisPubSubChannelLayer
from pytest_django import Settings

from apps.events import hints, relay
from apps.events.hints import Hint
from tests.events.ears import Ear

pytestmark = [pytest.mark.redis, pytest.mark.usefixtures("no_net")]


class Redis:
    """A Redis server of these tests' own."""

    def __init__(self, folder: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}"
        self._command = ["redis-server", "--port", str(self._port), "--save", "", "--dir", str(folder)]
        self.start()

    def start(self) -> None:
        """Start it and wait until it takes connections."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while not self._answers():
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def stop(self) -> None:
        """End it."""
        self._process.terminate()
        self._process.wait()

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self._port)).close()
        except OSError:
            return False
        return True


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    server = Redis(Path(tmp_path_factory.mktemp("redis")))
    yield server
    server.stop()


@pytest.fixture
def redis(redis_server: Redis, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Redis]:
    settings.REDIS_URL = redis_server.url
    layer = {"BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer", "CONFIG": {"hosts": [settings.REDIS_URL]}}
    settings.CHANNEL_LAYERS = {"default": layer}
    monkeypatch.setattr(relay, "RETRY_SECONDS", 0.05)
    yield redis_server
    started = relay.start()
    assert started is not None
    started.stop()


@asynccontextmanager
async def other_process(redis: Redis) -> AsyncIterator[RedisPubSubChannelLayer]:
    """Yield a channel layer that has nothing in common with that of this process."""
    layer = RedisPubSubChannelLayer(hosts=[redis.url])
    yield layer
    await layer.flush()


async def until_heard(ear: Ear, layer: RedisPubSubChannelLayer, note: str = "") -> None:
    """Send from elsewhere until it is heard: a relay that has just begun may not have joined the group yet."""
    message = {"type": "hint", "from": "another process", "topic": ear.subscription.topic, "note": note}
    deadline = time.monotonic() + 5
    while not ear.heard:
        assert time.monotonic() < deadline, "never heard"
        await layer.group_send(relay.GROUP, message)
        await asyncio.sleep(0.05)


async def test_a_hint_of_another_process_is_heard_by_who_wants_its_topic(redis: Redis) -> None:
    ear, other_ear = Ear("session:7"), Ear("session:8")
    async with other_process(redis) as other:
        await until_heard(ear, other, "sess_7")
    assert ear.heard[0] == Hint("session:7", "sess_7")
    assert other_ear.heard == []


async def test_a_hint_of_this_process_reaches_others_with_ids_only(redis: Redis) -> None:
    async with other_process(redis) as other:
        channel = await other.new_channel()
        await other.group_add(relay.GROUP, channel)
        hints._publish(Hint("user:7", "sess_1"))
        received = await asyncio.wait_for(other.receive(channel), 3)
    assert received == {"type": "hint", "from": relay._PROCESS, "topic": "user:7", "note": "sess_1"}


async def test_a_hint_of_this_process_is_not_heard_twice(redis: Redis) -> None:
    ear = Ear("session:7")
    async with other_process(redis) as other:
        await until_heard(ear, other)
    await asyncio.sleep(0.1)
    ear.forget()
    hints._publish(Hint("session:7"))
    await asyncio.sleep(0.3)
    assert len(ear.heard) == 1


async def test_the_relay_hears_again_when_redis_has_come_back(redis: Redis) -> None:
    ear = Ear("queue")
    async with other_process(redis) as other:
        await until_heard(ear, other)
    redis.stop()
    hints._publish(Hint("queue"))
    await asyncio.sleep(0.1)
    ear.forget()
    redis.start()
    async with other_process(redis) as other:
        await until_heard(ear, other)
