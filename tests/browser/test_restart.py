"""The service dies and comes back while a page is open."""

import sqlite3

from playwright.sync_api import expect

from tests.browser.conftest import Ask, NewContext, answer_of, request_id
from tests.support.server import ServerProcess


def test_an_open_page_outlives_a_killed_service(ask: Ask, server: ServerProcess, database: sqlite3.Connection) -> None:
    tab = ask("single")
    request = request_id(tab)
    tab.get_by_label("Wait", exact=True).check()
    server.kill()
    expect(tab.locator("#connection")).not_to_have_attribute("data-state", "live")
    tab.get_by_role("button", name="Continue").click()
    expect(tab.locator("#notice")).to_contain_text("cannot be reached")
    server.start()
    expect(tab.locator("#connection")).to_have_attribute("data-state", "live", timeout=20_000)
    expect(tab.get_by_label("Wait", exact=True)).to_be_checked()
    tab.get_by_role("button", name="Continue").click()
    expect(tab.locator(".run-completed")).to_be_visible()
    expect(tab.locator(f"#q-{request} .is-chosen")).to_contain_text("Wait")
    assert answer_of(database, request)["selections"] == ["wait"]


def test_what_was_typed_while_the_service_was_gone_is_kept_once_it_is_back(
    ask: Ask, server: ServerProcess, new_context: NewContext
) -> None:
    tab = ask("text")
    server.kill()
    tab.locator("#card [data-text]").fill("typed in between")
    expect(tab.locator("#connection")).not_to_have_attribute("data-state", "live")
    server.start()
    expect(tab.locator("#draft-state")).to_be_visible()
    other = new_context().new_page()
    other.goto(tab.url)
    expect(other.locator("#card [data-text]")).to_have_value("typed in between")
