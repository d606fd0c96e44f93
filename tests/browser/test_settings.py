"""The settings in a browser: kept by keyboard, on a phone, in Chinese and without scripts; one's data got and erased."""

import json
import zipfile

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import NewContext
from tests.browser.people import NewPerson, new_person  # noqa: F401
from tests.browser.test_axe import assert_accessible
from tests.browser.test_looks import PHONE, overflow
from tests.browser.test_tabs import hide
from tests.support.server import PASSWORD, ServerProcess

PAGES = ["/settings/", "/settings/others/", "/settings/erase/", "/keys/"]


@pytest.mark.parametrize("where", PAGES)
def test_each_page_of_the_settings_fits_a_phone_and_is_accessible(where: str, new_context: NewContext) -> None:
    tab = new_context(**PHONE, bypass_csp=True, reduced_motion="reduce").new_page()
    tab.goto(where)
    assert overflow(tab) == 0
    assert_accessible(tab)


@pytest.mark.parametrize("scripts", [True, False])
def test_settings_are_changed_and_kept_with_and_without_scripts(scripts: bool, new_person: NewPerson) -> None:  # noqa: F811
    tab = new_person(java_script_enabled=scripts).context.new_page()
    tab.goto("/settings/")
    tab.get_by_label("Dark", exact=True).check()
    tab.locator("#looks").get_by_role("button", name="Save").click()
    expect(tab.locator("html")).to_have_attribute("data-theme", "dark")
    tab.get_by_label("Ctrl+Enter sends").check()
    tab.get_by_label("Shortcuts").uncheck()
    tab.locator("#keys").get_by_role("button", name="Save").click()
    expect(tab.locator(".saved")).to_have_text("Saved.")
    tab.reload()
    expect(tab.get_by_label("Dark", exact=True)).to_be_checked()
    expect(tab.get_by_label("Ctrl+Enter sends")).to_be_checked()
    expect(tab.get_by_label("Shortcuts")).not_to_be_checked()
    expect(tab.get_by_label("Choosing an option")).to_be_checked()


def test_the_language_is_chosen_by_keyboard_and_no_english_is_left_h72(new_person: NewPerson) -> None:  # noqa: F811
    tab = new_person().context.new_page()
    tab.goto("/settings/")
    tab.get_by_label("As the browser").focus()
    tab.keyboard.press("ArrowUp")
    expect(tab.get_by_label("简体中文")).to_be_checked()
    tab.keyboard.press("Enter")
    expect(tab.locator("html")).to_have_attribute("lang", "zh-hans")
    for where in PAGES:
        tab.goto(where)
        words = tab.locator("main").inner_text()
        for english in ("Settings", "Save", "Keyboard", "Notif", "password", "token", "Delete", "Back", "browser"):
            assert (where, english in words.replace("API token", "")) == (where, False)


@pytest.mark.parametrize("size", [(360, 740), (1280, 800)])
def test_what_was_done_is_said_where_the_page_opens_and_covers_no_heading(
    size: tuple[int, int],
    new_person: NewPerson,  # noqa: F811
) -> None:
    tab = new_person(viewport={"width": size[0], "height": size[1]}).context.new_page()
    for saved, part in (("1", "keys"), ("erased-partly", "account"), ("token", "tokens")):
        tab.goto(f"/settings/?saved={saved}#{part}")
        words, heading = tab.locator(".saved"), tab.locator(f"#{part} h2")
        for each in (words, heading):
            expect(each).to_be_in_viewport(ratio=1)
        above, below = words.bounding_box(), heading.bounding_box()
        assert above
        assert below
        assert above["y"] + above["height"] <= below["y"]


def test_a_token_is_revoked_on_a_phone(new_person: NewPerson) -> None:  # noqa: F811
    tab = new_person(viewport={"width": 360, "height": 740}).context.new_page()
    tab.goto("/settings/")
    tab.get_by_label("Name of the new token").fill("of a rather long name that says what it is for")
    tab.get_by_role("button", name="Make a token").click()
    expect(tab.locator(".token")).to_contain_text("of a rather long name that says what it is for")
    assert tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    tab.get_by_role("button", name="Revoke").click()
    expect(tab.locator("#tokens")).to_contain_text("You have no token.")


def test_a_new_token_is_in_view_the_moment_it_is_made(new_person: NewPerson) -> None:  # noqa: F811
    tab = new_person().context.new_page()
    tab.goto("/settings/")
    tab.get_by_label("Name of the new token").fill("mine")
    tab.get_by_role("button", name="Make a token").click()
    expect(tab.get_by_label("Your new token")).to_be_in_viewport()


