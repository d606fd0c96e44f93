"""The plan card and the plan panel in a browser: by pointer, by keyboard, in several tabs, and without scripts."""

import re
import sqlite3
from collections.abc import Callable

import httpx
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.conftest import NewContext, answer_of, request_id, tag

Solve = Callable[..., Page]


@pytest.fixture
def solve(page: Page, api: httpx.Client) -> Solve:
    """Open a chat in which the model solves by a script, and wait for its card."""

    def begin(script: str, waits_for: str = "#card", tab: Page | None = None, **config: object) -> Page:
        tab = tab or page
        body = {"message": f"Solve it {tag(script)}", "capability": "solve", "config": config}
        begun = api.post("/api/chat", json=body).json()
        tab.goto(f"/s/{begun['sessionId']}/")
        expect(tab.locator(waits_for)).to_be_visible()
        return tab

    return begin


def goals(tab: Page) -> list[str]:
    """Return the steps in the fields of the card, in order."""
    return [field.input_value() for field in tab.locator("#plan-fields textarea").all()]


def edit(tab: Page) -> None:
    tab.locator(".plan-edit > summary").click()


def test_steps_are_moved_added_and_removed_by_keyboard_and_the_edited_plan_stands(
    solve: Solve, database: sqlite3.Connection
) -> None:
    tab = solve("solve")
    request = request_id(tab)
    edit(tab)
    tab.get_by_role("button", name="Move this step down").first.press("Enter")
    expect(tab.get_by_role("button", name="Move this step down").nth(1)).to_be_focused()
    assert goals(tab) == ["Verify", "Factor"]
    tab.get_by_role("button", name="Add a step").press("Enter")
    tab.keyboard.type("Guess")
    tab.get_by_role("button", name="Remove this step").first.press("Enter")
    assert goals(tab) == ["Factor", "Guess"]
    expect(tab.get_by_label("Step 1")).to_be_focused()
    tab.get_by_role("button", name="Approve with these changes").press("Enter")
    expect(tab.locator("#plan-panel")).to_contain_text("1 of 2")
    assert answer_of(database, request)["decision"] == "approve_with_edits"
    expect(tab.locator(f"#q-{request}")).to_contain_text("Approved as edited:")


def test_what_was_edited_is_there_after_a_reload_and_on_another_device(solve: Solve, new_context: NewContext) -> None:
    tab = solve("solve")
    edit(tab)
    tab.get_by_label("Step 2").fill("Verify twice")
    tab.get_by_role("button", name="Move this step up").nth(1).click()
    expect(tab.locator("#draft-state")).to_be_visible()
    other = new_context().new_page()
    other.goto(tab.url)
    tab.reload()
    for each in (tab, other):
        expect(each.get_by_role("button", name="Approve with these changes")).to_be_visible()
        assert goals(each) == ["Verify twice", "Factor"]


def test_no_more_than_twelve_steps_are_added(solve: Solve) -> None:
    tab = solve("solve")
    edit(tab)
    for _press in range(10):
        tab.get_by_role("button", name="Add a step").click()
    expect(tab.get_by_role("button", name="Add a step")).to_be_disabled()
    assert len(goals(tab)) == 12


def test_a_step_that_is_too_long_is_refused_beside_its_field(solve: Solve) -> None:
    tab = solve("solve")
    edit(tab)
    tab.get_by_label("Step 2").fill("x" * 501)
    tab.get_by_role("button", name="Approve with these changes").click()
    expect(tab.locator("#card-errors")).to_be_focused()
    expect(tab.locator(".plan-field .field-error")).to_contain_text("500 characters")
    assert goals(tab) == ["Factor", "x" * 501]


def test_a_rejection_with_feedback_brings_a_revision_that_says_what_changed(solve: Solve) -> None:
    tab = solve("revised")
    tab.locator("#plan-feedback").fill("split step 2")
    tab.keyboard.press("Control+Enter")
    changes = tab.locator(".plan-change")
    expect(changes).to_have_text([re.compile("Removed.*Verify"), re.compile("Added.*Read"), re.compile("Added.*Check")])
    expect(tab.locator(".receipt-text")).to_contain_text("split step 2")
    tab.locator(".card").get_by_role("button", name="Start").click()
    expect(tab.locator("#plan-panel")).to_contain_text("of 3")


