"""The console in a browser: under the strict content security policy, light and dark, on a phone, for screen readers."""

import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import Ask, NewContext, request_id
from tests.support.server import PASSWORD

LISTS = (
    "interactions/interaction/",
    "chat/chatsession/",
    "chat/run/",
    "solve/solveplan/",
    "audit/auditrecord/",
    "accounts/user/",
    "auth/group/",
    "accounts/apitoken/",
    "chat/capabilitysettings/",
    "audit/retention/",
)
SERIOUS = ("serious", "critical")


@pytest.fixture
def asked(ask: Ask, page: Page) -> str:
    """Let the agent ask, answer it, and return the id of the question."""
    tab = ask("single-own", tab=page)
    request = request_id(tab)
    tab.locator("#card .option").first.click()
    tab.locator("#card .submit-button").click()
    expect(tab.locator(".receipt-answered")).to_be_visible()
    return request


def pages_of(page: Page, api: httpx.Client, request: str) -> Iterator[str]:
    """Yield the addresses of every kind of page."""
    asked = api.get(f"/api/interactions/{request}").json()
    session, run = asked["sessionId"], asked["runId"]
    yield from ("", *LISTS)
    yield f"interactions/interaction/{request}/change/"
    yield from (f"chat/chatsession/{session}/{name}/" for name in ("change", "events", "verify"))
    yield from (f"audit/auditrecord/{session}.1/{name}/" for name in ("change", "verify"))
    yield "audit/auditrecord/anchors/"
    yield from (f"chat/run/{run}/change/", "accounts/user/add/", "auth/group/auditor/change/")
    page.goto("/admin/accounts/user/")
    yield str(page.locator("#result_list tbody a").first.get_attribute("href")).removeprefix("/admin/")


def test_no_page_breaks_the_policy_or_complains(page: Page, api: httpx.Client, asked: str) -> None:
    # The fixture `complaints` fails the test for a violation or an error of a script.
    for path in pages_of(page, api, asked):
        answer = page.goto(f"/admin/{path}")
        assert answer is not None
        assert answer.status == 200, path
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "nonce" not in policy
        assert page.locator("[style], style, script:not([src])").count() == 0, path


@pytest.mark.parametrize("address", ["/admin/", "/admin/nothing-here/", "/sign-in/?next=/admin/"])
def test_the_way_in_keeps_the_policy(address: str, new_context: NewContext) -> None:
    tab = new_context(storage_state=None).new_page()
    answer = tab.goto(address)
    assert answer is not None
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert tab.locator("[style], style, script:not([src])").count() == 0
    tab.locator("[name=name]").fill("admin")
    tab.locator("[name=password]").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    expect(tab).to_have_url(re.compile(r"/admin/"))


def test_a_sign_in_link_is_shown_under_the_policy_too(page: Page) -> None:
    page.goto("/admin/accounts/user/")
    page.locator("#result_list tbody a").first.click()
    page.get_by_role("button", name="Make a sign-in link").click()
    expect(page.locator(".verbatim")).to_contain_text("/sign-in/link/")
    assert page.locator("[style], style, script:not([src])").count() == 0


def contrast_and_names(page: Page) -> list[str]:
    """Return what axe finds serious."""
    found: Any = Axe().run(page).response["violations"]
    return [f"{each['id']}: {each['nodes'][0]['html'][:120]}" for each in found if each["impact"] in SERIOUS]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(scheme: str, new_context: NewContext, api: httpx.Client, asked: str) -> None:
    # axe is put into the page, which the policy rightly forbids to everybody else.
    tab = new_context(color_scheme=scheme, bypass_csp=True).new_page()
    for path in ("", "interactions/interaction/", f"interactions/interaction/{asked}/change/", "audit/auditrecord/"):
        tab.goto(f"/admin/{path}")
        assert contrast_and_names(tab) == [], path


def test_the_dark_mode_is_dark(new_context: NewContext) -> None:
    grounds = []
    for scheme in ("light", "dark"):
        tab = new_context(color_scheme=scheme).new_page()
        tab.goto("/admin/")
        grounds.append(tab.evaluate("getComputedStyle(document.body).backgroundColor"))
    light, dark = (sum(map(int, re.findall(r"\d+", ground)[:3])) for ground in grounds)
    assert light > 600
    assert dark < 120


def test_an_auditor_finds_who_was_asked_what_in_four_steps(page: Page, asked: str) -> None:
    page.goto("/admin/")
    page.get_by_role("link", name="Interactions", exact=True).click()
    page.get_by_label("Id or user").fill("admin")
    page.get_by_role("button", name="Search").click()
    page.locator(f'#result_list a[href*="{asked}"]').click()
    expect(page.locator(".course .step")).not_to_have_count(0)
    expect(page.locator(".offers .chosen")).to_have_count(1)
    page.get_by_role("link", name="Verify chain").click()
    expect(page.locator(".verdict-good")).to_be_visible()


def test_an_answer_is_revealed_with_a_reason_and_that_is_seen_in_the_course(page: Page, asked: str) -> None:
    page.goto(f"/admin/interactions/interaction/{asked}/change/")
    page.locator("#reveal-reason").fill("The user asked for it.")
    page.get_by_role("button", name="Reveal, and record it").click()
    expect(page.locator("#revealed")).to_be_visible()
    page.goto(f"/admin/interactions/interaction/{asked}/change/")
    expect(page.locator("#revealed")).to_have_count(0)
    expect(page.locator(".step-answer_revealed")).to_have_count(1)


def test_every_page_fits_a_phone(page: Page, new_context: NewContext, api: httpx.Client, asked: str) -> None:
    context: BrowserContext = new_context(viewport={"width": 360, "height": 740})
    tab = context.new_page()
    too_wide = []
    for path in pages_of(page, api, asked):
        tab.goto(f"/admin/{path}")
        beyond = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        too_wide += [(path, beyond)] if beyond > 0 else []
    assert too_wide == []


def test_the_letters_of_charts_can_be_read_on_a_phone(new_context: NewContext, asked: str) -> None:
    tab = new_context(viewport={"width": 360, "height": 740}).new_page()
    tab.goto("/admin/")
    heights = """(all) => all.filter((each) => getComputedStyle(each).display !== "none").map((each) => {
      const drawing = each.ownerSVGElement;
      return parseFloat(getComputedStyle(each).fontSize) * drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
    })"""
    found = tab.locator(".chart text").evaluate_all(heights)
    assert found
    assert min(found) >= 12


def test_whoever_is_not_signed_in_is_led_to_the_products_sign_in_page(new_context: NewContext) -> None:
    tab = new_context(storage_state=None).new_page()
    tab.goto("/admin/audit/auditrecord/?kind=run_started")
    expect(tab).to_have_url(re.compile(r"/sign-in/\?next=/admin/audit/auditrecord/%3Fkind%3Drun_started"))
