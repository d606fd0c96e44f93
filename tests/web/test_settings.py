"""What a person sets, and what they may ask for: other devices signed out, their data, its erasure."""

import io
import zipfile

import pytest
from django.test import Client

from apps.accounts.models import ApiToken, User
from apps.accounts.throttle import TRIES
from apps.accounts.tokens import make_token, user_of_token
from apps.audit.models import AuditRecord
from apps.chat.models import Message
from apps.web.preferences import Preferences, preferences_of
from tests.factories.accounts import PASSWORD, UserFactory
from tests.support.runs import DONE
from tests.web.conftest import HTMX, Ask, Say, address, page_of


def text_of(browser: Client, where: str, **headers: str) -> str:
    """Return a page."""
    return browser.get(where, headers=headers).content.decode()


@pytest.fixture
def other(user: User) -> Client:
    """Return another device of the same user."""
    client = Client()
    client.force_login(user)
    return client


# --- preferences ----------------------------------------------------------------------------------
def test_keys_are_kept_and_every_page_is_told(browser: Client, user: User) -> None:
    browser.post("/settings/", {"part": "keys", "send_key": "ctrl_enter"})
    user.refresh_from_db()
    assert preferences_of(user) == Preferences(send_key="ctrl_enter", shortcuts=False, goes_on=False)
    assert '<body data-send-key="ctrl_enter">' in text_of(browser, "/inbox/")
    browser.post("/settings/", {"part": "keys", "send_key": "enter", "shortcuts": "1", "goes_on": "1"})
    assert '<body data-send-key="enter" data-shortcuts data-goes-on>' in text_of(browser, "/inbox/")


def test_one_part_leaves_the_others_as_they_are(browser: Client, user: User) -> None:
    browser.post("/settings/", {"part": "notifications", "notifications": "1"})
    browser.post("/settings/", {"part": "looks", "theme": "dark", "language": "zh-hans"})
    browser.post("/settings/", {"part": "keys", "send_key": "smoke signals"})
    browser.post("/settings/", {"part": "nonsense", "theme": "light"})
    user.refresh_from_db()
    chosen = preferences_of(user)
    assert (chosen.theme, chosen.notifications, chosen.send_key, user.language) == ("dark", True, "enter", "zh-hans")


@pytest.mark.parametrize("stored", [None, [], {"theme": []}, {"shortcuts": "no", "send_key": 3, "unknown": True}])
def test_preferences_that_cannot_be_read_are_the_usual_ones(stored: object) -> None:
    assert preferences_of(User(preferences=stored)) == Preferences()


def test_the_hint_at_the_message_field_names_the_key_that_was_chosen(browser: Client) -> None:
    assert "Enter sends, Shift+Enter begins a new line." in text_of(browser, "/new/")
    browser.post("/settings/", {"part": "keys", "send_key": "ctrl_enter"})
    assert "Ctrl+Enter sends, Enter begins a new line." in text_of(browser, "/new/")


def test_the_keys_are_listed_on_a_page_and_for_a_script_in_a_dialog(browser: Client) -> None:
    assert "<dialog" not in text_of(browser, "/keys/")
    assert text_of(browser, "/keys/", **HTMX).startswith("<dialog")
    browser.post("/settings/", {"part": "keys"})
    assert "<kbd>?</kbd>" not in text_of(browser, "/keys/")


# --- other devices --------------------------------------------------------------------------------
def test_other_devices_are_signed_out_and_this_one_and_tokens_stay(browser: Client, other: Client, user: User) -> None:
    _token, plain = make_token(user, "script")
    assert browser.post("/settings/others/", {"password": PASSWORD})["Location"] == "/settings/?saved=others#account"
    assert other.get("/inbox/")["Location"] == "/sign-in/?next=%2Finbox%2F"
    assert "All other devices are signed out." in text_of(browser, "/settings/?saved=others")
    assert user_of_token(plain) is not None
    assert Client().post("/sign-in/", {"name": user.username, "password": PASSWORD}).status_code == 303
    assert AuditRecord.objects.get(kind="settings_changed").summary["names"] == ["other_sessions"]