def test_the_panel_follows_the_run_in_every_tab(solve: Solve, context: BrowserContext) -> None:
    first, second = solve("solve"), context.new_page()
    second.goto(first.url)
    first.bring_to_front()
    first.locator(".card").get_by_role("button", name="Start").click()
    second.bring_to_front()
    for tab in (first, second):
        expect(tab.locator("#plan-panel")).to_contain_text("1 of 2")
        expect(tab.locator(".plan-step-current")).to_contain_text("Verify")
    second.locator("#card [data-text]").fill("yes")
    second.keyboard.press("Enter")
    for tab in (second, first):
        tab.bring_to_front()
        expect(tab.locator(".plan-step-failed")).to_contain_text("S2 · failed")
        expect(tab.locator(".plan-words")).to_contain_text("1 step failed")


def test_a_replan_shows_in_the_panel_and_what_is_closed_stays_closed(solve: Solve) -> None:
    tab = solve("replanned", plan_review="off")
    panel = tab.locator("#plan-panel")
    expect(panel).to_contain_text("replans 1/2")
    panel.locator("> summary").press("Enter")
    expect(tab.locator(".plan-steps").first).not_to_be_visible()
    tab.locator("#card [data-text]").fill("yes")
    tab.keyboard.press("Enter")
    expect(panel).to_contain_text("2 of 2")
    expect(tab.locator(".run-completed")).to_be_visible()
    expect(tab.locator(".plan-steps").first).not_to_be_visible()
    panel.locator("> summary").click()
    expect(tab.locator(".plan-dropped")).to_contain_text("1 step dropped by a replan")


def test_reply_in_chat_takes_feedback_and_edited_steps_along_and_stays_in_deep_solve(solve: Solve) -> None:
    tab = solve("solve")
    edit(tab)
    tab.get_by_label("Step 1").fill("Guess")
    tab.locator("#plan-feedback").fill("why?")
    tab.get_by_role("button", name="Reply in chat").click()
    expect(tab.locator("#message")).to_have_value("why?\n\n1. Guess\n2. Verify")
    expect(tab.get_by_role("switch", name="Deep solve")).to_be_checked()


def test_the_switch_is_worked_by_keyboard_and_stays_as_it_was_for_the_session(page: Page) -> None:
    page.goto("/new/")
    page.get_by_role("switch", name="Deep solve").focus()
    page.keyboard.press("Space")
    page.locator("#message").fill(f"Solve it {tag('unplanned')}")
    page.keyboard.press("Enter")
    page.wait_for_url("**/s/*/")
    expect(page.locator(".plan-words")).to_contain_text("Ended without a plan.")
    page.reload()
    expect(page.get_by_role("switch", name="Deep solve")).to_be_checked()


def test_a_text_repeated_after_the_reminder_stands_once_in_a_page_that_was_open_h82(page: Page) -> None:
    page.goto("/new/")
    page.get_by_role("switch", name="Deep solve").check()
    page.locator("#message").fill(f"Solve it {tag('unplanned')}")
    page.keyboard.press("Enter")
    expect(page.locator(".run-completed")).to_contain_text("Done, without a plan")
    expect(page.get_by_text("Just so.")).to_have_count(1)


def test_a_long_plan_is_within_reach_on_a_phone_h69(solve: Solve, new_context: NewContext) -> None:
    tab = solve("long-plan", tab=new_context(viewport={"width": 360, "height": 640}, has_touch=True).new_page())
    edit(tab)
    last = tab.get_by_role("button", name="Remove this step").last
    last.scroll_into_view_if_needed()
    last.click()
    assert len(goals(tab)) == 11
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
    tab.get_by_role("button", name="Approve with these changes").click()
    expect(tab.locator(".plan-count")).to_contain_text("of 11")


def test_without_scripts_a_plan_is_edited_and_approved(solve: Solve, new_context: NewContext) -> None:
    tab = new_context(java_script_enabled=False).new_page()
    tab.goto("/new/")
    tab.get_by_role("switch", name="Deep solve").check()
    tab.locator("#message").fill(f"Solve it {tag('solve')}")
    tab.get_by_role("button", name="Send").click()
    for _look in range(40):
        if tab.locator("#card").is_visible():
            break
        tab.wait_for_timeout(200)
        tab.reload()
    edit(tab)
    tab.get_by_role("button", name="Move this step down").first.click()
    assert goals(tab) == ["Verify", "Factor"]
    tab.get_by_role("button", name="Add a step").click()
    tab.get_by_label("Step 3").fill("Guess")
    tab.get_by_role("button", name="Approve with these changes").click()
    expect(tab.locator(".receipt-plan")).to_have_text(re.compile("Verify.*Factor.*Guess", re.DOTALL))
