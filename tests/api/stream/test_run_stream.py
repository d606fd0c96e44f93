"""POST with Accept: text/event-stream: Django acts, then the run is streamed until it rests."""

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from channels.db import database_sync_to_async as in_database
from django.db import transaction
from pytest_django import Settings

from apps.accounts.models import User
from apps.api.stream.switch import Switch
from apps.chat.models import ChatSession
from apps.events.log import NewEvent, append
from tests.api.stream.client import Exchange, exchange
from tests.api.stream.conftest import bearer, new_session, signed_in

pytestmark = pytest.mark.django_db(transaction=True)

EVENTS = {"accept": "text/event-stream"}


def event(kind: str, run: int = 3) -> NewEvent:
    facts = {"run_resumed": {"segment": 1}, "run_cancelled": {"reason": "user"}, "run_paused": {"pending": ["ask_1"]}}
    return NewEvent(kind, run=run, facts=facts[kind])


class Django:
    """Stands for the Django application: stores events, and answers as the API's views do."""

    def __init__(self, session: ChatSession | None = None, *events: NewEvent, status: int = 202, last: int = 0) -> None:
        self.session, self.events, self.status, self.last = session, events, status, last
        self.requests: list[tuple[Mapping[bytes, bytes], bytes]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.requests.append((dict(scope["headers"]), (await receive())["body"]))
        first = await in_database(self._store)() if self.events and self.session else 0
        headers = [(b"content-type", b"application/json"), (b"x-request-id", b"req_1")]
        if first and self.session:
            headers += [(b"Handraise-Session", self.session.public_id.encode()), (b"Handraise-First-Seq", b"%d" % first)]
        if self.last:
            headers.append((b"Handraise-Last-Seq", b"%d" % self.last))
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": json.dumps({"runId": "run_3"}).encode()})

    def _store(self) -> int:
        assert self.session is not None
        with transaction.atomic():
            return append(self.session.pk, self.events)


async def later(session: ChatSession, *events: NewEvent) -> None:
    def store() -> None:
        with transaction.atomic():
            append(session.pk, events)

    await in_database(store)()


def kinds(stream: Exchange) -> list[str]:
    return [event.kind for event in stream.events]


async def test_the_run_is_streamed_from_its_transaction_until_it_rests(ada: User) -> None:
    session = await new_session(ada, events=4)
    app = Switch(Django(session, event("run_resumed")))
    async with exchange(app, "/api/chat", method="POST", **EVENTS, **await bearer(ada)) as stream:
        assert stream.status == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        await later(session, event("run_resumed"), event("run_paused"), event("run_resumed"))
        await stream.until(lambda answer: answer.ended)
    assert [each.id for each in stream.events] == ["5", "6", "7"]
    assert stream.headers["handraise-first-seq"] == "5"
    assert stream.headers["handraise-session"] == session.public_id
    assert stream.headers["x-request-id"] == "req_1"


async def test_the_end_of_another_run_does_not_end_the_stream(ada: User) -> None:
    session = await new_session(ada)
    superseding = (event("run_cancelled", run=2), event("run_resumed"), event("run_paused"))
    app = Switch(Django(session, *superseding))
    async with exchange(app, "/api/chat", method="POST", **EVENTS, **await bearer(ada)) as stream:
        await stream.until(lambda answer: answer.ended)
    assert kinds(stream) == ["run_cancelled", "run_resumed", "run_paused"]


async def test_while_another_question_is_open_only_the_own_transaction_is_streamed(ada: User) -> None:
    session = await new_session(ada)
    app = Switch(Django(session, event("run_resumed"), event("run_resumed"), last=2))
    async with exchange(app, "/api/chat/continue", method="POST", **EVENTS, **await bearer(ada)) as stream:
        await stream.until(lambda answer: answer.ended)
    assert [each.id for each in stream.events] == ["1", "2"]


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 410, 413, 422, 429, 500])
async def test_every_answer_but_a_success_is_relayed_as_it_is(ada: User, status: int) -> None:
    app = Switch(Django(status=status))
    async with exchange(app, "/api/chat/continue", method="POST", **EVENTS, **await bearer(ada)) as answer:
        assert (answer.status, answer.body) == (status, b'{"runId": "run_3"}')
        assert answer.headers["content-type"] == "application/json"


