"""GET /api/sessions/{id}/events: who may read it, from where, and when it ends."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from channels.db import database_sync_to_async as in_database
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.utils.translation import get_language
from pytest_django import Settings

from apps.accounts.models import ApiToken, User
from apps.accounts.tokens import revoke_token
from apps.api.stream.slots import slots
from apps.api.stream.switch import Switch
from apps.events.log import delete_stream
from tests.api.stream.client import exchange, no_django
from tests.api.stream.conftest import add_events, bearer, new_session, signed_in

pytestmark = pytest.mark.django_db(transaction=True)

app = Switch(no_django)
UNKNOWN = "sess_" + "0" * 32


def path(session: Any) -> str:
    return f"/api/sessions/{session.public_id}/events"


async def test_h53_the_head_forbids_caches_buffers_and_compression(ada: User) -> None:
    session = await new_session(ada)
    async with exchange(app, path(session), accept_encoding="gzip, br", **await bearer(ada)) as stream:
        assert stream.status == 200
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-cache, no-transform"
        assert stream.headers["x-accel-buffering"] == "no"
        assert "content-encoding" not in stream.headers
        await stream.until(lambda answer: answer.comments, 1)


@pytest.mark.parametrize("sign_in", [bearer, signed_in])
async def test_the_owner_reads_history_and_what_follows(ada: User, sign_in: Callable[[User], Any]) -> None:
    session = await new_session(ada, events=2)
    async with exchange(app, path(session), **await sign_in(ada)) as stream:
        await in_database(add_events)(session)
        await stream.until(lambda answer: len(answer.events) == 3)
        assert [event.id for event in stream.events] == ["1", "2", "3"]
        assert stream.events[0].data["sessionId"] == session.public_id


@pytest.mark.parametrize(
    ("query", "header", "first"),
    [("?after=2", None, "3"), ("", "3", "4"), ("?after=1", "4", "5"), ("?after=x", None, "1"), ("?after=-1", None, "1")],
)
async def test_h47_the_cursor_is_the_header_or_else_the_query(ada: User, query: str, header: str | None, first: str) -> None:
    session = await new_session(ada, events=5)
    headers = await bearer(ada) | ({"last_event_id": header} if header else {})
    async with exchange(app, path(session) + query, **headers) as stream:
        await stream.until(lambda answer: answer.events)
        assert stream.events[0].id == first


@pytest.mark.parametrize("odd", ["abc", "999999", "-1", "1.5", "0x2", "18446744073709551616", "%00", "' OR 1=1", "٣", "9" * 5000])
async def test_h47_an_odd_cursor_never_breaks_and_repeats_nothing(ada: User, odd: str) -> None:
    session = await new_session(ada, events=2)
    async with exchange(app, path(session), last_event_id=odd, **await bearer(ada)) as stream:
        await asyncio.sleep(0.05)
        await in_database(add_events)(session)
        await stream.until(lambda answer: answer.events and answer.events[-1].id == "3")
        ids = [event.id for event in stream.events]
        assert ids in (["1", "2", "3"], ["3"])


@pytest.mark.parametrize("authorization", [None, "Bearer hr_wrong", "Bearer ", "Basic YTpi", "Bearer \x00"])
async def test_nobody_gets_a_problem_that_says_how_to_sign_in(ada: User, authorization: str | None) -> None:
    session = await new_session(ada)
    headers = {"authorization": authorization} if authorization else {}
    async with exchange(app, path(session), **headers) as answer:
        assert (answer.status, answer.problem["code"]) == (401, "not_authenticated")
        assert "www-authenticate" in answer.headers


async def test_a_wrong_token_is_not_made_good_by_a_cookie(ada: User) -> None:
    session = await new_session(ada)
    async with exchange(app, path(session), authorization="Bearer hr_wrong", **await signed_in(ada)) as answer:
        assert answer.status == 401


async def test_a_token_without_the_scope_is_told_so(ada: User) -> None:
    session = await new_session(ada)
    async with exchange(app, path(session), **await bearer(ada, "run")) as answer:
        assert (answer.status, answer.problem["code"]) == (403, "insufficient_scope")


async def test_h85_a_foreign_session_is_answered_as_an_unknown_one(ada: User, bob: User) -> None:
    session, headers = await new_session(ada, events=3), await bearer(bob)
    answers = []
    for address in (path(session), f"/api/sessions/{UNKNOWN}/events", "/api/sessions/a\x00b/events"):
        async with exchange(app, address, **headers) as answer:
            answers.append((answer.status, answer.headers, answer.body))
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0] == 404


async def test_h86_a_cursor_of_a_foreign_session_gives_nothing_of_it(ada: User, bob: User) -> None:
    await new_session(ada, events=20)
    own = await new_session(bob, events=2)
    async with exchange(app, path(own), last_event_id="17", **await bearer(bob)) as stream:
        # The cursor is moved back to the own session's end at the first look, which may come after the first events.
        for _ in range(100):
            await in_database(add_events)(own)
            if stream.events:
                break
        assert {event.data["sessionId"] for event in stream.events} == {own.public_id}
        assert int(stream.events[0].id) > 2


@pytest.fixture
def name_of_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every translated text be the code of the language that it would be in."""
    monkeypatch.setattr("apps.api.stream.consumer._", lambda text: get_language())
    monkeypatch.setattr("apps.api.stream.session._", lambda text: get_language())


