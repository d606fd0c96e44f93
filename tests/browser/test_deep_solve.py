"""A problem in deep_solve with the built-in solver: plan, edit, approve, a service that dies in the middle, the end."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import Complaints
from tests.support.server import ServerProcess, wait_until

DIES_AFTER = "6:after"
"""Transactions after the approval was clicked: some steps are finished then, and some are not."""


@pytest.fixture(scope="module")
def solver(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server with the built-in solver that kills itself at a transaction once it is armed."""
    server = ServerProcess(tmp_path_factory.mktemp("solver"), {"HANDRAISE_CRASH": DIES_AFTER}, "tests.crash.settings")
    yield server.start()
    server.close()


@pytest.fixture(scope="module")
def signed_in(solver: ServerProcess, chromium: Browser) -> Iterator[BrowserContext]:
    """A browser whose user has signed in by the link of the first start."""
    context = chromium.new_context(base_url=solver.address, viewport={"width": 1280, "height": 800}, locale="en-GB")
    page = context.new_page()
    page.goto(solver.sign_in_link())
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)
    yield context
    context.close()


@pytest.fixture
def tab(signed_in: BrowserContext, complaints: Complaints) -> Iterator[Page]:
    """Return a page in which a problem was begun in deep_solve."""
    page = signed_in.new_page()
    complaints.watch(page)
    page.goto("/new/")
    page.get_by_role("switch", name="Deep solve").check()
    page.locator("#message").fill("solve x^2-5x+6=0")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Plan waiting for you")).to_be_visible()
    yield page
    page.close()


def test_a_problem_is_solved_by_an_edited_plan_although_the_service_dies_in_the_middle(tab: Page, solver: ServerProcess) -> None:
    tab.locator(".plan-edit > summary").click()
    steps = tab.locator("#plan-fields textarea").count()
    tab.get_by_role("button", name="Move this step up").nth(steps - 1).click()
    tab.wait_for_timeout(1000)  # the draft is a transaction of its own
    (solver.data / "armed").touch()
    tab.get_by_role("button", name="Approve with these changes").click()
    wait_until(lambda: not solver.is_alive, 20, "the service did not die")
    del solver.env["HANDRAISE_CRASH"]
    solver.start()
    tab.reload()
    expect(tab.locator(".run-completed")).to_be_visible(timeout=30_000)
    expect(tab.locator("#plan-panel")).to_contain_text(f"{steps} of {steps}")
    expect(tab.locator(".plan-words")).to_contain_text("All steps are done.")
    expect(tab.locator(".receipt")).to_contain_text("Approved as edited:")
    expect(tab.locator(".row-agent").last).to_contain_text("Verified")


def test_an_open_plan_card_outlives_a_killed_service_and_no_step_starts_h79(tab: Page, solver: ServerProcess) -> None:
    solver.kill()
    solver.start()
    tab.reload()
    expect(tab.locator(".card").get_by_role("button", name="Start")).to_be_visible()
    expect(tab.locator(".plan-words")).to_contain_text("The plan waits for your decision.")
    expect(tab.locator(".plan-step")).to_have_count(0)


def test_a_rejection_brings_a_revision_that_says_what_changed(tab: Page) -> None:
    tab.locator("#plan-feedback").fill("in two steps, please")
    tab.get_by_role("button", name="Ask for changes").click()
    expect(tab.locator(".plan-changes")).to_contain_text("What changed against the plan before")
    expect(tab.locator(".plan-change-added").first).to_contain_text("Added")
    tab.locator(".card").get_by_role("button", name="Start").click()
    expect(tab.locator(".plan-words")).to_contain_text("All steps are done.", timeout=15_000)
