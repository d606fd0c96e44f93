"""Streams of a real daphne process; the events are written by another process, this one."""

import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from apps.accounts.models import User
from apps.chat.models import ChatSession
from config.handler import THREADS
from tests.api.stream.conftest import add_events, make_session, token_header
from tests.api.stream.server import Server
from tests.factories.accounts import UserFactory
from tests.support.sse import StreamClient

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.journey]

PER_USER = 20


@pytest.fixture(scope="module")
def server(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(Path(tmp_path_factory.mktemp("server")) / "log") as started:
        yield started


@pytest.fixture
def user(db: None) -> User:
    return UserFactory()


@pytest.fixture
def session(user: User) -> ChatSession:
    return make_session(user)


@pytest.fixture
def token(user: User) -> dict[str, str]:
    return token_header(user)


def path(session: ChatSession) -> str:
    return f"/api/sessions/{session.public_id}/events"


def ids(stream: StreamClient) -> list[str | None]:
    return [event.id for event in stream.events]


def test_h47_who_reconnects_gets_exactly_what_is_missing_before_and_after_a_restart(
    server: Server, session: ChatSession, token: dict[str, str]
) -> None:
    add_events(session, 7)
    for _ in range(2):
        with server.stream(path(session), token | {"Last-Event-ID": "4"}) as stream:
            stream.until(lambda event: event.id == "7")
            assert ids(stream) == ["5", "6", "7"]
        server.kill()
        server.start()
    with server.stream(path(session), token | {"Last-Event-ID": "7"}) as stream:
        add_events(session, 2)
        stream.until(lambda event: event.id == "9")
        assert ids(stream) == ["8", "9"]


def test_h50_readers_that_come_and_go_leave_nothing(server: Server, session: ChatSession, token: dict[str, str]) -> None:
    def come_and_go(times: int) -> dict[str, int]:
        for _ in range(times):
            with server.stream(path(session), token) as stream:
                stream.until_comments(1)
        return server.until(lambda counts: counts["slots"] == counts["topics"] == 0)

    before = come_and_go(5)
    come_and_go(50)
    names = ("tasks", "threads", "connections")
    server.until(lambda counts: all(counts[name] <= before[name] for name in names))


def test_h51_clients_that_reset_before_the_first_byte_take_no_place_for_ever(
    server: Server, session: ChatSession, token: dict[str, str]
) -> None:
    request = f"GET {path(session)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token['authorization']}\r\n\r\n"
    for _ in range(PER_USER + 5):
        StreamClient.reset_after(server.port, request.encode())
    deadline = time.monotonic() + 3
    while server.request(path(session), token | {"Accept": "text/event-stream"}) != 200:
        assert time.monotonic() < deadline
    server.until(lambda counts: counts["slots"] == 0)


def test_h52_connections_and_threads_do_not_grow_with_streams_and_requests(
    server: Server, session: ChatSession, token: dict[str, str]
) -> None:
    with ExitStack() as streams:
        for _ in range(PER_USER):
            streams.enter_context(server.stream(path(session), token)).until_comments(1)
        for _ in range(100):
            server.request("/api/sessions", token)
        counts = server.counts()
    assert counts["slots"] == PER_USER
    # Those of the pools: requests, streams, the runner; never one a stream or request.
    assert counts["connections"] <= THREADS + 4
    assert counts["threads"] <= THREADS + 10


def test_h53_a_silent_stream_is_never_compressed_and_shows_that_it_lives(
    server: Server, session: ChatSession, token: dict[str, str]
) -> None:
    with server.stream(path(session), token | {"Accept-Encoding": "gzip"}) as stream:
        stream.until_comments(1)
        stream.until_comments(3, 5)
        assert "content-encoding" not in stream.headers
        assert bytes(stream.raw).startswith(b":")


def test_h55_an_event_arrives_before_the_next_one_exists(server: Server, session: ChatSession, token: dict[str, str]) -> None:
    with server.stream(path(session), token) as stream:
        server.append(session.pk)
        stream.until(lambda event: event.id == "1", 1)
        time.sleep(2)
        assert ids(stream) == ["1"]
        server.append(session.pk)
        stream.until(lambda event: event.id == "2", 1)
    assert "must consume" not in server.log.read_text()


def test_a_stream_is_ended_when_its_token_is_revoked(server: Server, session: ChatSession, token: dict[str, str]) -> None:
    with server.stream(path(session), token) as stream:
        stream.until_comments(1)
        User.objects.filter(pk=session.user_id).update(is_active=False)
        stream.until_ended(4)


def test_the_server_stops_in_time_with_streams_open(server: Server, session: ChatSession, token: dict[str, str]) -> None:
    with server.stream(path(session), token) as stream:
        stream.until_comments(1)
        assert server.stop() < 5
        stream.until_ended(1)
    server.start()


def test_nothing_that_went_wrong_stands_in_the_log(server: Server) -> None:
    written = server.log.read_text()
    assert "Traceback" not in written
    assert "Exception" not in written