def test_the_address_that_showed_a_new_token_leads_to_the_tokens_when_it_is_opened_again(browser: Client, user: User) -> None:
    shown = browser.post("/settings/tokens/", {"name": "script", "scope": "read"})
    assert 'id="new-token"' in shown.content.decode()
    again = browser.get("/settings/tokens/")
    assert (again.status_code, again["Location"]) == (303, "/settings/#tokens")
    assert ApiToken.objects.filter(user=user).count() == 1


def test_signing_out_other_devices_takes_the_password(browser: Client, other: Client) -> None:
    answer = browser.post("/settings/others/", {"password": "wrong"})
    assert answer.status_code == 422
    assert "The password is wrong." in answer.content.decode()
    assert other.get("/inbox/").status_code == 200


def test_who_has_no_password_signs_out_other_devices_without_one(browser: Client, user: User) -> None:
    user.set_unusable_password()
    user.save()
    here, there = Client(), Client()
    for client in (here, there):
        client.force_login(user)
    here.post("/settings/others/")
    assert here.get("/inbox/").status_code == 200
    assert there.get("/inbox/").status_code == 302


def test_a_password_is_not_found_out_by_trying(browser: Client) -> None:
    for _try in range(TRIES):
        browser.post("/settings/erase/", {"password": "wrong"})
    assert browser.post("/settings/erase/", {"password": PASSWORD}).status_code == 429


# --- my data --------------------------------------------------------------------------------------
def test_a_person_downloads_all_that_is_stored_about_them(browser: Client, user: User, ask: Ask) -> None:
    row = ask(title="Which colour?")
    browser.post(address(row), {"text": "a shade of teal"})
    answer = browser.post("/settings/export/")
    assert answer["Content-Disposition"] == f'attachment; filename="{user.public_id}.zip"'
    archive = zipfile.ZipFile(io.BytesIO(b"".join(answer.streaming_content)))
    assert set(archive.namelist()) == {"account.json", f"sessions/{row.session.public_id}.json"}
    assert b"a shade of teal" in archive.read(f"sessions/{row.session.public_id}.json")
    assert AuditRecord.objects.get(kind="data_exported").channel == "web"


def test_an_erasure_says_what_it_does_and_takes_the_password(browser: Client, ask: Ask) -> None:
    row = ask(title="Which colour?")
    page = text_of(browser, "/settings/erase/")
    assert "This cannot be undone." in page
    assert "backups of the installation" in page
    assert browser.post("/settings/erase/", {"password": ""}).status_code == 422
    row.refresh_from_db()
    assert row.payload


def test_an_erasure_leaves_no_word_and_nobody_elses_chat_alone(browser: Client, user: User, ask: Ask) -> None:
    row = ask(title="Which colour?")
    browser.post(address(row), {"text": "a shade of teal"})
    stranger = UserFactory.create()
    assert browser.post("/settings/erase/", {"password": PASSWORD}).status_code == 303
    assert not Message.objects.exclude(text="").exists()
    page = page_of(browser, row)
    assert "teal" not in page
    assert "Which colour?" not in page
    stranger.refresh_from_db()
    assert stranger.is_active
    assert AuditRecord.objects.get(kind="data_erased", session="").actor_id == user.public_id


def test_a_question_that_was_open_is_closed_by_who_erases(browser: Client, ask: Ask) -> None:
    row = ask(title="Which colour?")
    browser.post("/settings/erase/", {"password": PASSWORD})
    assert "Stopped by you" in page_of(browser, row)


def test_who_has_no_password_types_the_name_to_erase(user: User, say: Say) -> None:
    say(DONE, message="my words")
    user.set_unusable_password()
    user.save()
    client = Client()
    client.force_login(user)
    assert client.post("/settings/erase/", {"name": "somebody"}).status_code == 422
    assert Message.objects.filter(text="my words").exists()
    client.post("/settings/erase/", {"name": user.username})
    assert not Message.objects.filter(text="my words").exists()
