"""What a page costs: bytes, requests, long tasks."""

import sqlite3

import pytest
from playwright.sync_api import Page, Request, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from apps.web.timeline import PAGE
from tests.browser.conftest import Ask, NewContext, start
from tests.browser.volume import fill

ROWS = 1000


def test_a_chat_without_formulas_weighs_at_most_150_kilobytes(ask: Ask, new_context: NewContext) -> None:
    tab = ask("single")
    fresh = new_context().new_page()
    fresh.goto(tab.url)
    expect(fresh.locator("#connection")).to_have_attribute("data-state", "live")
    sizes = fresh.evaluate(
        """() => [...performance.getEntriesByType("resource"), ...performance.getEntriesByType("navigation")]
          .map((each) => each.transferSize)"""
    )
    assert sum(sizes) <= 150_000


def test_formulas_cost_nothing_where_there_is_none(page: Page) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    start(page, "end")
    expect(page.locator(".run-completed")).to_be_visible()
    assert not [url for url in loaded if "katex" in url]


def test_an_idle_chat_has_two_requests_in_flight_at_most(ask: Ask, new_context: NewContext) -> None:
    under_way: set[Request] = set()
    context = new_context()
    context.on("request", lambda request: under_way.add(request))
    for end in ("requestfinished", "requestfailed"):
        context.on(end, lambda request: under_way.discard(request))  # type: ignore[call-overload]
    tab = ask("single", tab=context.new_page())
    tab.wait_for_timeout(1500)
    assert sorted(request.url.rsplit("/", 2)[-2] for request in under_way) in (["inbox"], sorted(["inbox", session_of(tab)]))
    with pytest.raises(PlaywrightTimeout):
        context.wait_for_event("request", timeout=2500)


def session_of(tab: Page) -> str:
    """Return the id of the session that is shown."""
    return str(tab.locator("#main").get_attribute("data-session"))


def test_a_thousand_earlier_rows_come_page_by_page_and_the_reader_stays(ask: Ask, database: sqlite3.Connection) -> None:
    tab = ask("end", ".run-completed")
    fill(database, session_of(tab), ROWS)
    tab.reload()
    rows, more = tab.locator("#timeline > .row"), tab.locator("#older a")
    expect(rows).not_to_have_count(0)
    assert rows.count() <= PAGE + 1
    while more.count():
        more.scroll_into_view_if_needed()
        known, first = rows.count(), rows.first.get_attribute("id")
        place = tab.locator(f"#{first}").bounding_box()
        more.click()
        expect(rows).not_to_have_count(known)
        assert rows.count() - known <= PAGE + 1
        now = tab.locator(f"#{first}").bounding_box()
        assert place
        assert now
        assert abs(now["y"] - place["y"]) < 4
    assert rows.count() >= ROWS
