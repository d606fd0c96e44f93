"""Phones, long words, languages, accessibility, weight."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import Ask, NewContext

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
SERIOUS = ("serious", "critical")
PAGES = ["/new/", "/inbox/", "/settings/", "/settings/password/", "/sessions/", "/nowhere/"]
CARDS = ["single-own", "multiple", "toggle", "text", "number", "date", "directory", "questions", "plan"]


def overflow(tab: Page) -> int:
    """Return by how many pixels the page is wider than its window."""
    return int(tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth"))


def test_every_option_and_button_is_within_reach_on_a_phone_h69(ask: Ask, new_context: NewContext) -> None:
    tab = ask("long", tab=new_context(**PHONE).new_page())
    for height in (640, 320):
        tab.set_viewport_size({"width": 360, "height": height})
        assert overflow(tab) == 0
        for target in (*tab.locator("#card .option").all(), *tab.locator("#card .card-actions button:visible").all()):
            target.scroll_into_view_if_needed()
            expect(target).to_be_in_viewport()
    tab.set_viewport_size({"width": 360, "height": 640})
    tab.locator("#card .option").nth(10).click()
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".receipt-answered")).to_be_visible()


@pytest.mark.parametrize("width", [320, 360, 1280])
def test_long_labels_are_shown_whole_h71(width: int, ask: Ask, new_context: NewContext) -> None:
    tab = ask("long", tab=new_context(viewport={"width": width, "height": 800}).new_page())
    assert overflow(tab) == 0
    for label in tab.locator("#card .option label:not(.visually-hidden)").all():
        is_whole = "(each) => each.scrollWidth <= each.clientWidth && getComputedStyle(each).textOverflow === 'clip'"
        assert label.evaluate(is_whole)


def test_every_page_fits_a_small_phone(new_context: NewContext) -> None:
    tab = new_context(viewport={"width": 320, "height": 640}).new_page()
    for where in PAGES:
        tab.goto(where)
        assert (where, overflow(tab)) == (where, 0)


def test_targets_are_large_enough_for_fingers(ask: Ask, new_context: NewContext) -> None:
    tab = ask("questions", tab=new_context(**PHONE).new_page())
    small = tab.evaluate(
        """() => [...document.querySelectorAll("main button, main a[href], main .option")]
          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 44)
          .map((each) => `${each.className} ${each.textContent.trim()} ${each.getBoundingClientRect().height}`)"""
    )
    assert small == []


def issues(tab: Page) -> list[str]:
    """Return what axe finds serious."""
    found: Any = Axe().run(tab)
    bad = [each for each in found.response["violations"] if each["impact"] in SERIOUS]
    return [f"{each['id']}: {node['target']} {node['failureSummary']}" for each in bad for node in each["nodes"]]


@pytest.fixture
def still(new_context: NewContext) -> Page:
    """Return a tab without movement that lets axe in."""
    return new_context(bypass_csp=True, reduced_motion="reduce").new_page()


def assert_accessible(tab: Page) -> None:
    """Check a page with axe in light and in dark."""
    for scheme in ("light", "dark"):
        tab.emulate_media(color_scheme=scheme)
        assert issues(tab) == []


@pytest.mark.parametrize("where", PAGES)
def test_axe_finds_nothing_serious_on_any_page(where: str, still: Page) -> None:
    still.goto(where)
    assert_accessible(still)


def test_axe_finds_nothing_serious_at_the_door(new_context: NewContext) -> None:
    tab = new_context(bypass_csp=True, reduced_motion="reduce", storage_state=None).new_page()
    tab.goto("/sign-in/")
    assert_accessible(tab)


@pytest.mark.parametrize("script", CARDS)
def test_axe_finds_nothing_serious_on_any_card(script: str, ask: Ask, still: Page) -> None:
    tab = ask(script, tab=still)
    assert_accessible(tab)
    if script not in ("questions", "plan"):
        tab.locator("#card .submit-button").click()
        expect(tab.locator("#card-errors")).to_be_focused()
        assert issues(tab) == []


def test_axe_finds_nothing_serious_in_a_finished_chat(ask: Ask, still: Page) -> None:
    tab = ask("multiple", tab=still)
    tab.get_by_label("Wait", exact=True).check()
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".run-completed")).to_be_visible()
    assert_accessible(tab)


def test_a_page_in_chinese_holds_no_english_h72(ask: Ask, new_context: NewContext) -> None:
    tab = ask("text", tab=new_context(locale="zh-CN").new_page())
    expect(tab.locator("html")).to_have_attribute("lang", "zh-hans")
    expect(tab.locator("#card")).to_contain_text("智能体的问题")
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".field-error")).to_contain_text("请填写回答")
    chrome = tab.locator("header.chat-head, #sidebar, .card-head, .card-actions, #card-errors")
    words = " ".join(chrome.all_inner_texts())
    for english in ("Question", "Stop", "Send", "Reply", "Expires", "Settings", "Waiting", "Live", "Inbox", "Write"):
        assert english not in words


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


def test_the_whole_flow_works_without_scripts(new_context: NewContext) -> None:
    tab = new_context(java_script_enabled=False).new_page()
    tab.goto("/new/")
    tab.locator("#message").fill("Help me [[questions#noscript]]")
    tab.get_by_role("button", name="Send").click()
    for _look in range(30):
        if tab.locator("#card").count():
            break
        tab.wait_for_timeout(200)
        tab.reload()
    tab.get_by_label("Careful").check()
    tab.locator("[data-skip]").nth(1).check()
    tab.get_by_role("button", name="Send answer").click()
    expect(tab.locator("#card-errors")).to_contain_text("Which folder?: Answer this question, or skip it.")
    tab.locator("#card [data-text]").fill("src")
    tab.get_by_role("button", name="Send answer").click()
    expect(tab.locator(".receipt-answered")).to_contain_text("2 of 3")
