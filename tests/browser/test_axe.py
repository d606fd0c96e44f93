"""axe looks at every page and every card: light, dark, in Chinese."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from apps.web.urls import urlpatterns
from tests.browser.conftest import Ask, NewContext, tag

SERIOUS = ("serious", "critical")
MODES = ["single-own", "multiple", "toggle", "text", "number", "date", "directory"]
CARDS = [*MODES, "questions", "plan", "approval", "two", "long"]
NO_PAGES = {"sidebar", "form-token", "export"}
PAGES = [f"/{each.pattern}" for each in urlpatterns if "<" not in str(each.pattern) and each.name not in NO_PAGES]
COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}


def issues(tab: Page, options: dict[str, Any] | None = None) -> list[str]:
    """Return what axe finds serious."""
    found: Any = Axe().run(tab, options=options)
    bad = [each for each in found.response["violations"] if each["impact"] in SERIOUS]
    return [f"{tab.url} {each['id']}: {node['target']} {node['failureSummary']}" for each in bad for node in each["nodes"]]


def assert_accessible(tab: Page) -> None:
    """Check a page with axe in light, and its colours in dark."""
    tab.emulate_media(color_scheme="light")
    assert issues(tab) == []
    tab.emulate_media(color_scheme="dark")
    assert issues(tab, COLOURS) == []


@pytest.fixture
def still(new_context: NewContext) -> Page:
    """Return a tab without movement that lets axe in."""
    return new_context(bypass_csp=True, reduced_motion="reduce").new_page()


@pytest.fixture
def still_in_chinese(new_context: NewContext) -> Page:
    """Return such a tab of somebody who reads Chinese."""
    return new_context(bypass_csp=True, reduced_motion="reduce", locale="zh-CN").new_page()


def pages(tab: Page) -> Iterator[str]:
    """Open all pages that need no id, one by one; addresses that only take a POST have none."""
    for where in (*PAGES, "/sessions/?q=nothing+like+it", "/sessions/?archived=1", "/nowhere/"):
        if tab.request.head(where).status != 405:
            tab.goto(where)
            yield where


def test_axe_finds_nothing_serious_on_any_page(still: Page) -> None:
    seen = []
    for where in pages(still):
        assert_accessible(still)
        seen.append(where)
    assert {"/", "/new/", "/inbox/", "/settings/", "/sessions/"} <= set(seen)


@pytest.mark.full
def test_axe_finds_nothing_serious_on_any_page_in_chinese(still_in_chinese: Page) -> None:
    for _where in pages(still_in_chinese):
        expect(still_in_chinese.locator("html")).to_have_attribute("lang", "zh-hans")
        assert issues(still_in_chinese) == []


@pytest.mark.parametrize("where", ["/sign-in/", "/sign-in/link/no_such_link/", "/nowhere/", "/sign-out/"])
def test_axe_finds_nothing_serious_at_the_door(where: str, new_context: NewContext) -> None:
    tab = new_context(bypass_csp=True, reduced_motion="reduce", storage_state=None).new_page()
    tab.goto(where)
    assert_accessible(tab)
    if tab.get_by_role("button", name="Sign in").count():
        tab.get_by_role("button", name="Sign in").click()
        assert issues(tab) == []


@pytest.mark.parametrize("script", CARDS)
def test_axe_finds_nothing_serious_on_any_card(script: str, ask: Ask, still: Page) -> None:
    tab = ask(script, tab=still)
    assert_accessible(tab)
    if script in MODES:
        tab.locator("#card .submit-button").click()
        expect(tab.locator("#card-errors")).to_be_focused()
        assert issues(tab) == []


@pytest.mark.full
def test_axe_finds_nothing_serious_on_any_card_in_chinese(ask: Ask, still_in_chinese: Page) -> None:
    for script in CARDS:
        assert issues(ask(script, tab=still_in_chinese)) == []


def test_axe_finds_nothing_serious_on_the_pages_of_several_questions(ask: Ask, still: Page) -> None:
    tab = ask("questions", tab=still)
    for _question in range(3):
        tab.get_by_role("button", name="Skip this question").click()
        assert issues(tab) == []
    assert_accessible(tab)


@pytest.mark.parametrize("script", ["tool", "figure", "math", "broken", "flaky"])
def test_axe_finds_nothing_serious_in_a_timeline(script: str, ask: Ask, still: Page) -> None:
    tab = ask(script, ".run-completed, .run-error", tab=still)
    for summary in tab.locator(".timeline summary").all():
        summary.click()
    assert_accessible(tab)


def test_axe_finds_nothing_serious_in_what_became_of_a_plan(api: httpx.Client, nothing_waits: None, still: Page) -> None:
    body = {"message": f"Solve it {tag('replanned')}", "capability": "solve", "config": {"plan_review": "off"}}
    still.goto(f"/s/{api.post('/api/chat', json=body).json()['sessionId']}/")
    expect(still.locator("#card")).to_be_visible()
    expect(still.locator(".row-plan")).to_have_count(3)
    for summary in still.locator(".row-plan summary").all():
        summary.click()
    assert_accessible(still)


def test_axe_finds_nothing_serious_in_receipts(ask: Ask, still: Page) -> None:
    tab = ask("multiple", tab=still)
    tab.get_by_label("Wait", exact=True).check()
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".run-completed")).to_be_visible()
    assert_accessible(tab)
    request = str(tab.locator(".row-receipt").get_attribute("id")).removeprefix("q-")
    for where in (f"/q/{request}/", f"{tab.url.split('#')[0]}delete/"):
        tab.goto(where)
        assert_accessible(tab)
    tab = ask("questions", tab=still)
    tab.get_by_role("button", name="Close without answering").last.click()
    expect(tab.locator(".receipt-cancelled")).to_be_visible()
    tab.locator(".receipt-cancelled > summary").click()
    assert_accessible(tab)


def test_axe_finds_nothing_serious_in_what_opens(ask: Ask, new_context: NewContext) -> None:
    narrow = {"width": 360, "height": 740}
    tab = ask("end", ".run-completed", tab=new_context(bypass_csp=True, reduced_motion="reduce", viewport=narrow).new_page())
    tab.get_by_role("button", name="Chats").click()
    expect(tab.locator("#sidebar")).to_be_visible()
    assert_accessible(tab)
    tab.keyboard.press("Escape")
    tab.locator(".menu > summary").click()
    assert_accessible(tab)
