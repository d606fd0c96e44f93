"""What is refused: the line in the log, the limit of runs, and the pages that say so in both languages."""

import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import path

from apps.accounts.models import User
from apps.api.throttles import RequestRate
from apps.chat.models import Run
from apps.runs.rates import RUNS
from config.urls import urlpatterns
from tests.factories.accounts import UserFactory
from tests.support.runs import DONE
from tests.web.conftest import HTMX, Ask, Say, address

SECRET = "a-secret-word"
LOGGER = "apps.web.refusals"


@pytest.fixture(autouse=True)
def forgotten_runs() -> Iterator[None]:
    """Let no test be limited by the calls of another: after a rollback users get the same keys again."""
    RUNS.forget()
    yield
    RUNS.forget()
    RequestRate.window.forget()


# --- the log --------------------------------------------------------------------------------------
def test_a_refusal_is_one_line_that_names_the_route_and_no_word_h90(
    browser: Client, ask: Ask, caplog: pytest.LogCaptureFixture
) -> None:
    row = ask(title="How many?", mode="number")
    with caplog.at_level(logging.INFO):
        answer = browser.post(address(row), {"text": SECRET})
    (line,) = [record.getMessage() for record in caplog.records if record.name == LOGGER]
    assert line == f"POST s/<id:session_id>/q/<id:request_id>/answer/ refused: 422 ({answer['X-Request-Id']})"
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    ("where", "line"),
    [
        (f"/nowhere/{SECRET}/?q={SECRET}", "GET ? refused: 404"),
        (f"/sign-in/link/{SECRET}/", "GET sign-in/link/<id:token>/ refused: 410"),
        (f"/s/{SECRET}/", "GET s/<id:session_id>/ refused: 404"),
        (f"/s/{SECRET}/send/", "GET s/<id:session_id>/send/ refused: 405"),
    ],
)
def test_what_an_address_holds_stays_out_of_the_log_h90(
    where: str, line: str, browser: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        browser.get(where)
    assert [record.getMessage().startswith(line) for record in caplog.records if record.name == LOGGER] == [True]
    assert SECRET not in caplog.text


def explode(request: object, token: str) -> HttpResponse:
    raise RuntimeError(SECRET)


class WithFault:
    """Addresses with one that fails."""

    urlpatterns = [path("explode/<token>/", explode), *urlpatterns]


@override_settings(ROOT_URLCONF=WithFault)
def test_a_fault_of_ours_is_logged_with_its_route_and_no_word_h90(browser: Client, caplog: pytest.LogCaptureFixture) -> None:
    browser.raise_request_exception = False
    assert browser.get(f"/explode/{SECRET}/").status_code == 500
    (line,) = [record.getMessage() for record in caplog.records if record.name == "django.request"]
    assert line == "Internal Server Error: explode/<token>/"


def test_the_api_logs_its_refusals_itself_and_once(browser: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        browser.get("/api/sessions/sess_unknown")
    assert [record.name for record in caplog.records if "refused" in record.getMessage()] == ["apps.api.errors"]


# --- the limit of runs ----------------------------------------------------------------------------
def test_a_person_starts_as_many_runs_a_minute_as_the_setting_says(browser: Client, say: Say, settings: Any) -> None:
    session = say(DONE).session
    settings.RATE_RUNS = 2
    for _run in range(2):
        browser.post("/new/", {"message": "Hello"})
    page = browser.post("/new/", {"message": "a long thought"})
    fragment = browser.post(f"/s/{session.public_id}/send/", {"message": "more"}, headers=HTMX)
    assert (page.status_code, fragment.status_code, fragment.content) == (429, 429, b"")
    assert "a long thought" in page.content.decode()
    assert 0 < int(page["Retry-After"]) <= 60
    assert Run.objects.count() == 3
    assert browser.get("/new/").status_code == 200


def test_web_and_api_count_the_same_runs_of_a_user_and_nobody_elses(browser: Client, settings: Any) -> None:
    settings.RATE_RUNS = 1
    assert browser.post("/new/", {"message": "Hello"}).status_code == 303
    assert browser.post("/api/chat", {"message": "Hello"}, content_type="application/json").status_code == 429
    stranger = Client()
    stranger.force_login(UserFactory.create())
    assert stranger.post("/new/", {"message": "Hello"}).status_code == 303


# --- pages ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("language", "words"), [("en", "There is nothing here"), ("zh-hans", "这里什么也没有")])
def test_an_unknown_page_is_told_in_the_readers_language_h72(language: str, words: str, browser: Client, user: User) -> None:
    user.language = language
    user.save()
    assert words in browser.get("/nowhere/").content.decode()
    assert words in browser.get("/s/sess_unknown/").content.decode()


def test_a_wrong_host_is_told_in_the_browsers_language_h72(db: None) -> None:
    headers = {"Host": "elsewhere.example", "Accept-Language": "zh-CN"}
    page, call = Client().get("/", headers=headers), Client().get("/api/sessions", headers=headers)
    assert (page.status_code, call.status_code) == (400, 400)
    assert "无法理解该请求" in page.content.decode()
    assert "此处不为该主机名提供服务" in call.json()["detail"]


def test_the_icon_is_where_browsers_look_for_it(db: None) -> None:
    answer = Client().get("/favicon.ico")
    assert answer.status_code == 200
    assert b"".join(answer.streaming_content).startswith(b"\x00\x00\x01\x00")