def test_another_device_is_signed_out(new_person: NewPerson, new_context: NewContext) -> None:  # noqa: F811
    person = new_person()
    here, there = person.context.new_page(), new_context(storage_state=None).new_page()
    person.sign_in(there)
    here.goto("/settings/")
    here.get_by_role("link", name="Sign out other devices").click()
    here.get_by_label("Your password").fill(PASSWORD)
    here.keyboard.press("Enter")
    expect(here.locator(".saved")).to_have_text("All other devices are signed out.")
    there.goto("/inbox/")
    expect(there.get_by_role("heading", name="Sign in")).to_be_visible()


def test_a_person_gets_their_data_and_then_has_them_erased(new_person: NewPerson) -> None:  # noqa: F811
    person = new_person()
    address = person.begin("end")
    tab = person.context.new_page()
    tab.goto(address)
    expect(tab.locator(".run-completed")).to_be_visible()
    tab.goto("/settings/")
    with tab.expect_download() as download:
        tab.get_by_role("button", name="Download my data").click()
    with zipfile.ZipFile(download.value.path()) as archive:
        assert json.loads(archive.read("account.json"))["user"]["name"] == person.name
        assert "Help me" in archive.read(f"sessions/{address.split('/')[2]}.json").decode()
    tab.get_by_role("link", name="Delete my data").click()
    tab.get_by_label("Your password").fill("wrong")
    tab.keyboard.press("Enter")
    expect(tab.get_by_role("alert")).to_have_text("The password is wrong.")
    tab.get_by_label("Your password").fill(PASSWORD)
    tab.get_by_role("button", name="Delete my data for good").click()
    expect(tab.locator(".saved")).to_contain_text("Your data were erased.")
    tab.goto(address)
    expect(tab.locator(".row-person")).to_have_text("This message was erased.")
    assert "Help me" not in tab.content()


def test_a_page_that_stands_open_takes_erased_words_away_and_says_so(new_person: NewPerson, server: ServerProcess) -> None:  # noqa: F811
    person = new_person()
    tab = person.context.new_page()
    tab.goto(person.begin("end"))
    expect(tab.locator(".run-completed")).to_be_visible()
    tab.locator("#message").fill("half a message")
    hide(tab, True)
    server.manage("erase_user_data", person.name, stdin=f"{person.name}\n")
    hide(tab, False)
    expect(tab.locator("#notice")).to_contain_text("The words of this chat were erased.")
    expect(tab.get_by_label("What you had typed", exact=True)).to_have_value("half a message")
    expect(tab.locator("#session-title")).to_have_text("Untitled chat")
    expect(tab.locator("body")).not_to_contain_text("Help me")
    assert "Help me" not in tab.title()
    tab.get_by_role("link", name="Load the page anew").click()
    expect(tab.locator(".row-person")).to_have_text("This message was erased.")


def test_a_question_that_is_erased_with_its_run_leaves_no_word_on_an_open_page(
    new_person: NewPerson,  # noqa: F811
    server: ServerProcess,
) -> None:
    person = new_person()
    tab = person.context.new_page()
    tab.goto(person.begin("single"))
    expect(tab.locator("#card")).to_be_visible()
    server.manage("erase_user_data", person.name, stdin=f"{person.name}\n")
    expect(tab.locator("#notice")).to_contain_text("The words of this chat were erased.")
    expect(tab.locator("#card")).to_have_count(0)
    expect(tab.locator("#composer")).to_be_hidden()


def test_an_older_page_that_stands_open_takes_erased_words_away(new_person: NewPerson, server: ServerProcess) -> None:  # noqa: F811
    person = new_person()
    tab = person.context.new_page()
    tab.goto(f"{person.begin('end')}?before=x")
    expect(tab.locator(".row-person")).to_contain_text("Help me")
    hide(tab, True)
    server.manage("erase_user_data", person.name, stdin=f"{person.name}\n")
    hide(tab, False)
    expect(tab.locator("#notice")).to_contain_text("The words of this chat were erased.")
    expect(tab.locator("body")).not_to_contain_text("Help me")
    assert "Help me" not in tab.title()


def test_the_page_of_a_question_that_stands_open_takes_erased_words_away(
    new_person: NewPerson,  # noqa: F811
    server: ServerProcess,
) -> None:
    person = new_person()
    tab = person.context.new_page()
    tab.goto(person.begin("single"))
    tab.locator(".card-close").click()
    expect(tab.locator(".receipt")).to_be_visible()
    title = tab.locator(".receipt-title").inner_text()
    tab.goto(f"/q/{tab.locator('[id^=q-]').get_attribute('id').removeprefix('q-')}/")
    expect(tab.locator("#receipt")).to_contain_text(title)
    hide(tab, True)
    server.manage("erase_user_data", person.name, stdin=f"{person.name}\n")
    hide(tab, False)
    expect(tab.locator("#receipt")).to_have_text("These words were erased.")
    expect(tab.locator("body")).not_to_contain_text(title)
    expect(tab.locator("body")).not_to_contain_text("Help me")
    assert title not in tab.title()
    expect(tab.get_by_role("link", name="Go to the chat")).to_be_visible()