@pytest.mark.usefixtures("name_of_the_language")
@pytest.mark.parametrize(("accepted", "spoken"), [("zh-CN, en;q=0.5", "zh-hans"), ("en", "en"), ("fr", "en")])
async def test_h72_a_problem_speaks_the_language_of_its_request(accepted: str, spoken: str) -> None:
    async with exchange(app, f"/api/sessions/{UNKNOWN}/events", accept_language=accepted) as answer:
        assert answer.problem["detail"] == spoken


@pytest.mark.usefixtures("name_of_the_language")
async def test_h72_a_problem_speaks_the_language_that_its_user_has_chosen(ada: User, bob: User) -> None:
    await User.objects.filter(pk=ada.pk).aupdate(language="zh-hans")
    for user, spoken in ((ada, "zh-hans"), (bob, "en")):
        async with exchange(app, f"/api/sessions/{UNKNOWN}/events", accept_language="en", **await bearer(user)) as answer:
            assert answer.problem["detail"] == spoken


async def test_a_foreign_host_is_refused(ada: User) -> None:
    session = await new_session(ada)
    async with exchange(app, path(session), host="evil.example", **await bearer(ada)) as answer:
        assert (answer.status, answer.problem["code"]) == (400, "bad_host")


async def test_a_database_that_is_away_is_answered_with_a_problem(
    ada: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    session, headers = await new_session(ada), await bearer(ada)

    def away(*_: object) -> None:
        raise OperationalError("what a person wrote")

    monkeypatch.setattr("apps.api.stream.session.session_of", away)
    async with exchange(app, path(session), **headers) as answer:
        assert (answer.status, answer.problem["code"]) == (500, "internal")
    assert "OperationalError" in caplog.text
    assert "person" not in caplog.text


async def test_one_stream_more_than_allowed_is_refused_until_another_ends(ada: User, settings: Settings) -> None:
    settings.STREAMS_PER_USER = 3
    session, headers = await new_session(ada), await bearer(ada)
    async with AsyncExitStack() as streams:
        for _ in range(3):
            assert (await streams.enter_async_context(exchange(app, path(session), **headers))).status == 200
        async with exchange(app, path(session), **headers) as answer:
            assert (answer.status, answer.problem["code"]) == (429, "too_many_streams")
            assert int(answer.headers["retry-after"]) > 0
    async with exchange(app, path(session), **headers) as stream:
        assert stream.status == 200


async def test_h51_a_stream_whose_task_is_killed_gives_its_slot_back(ada: User) -> None:
    session, headers = await new_session(ada), await bearer(ada)
    async with exchange(app, path(session), **headers) as stream:
        assert slots.total == 1
        stream.kill()
    assert slots.total == 0


async def end_token(user: User) -> None:
    await in_database(lambda: revoke_token(ApiToken.objects.get(user=user)))()


async def disable(user: User) -> None:
    await User.objects.filter(pk=user.pk).aupdate(is_active=False)


async def sign_out(user: User) -> None:
    await Session.objects.all().adelete()


async def change_password(user: User) -> None:
    user.set_password("quite another one")
    await in_database(user.save)()


ENDINGS = [(bearer, end_token), (bearer, disable), (signed_in, disable), (signed_in, sign_out), (signed_in, change_password)]


@pytest.mark.parametrize(("sign_in", "end"), ENDINGS)
async def test_who_may_no_longer_read_is_sent_away_with_the_next_heartbeat(
    ada: User, settings: Settings, sign_in: Callable[[User], Any], end: Callable[[User], Any]
) -> None:
    settings.STREAM_HEARTBEAT_SECONDS = 0.2
    session = await new_session(ada)
    async with exchange(app, path(session), **await sign_in(ada)) as stream:
        await stream.until(lambda answer: len(answer.comments) == 3)
        assert not stream.ended
        await end(ada)
        await stream.until(lambda answer: answer.ended)


async def test_a_deleted_session_ends_its_streams(ada: User) -> None:
    session = await new_session(ada, events=1)
    async with exchange(app, path(session), **await bearer(ada)) as stream:
        await stream.until(lambda answer: answer.events)
        await in_database(delete_stream)(session.pk)
        await stream.until(lambda answer: answer.ended)