async def test_the_request_reaches_django_unchanged_but_for_the_form_of_the_answer(ada: User) -> None:
    django, cookie = Django(status=422), await signed_in(ada)
    more = {"idempotency_key": "k1", "x_csrftoken": "t", "accept_encoding": "gzip"}
    async with exchange(Switch(django), "/api/chat", method="POST", body=b'{"a": 1}', **EVENTS, **more, **cookie):
        pass
    ((headers, body),) = django.requests
    assert body == b'{"a": 1}'
    assert headers[b"accept"] == b"application/json"
    assert (headers[b"idempotency-key"], headers[b"x-csrftoken"]) == (b"k1", b"t")
    assert headers[b"cookie"] == cookie["cookie"].encode()
    assert b"accept-encoding" not in headers


async def test_a_body_over_two_megabytes_never_reaches_django(ada: User) -> None:
    django = Django(status=422)
    for size, status in ((2 * 1024 * 1024, 422), (2 * 1024 * 1024 + 1, 413)):
        async with exchange(
            Switch(django), "/api/chat", method="POST", body=b" " * size, **EVENTS, **await bearer(ada)
        ) as answer:
            assert answer.status == status
    assert len(django.requests) == 1
    assert answer.problem["code"] == "too_large"


async def test_who_has_no_stream_left_is_refused_before_anything_happens(ada: User, settings: Settings) -> None:
    settings.STREAMS_PER_USER = 0
    django = Django(await new_session(ada), event("run_paused"))
    async with exchange(Switch(django), "/api/chat", method="POST", **EVENTS, **await bearer(ada)) as answer:
        assert answer.status == 429
    assert django.requests == []


async def test_nobody_is_refused_by_django(ada: User) -> None:
    django = Django(status=401)
    async with exchange(Switch(django), "/api/chat", method="POST", **EVENTS) as answer:
        assert answer.status == 401
    assert len(django.requests) == 1


async def test_a_token_that_may_run_but_not_read_gets_its_runs_stream(ada: User, settings: Settings) -> None:
    settings.STREAM_HEARTBEAT_SECONDS = 0.1
    session = await new_session(ada)
    app = Switch(Django(session, event("run_resumed")))
    async with exchange(app, "/api/chat", method="POST", **EVENTS, **await bearer(ada, "run")) as stream:
        await stream.until(lambda answer: len(answer.comments) == 4)
        await later(session, event("run_paused"))
        await stream.until(lambda answer: answer.ended)
    assert kinds(stream) == ["run_resumed", "run_paused"]


@pytest.fixture
def answered_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str | None], str]:
    """Return a function that tells who answers a request."""
    switch = Switch(Django())

    def who(method: str, path: str, accept: str | None) -> str:
        headers = [] if accept is None else [(b"accept", accept.encode())]
        scope = {"type": "http", "method": method, "path": path, "headers": headers, "query_string": b""}
        consumer = switch._consumer(scope)
        return type(consumer).__name__ if consumer else "Django"

    return who


SSE, JSON = "text/event-stream", "application/json"


@pytest.mark.parametrize(
    ("method", "path", "accept", "who"),
    [
        ("GET", "/api/sessions/sess_1/events", SSE, "SessionStream"),
        ("GET", "/api/sessions/sess_1/events", None, "SessionStream"),
        ("GET", "/api/sessions/sess_1/events", "*/*", "SessionStream"),
        ("GET", "/api/sessions/sess_1/events", "text/html", "SessionStream"),
        ("GET", "/api/sessions/sess_1/events", JSON, "Django"),
        ("HEAD", "/api/sessions/sess_1/events", SSE, "Django"),
        ("GET", "/api/sessions/sess_1/events/", SSE, "Django"),
        ("GET", "/api/sessions/sess_1/messages", SSE, "Django"),
        ("GET", "/api/inbox/events", None, "InboxStream"),
        ("POST", "/api/chat", SSE, "RunStream"),
        ("POST", "/api/chat/continue", SSE, "RunStream"),
        ("POST", "/api/chat/retry", f"{SSE}, {JSON}", "RunStream"),
        ("POST", "/api/chat/retry", f"{JSON}, {SSE}", "Django"),
        ("POST", "/api/chat", JSON, "Django"),
        ("POST", "/api/chat", "*/*", "Django"),
        ("POST", "/api/chat", None, "Django"),
        ("POST", "/api/chat", f"{SSE};q=0.5, {JSON}", "Django"),
        ("POST", "/api/chat/abort", SSE, "Django"),
        ("GET", "/", "text/html", "Django"),
    ],
)
def test_who_answers(
    answered_by: Callable[[str, str, str | None], str], method: str, path: str, accept: str | None, who: str
) -> None:
    assert answered_by(method, path, accept) == who
