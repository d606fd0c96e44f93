"""Each request has an id and the language of its user."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import translation

from apps.accounts.middleware import RequestIdMiddleware, UserLocaleMiddleware
from apps.accounts.models import User
from apps.audit.context import ANONYMOUS, BY_ITSELF, Acting, Actor, current

CHINESE, ENGLISH = "zh-hans", "en"


def request_with(user: Any = None, language: str = "", cookie: str = "", **headers: str) -> HttpRequest:
    request = RequestFactory().get("/", headers={"Accept-Language": language, **headers})
    request.user = user or AnonymousUser()
    if cookie:
        request.COOKIES["handraise_language"] = cookie
    return request


def language_in(request: HttpRequest) -> str:
    """Return the language in force inside the request."""
    seen: list[str | None] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(translation.get_language())
        return HttpResponse()

    UserLocaleMiddleware(view)(request)
    return seen[0] or ""


def person_in(request: HttpRequest) -> tuple[HttpResponse, Acting]:
    """Return the response, and who acted inside the request."""
    seen: list[Acting] = []

    def view(request: HttpRequest) -> HttpResponse:
        seen.append(current())
        return HttpResponse()

    return RequestIdMiddleware(view)(request), seen[0]


def test_a_request_gets_an_id_that_goes_back_in_a_header() -> None:
    response, acting = person_in(request_with())
    assert re.fullmatch(r"req_[0-9a-f]{32}", acting.http_request)
    assert response["X-Request-Id"] == acting.http_request


def test_an_id_of_our_form_is_taken_from_the_client() -> None:
    sent = "req_" + "a" * 32
    assert person_in(request_with(**{"X-Request-Id": sent}))[1].http_request == sent


@pytest.mark.parametrize("sent", ["secret", "req_" + "A" * 32, "req_" + "a" * 33, "req_" + "a" * 32 + "\n"])
def test_h90_any_other_text_in_the_header_is_dropped(sent: str) -> None:
    response, acting = person_in(request_with(**{"X-Request-Id": sent}))
    assert acting.http_request != sent
    assert response["X-Request-Id"] != sent


@pytest.mark.parametrize(("user", "actor"), [(None, ANONYMOUS), (User(public_id="user_1"), Actor("user", "user_1"))])
def test_the_audit_names_who_is_signed_in_on_the_web(user: User | None, actor: Actor) -> None:
    acting = person_in(request_with(user))[1]
    assert (acting.resolved_actor(), acting.channel) == (actor, "web")


def test_nothing_of_a_request_is_left_after_it() -> None:
    person_in(request_with(User(public_id="user_1")))
    assert current() == BY_ITSELF


@pytest.mark.parametrize("accepted", ["zh", "zh-CN", "zh-TW", "zh-Hant-HK", "zh-Hans", "zh-SG,zh;q=0.9,en;q=0.8"])
def test_every_kind_of_chinese_is_answered_in_chinese(accepted: str) -> None:
    assert language_in(request_with(language=accepted)) == CHINESE


@pytest.mark.parametrize("accepted", ["", "en-GB", "fr", "fr,en;q=0.5", "*", "x" * 5000])
def test_everybody_else_is_answered_in_english(accepted: str) -> None:
    assert language_in(request_with(language=accepted)) == ENGLISH


def test_the_cookie_wins_over_the_browser() -> None:
    assert language_in(request_with(language="en", cookie=CHINESE)) == CHINESE


def test_the_user_s_choice_wins_over_cookie_and_browser() -> None:
    assert language_in(request_with(User(language=ENGLISH), language="zh", cookie=CHINESE)) == ENGLISH


def test_a_user_without_a_choice_follows_the_browser() -> None:
    assert language_in(request_with(User(language=""), language="zh-CN")) == CHINESE


def test_the_next_request_on_the_thread_starts_afresh() -> None:
    language_in(request_with(language="zh"))
    assert translation.get_language() == ENGLISH


def test_the_response_names_its_language_and_what_it_depends_on() -> None:
    response = UserLocaleMiddleware(lambda request: HttpResponse())(request_with(language="zh"))
    assert response["Content-Language"] == CHINESE
    assert response["Vary"] == "Accept-Language, Cookie"


async def test_both_work_on_an_event_loop() -> None:
    async def view(request: HttpRequest) -> HttpResponse:
        return HttpResponse(f"{translation.get_language()} {current().http_request}")

    response = await RequestIdMiddleware(UserLocaleMiddleware(view))(request_with(language="zh"))
    assert response.content.decode() == f"{CHINESE} {response['X-Request-Id']}"
