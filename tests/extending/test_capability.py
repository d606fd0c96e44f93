"""A run in the capability of the page."""

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.chat.models import Run
from apps.runs import services
from apps.runs.starting import NewRun
from tests.extending.conftest import Example
from tests.support.runs import DONE, ask_user, asks, run_to_rest, scripted

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _added(example: Example) -> None:
    example("A capability")


@pytest.mark.parametrize(("language", "words"), [("en", "You plan journeys."), ("zh", "你负责规划行程。")])
def test_a_run_in_it_asks_and_has_its_words_and_settings(user: User, language: str, words: str) -> None:
    model = scripted(asks(ask_user()), DONE)
    run = services.start_run(user, NewRun("To Rome", capability="itinerary", language=language)).run
    assert run_to_rest(run, model).status == Run.Status.WAITING
    assert (run.capability, model.requests[0].temperature) == ("itinerary", 0.4)
    assert words in str(model.requests[0].messages)


def test_the_api_lists_it(browser: Client) -> None:
    listed = {each["name"]: each for each in browser.get("/api/capabilities").json()["results"]}
    assert listed["itinerary"]["titles"] == {"en": "Itinerary", "zh": "行程"}


@pytest.mark.parametrize(("language", "title"), [("en", "Itinerary"), ("zh-hans", "行程")])
def test_the_settings_page_shows_it_in_the_readers_language(browser: Client, user: User, language: str, title: str) -> None:
    user.language = language
    user.save()
    page = browser.get("/settings/capabilities/", headers={"Accept-Language": language}).content.decode()
    assert title in page
    assert 'name="itinerary.max_rounds" value="10"' in page


def test_its_settings_are_changed_like_those_of_any_other(browser: Client, user: User) -> None:
    browser.post("/settings/capabilities/", {"itinerary.max_rounds": "3"})
    run = services.start_run(user, NewRun("To Rome", capability="itinerary")).run
    assert run.config["max_rounds"] == 3


def test_the_console_shows_its_settings_and_names_it_by_its_title(user: User, browser: Client) -> None:
    user.is_staff = user.is_superuser = True
    user.save()
    assert 'name="itinerary.max_rounds"' in browser.get("/admin/chat/capabilitysettings/").content.decode()
    run_to_rest(services.start_run(user, NewRun("To Rome", capability="itinerary")).run, scripted(DONE))
    assert "Itinerary" in browser.get("/admin/chat/run/").content.decode()
