"""The settings of the capabilities as a form: what holds, what is refused in words, what is taken back."""

import re

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.agent.tools import Toolbox
from apps.audit.models import AuditRecord
from apps.chat.models import CapabilitySettings
from apps.runs.settings_store import change_settings, settings_of

ADDRESS = "/settings/capabilities/"


def page_of(browser: Client) -> str:
    return browser.get(ADDRESS).content.decode()


def value_of(page: str, path: str) -> str:
    """Return what a field of the form holds."""
    if radio := re.search(rf'name="{path}" value="(\w+)" checked', page):
        return radio[1]
    field = re.search(rf'name="{path}" value="([^"]*)"', page) or re.search(rf'name="{path}"[^>]*>([^<]*)</textarea>', page)
    assert field is not None, path
    return field[1]


def test_the_settings_page_leads_to_it(browser: Client) -> None:
    assert f'href="{ADDRESS}"' in browser.get("/settings/").content.decode()


def test_every_setting_is_shown_as_it_holds_with_its_range(browser: Client, user: User) -> None:
    page = page_of(browser)
    for name, settings in settings_of(user).items():
        for key, value in settings.items():
            if not isinstance(value, dict):
                assert value_of(page, f"{name}.{key}") == str(value)
    assert "A whole number from 1 to 50." in page
    assert value_of(page, "solve.prompt.zh") == ""


def test_what_was_changed_is_kept_and_audited_by_name(browser: Client, user: User) -> None:
    sent = {"solve.max_rounds": "20", "solve.plan_review": "every", "chat.temperature": "0.5", "solve.prompt.en": "Be\r\nbrief."}
    answer = browser.post(ADDRESS, sent)
    assert (answer.status_code, answer["Location"]) == (303, f"{ADDRESS}?saved=1")
    held = settings_of(user)
    assert (held["solve"]["max_rounds"], held["solve"]["plan_review"], held["chat"]["temperature"]) == (20, "every", 0.5)
    assert held["solve"]["prompt"]["en"] == "Be\nbrief."
    assert value_of(page_of(browser), "solve.plan_review") == "every"
    names = {
        record.summary["capability"]: record.summary["names"] for record in AuditRecord.objects.filter(kind="settings_changed")
    }
    assert names == {"solve": ["max_rounds", "plan_review", "prompt"], "chat": ["temperature"]}


def test_a_form_that_was_not_changed_changes_nothing(browser: Client, user: User) -> None:
    page = page_of(browser)
    fields = set(re.findall(r'name="((?:solve|chat)\.[\w.]+)"', page))
    browser.post(ADDRESS, {field: value_of(page, field) for field in fields})
    assert not CapabilitySettings.objects.exists()


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("solve.max_rounds", "many", "A whole number from 1 to 50."),
        ("solve.max_rounds", "2.5", "A whole number from 1 to 50."),
        ("chat.temperature", "0,5", "A number from 0 to 2, with a dot: 0.7."),
        ("chat.temperature", "NaN", "A number from 0 to 2, with a dot: 0.7."),
        ("solve.plan_review", "never", "This value cannot be used."),
        ("solve.prompt.en", "x" * 20_001, "at most 20000 characters"),
    ],
)
def test_what_cannot_be_used_is_said_in_words_beside_its_field(
    browser: Client, user: User, path: str, value: str, words: str
) -> None:
    answer = browser.post(ADDRESS, {path: value, "solve.max_replans": "1"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert words in page.split(f'id="{path.replace(".", "-")}-error"')[1].split("</p>")[0]
    assert value_of(page, "solve.max_replans") == "1"
    assert not CapabilitySettings.objects.exists()


def test_a_number_beyond_its_range_is_brought_into_it_and_that_is_said(browser: Client, user: User) -> None:
    answer = browser.post(ADDRESS, {"solve.max_rounds": "99", "solve.max_replans": "3"})
    page = browser.get(answer["Location"]).content.decode()
    assert settings_of(user)["solve"]["max_rounds"] == 50
    assert page.count("the nearest possible value was kept") == 1


def test_a_maximum_of_the_installation_is_held_and_that_is_said(browser: Client, user: User) -> None:
    change_settings(None, {"chat": {"max_tokens": 1000}})
    answer = browser.post(ADDRESS, {"chat.max_tokens": "5000"})
    assert answer["Location"].endswith("&limited=chat.max_tokens")
    assert settings_of(user)["chat"]["max_tokens"] == 1000


def test_an_empty_field_and_the_button_take_settings_back(browser: Client, user: User) -> None:
    browser.post(ADDRESS, {"solve.max_rounds": "20", "solve.max_replans": "0", "chat.max_rounds": "3"})
    browser.post(ADDRESS, {"solve.max_rounds": ""})
    assert (settings_of(user)["solve"]["max_rounds"], settings_of(user)["solve"]["max_replans"]) == (12, 0)
    browser.post(ADDRESS, {"take_back": "solve", "solve.max_replans": "5"})
    assert (settings_of(user)["solve"]["max_replans"], settings_of(user)["chat"]["max_rounds"]) == (2, 3)


def test_an_address_says_nothing_that_is_no_setting(browser: Client) -> None:
    assert "nearest possible" not in browser.get(f"{ADDRESS}?saved=1&limited=solve.nonsense").content.decode()


def test_nobody_else_sees_or_changes_them(browser: Client, user: User) -> None:
    assert Client().get(ADDRESS)["Location"].startswith("/sign-in/")
    assert Client().post(ADDRESS, {"solve.max_rounds": "20"}).status_code == 401
    assert not CapabilitySettings.objects.exists()


class Working:
    """A tool that works."""

    name = "browse.web"
    effect = "read"
    within_workspace = False
    idempotent = True


def test_tools_are_set_by_name_and_never_laxer_than_the_installation(
    browser: Client, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.runs.policies.mounted", lambda capability, switches: Toolbox({"browse.web": Working()}))
    page = page_of(browser)
    assert "The tool browse.web" in page
    assert value_of(page, "chat.tools.browse.web") == "never"
    browser.post(ADDRESS, {"chat.tools.browse.web": "ask"})
    assert settings_of(user)["chat"]["tools"] == {"browse.web": "ask"}
    change_settings(None, {"chat": {"tools": {"browse.web": "off"}}})
    answer = browser.post(ADDRESS, {"chat.tools.browse.web": "never"})
    assert answer["Location"].endswith("&limited=chat.tools.browse.web")
    assert settings_of(user)["chat"]["tools"] == {"browse.web": "off"}
