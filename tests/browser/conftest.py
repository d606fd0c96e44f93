"""A real server with a scripted model, and Debian's Chromium looking at it."""

import itertools
import json
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.scripts import SCRIPTS
from tests.support.server import PASSWORD, ServerProcess

WATCH = """
document.addEventListener("securitypolicyviolation", (event) => console.error("CSP", event.violatedDirective, event.sourceFile));
"""
# What the browser itself says of an answer with such a status is no fault of the page's.
EXPECTED = ("Failed to load resource", "Failed to fetch", "net::ERR")
_numbers = itertools.count()

Ask = Callable[..., Page]

# On a busy machine an answer may take its time; a test that passes never waits for as long.
PATIENCE_MS = 20_000
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything here: it needs a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("browser")


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start the product once for all tests, without a limit of requests."""
    folder = tmp_path_factory.mktemp("browser")
    script = folder / "scripts.json"
    script.write_text(json.dumps(SCRIPTS), encoding="utf-8")
    limits = {"HANDRAISE_RATE_REQUESTS": "0", "HANDRAISE_RATE_RUNS": "0"}
    given = {"HANDRAISE_MODEL": f"scripted:{script}", "HANDRAISE_SANDBOX": "landlock"}
    process = ServerProcess(folder, given | limits, "tests.browser.settings")
    process.start()
    yield process
    process.close()


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Start the browser once."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Account(NamedTuple):
    """The administrator of the first start: the cookies of a browser that is signed in, and an API token."""

    cookies: object
    token: str


@pytest.fixture(scope="package")
def account(server: ServerProcess, chromium: Browser) -> Account:
    """Sign in by the first start's link, set the password and make a token, as a new user would."""
    context = chromium.new_context(base_url=server.address, locale="en-GB")
    context.add_init_script(WATCH)
    complaints = Complaints()
    context.on("page", complaints.watch)
    page = context.new_page()
    page.goto(server.sign_in_link())
    page.get_by_role("button", name="Sign in").click()
    page.get_by_label("New password", exact=True).fill(PASSWORD)
    page.get_by_label("New password, once more").fill(PASSWORD)
    page.get_by_role("button", name="Save the password").click()
    page.wait_for_url(f"{server.address}/")
    page.goto("/settings/")
    page.get_by_label("Name of the new token").fill("tests")
    page.get_by_role("button", name="Make a token").click()
    made = Account(context.storage_state(), page.get_by_label("Your new token").input_value())
    context.close()
    assert complaints == []
    return made


class Complaints(list[str]):
    """What pages complained of: faults of scripts, violations of the content security policy."""

    def watch(self, page: Page) -> None:
        """Listen to a page."""
        page.on("pageerror", lambda error: self.append(f"{page.url}: {error}"))
        page.on("console", self._said)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(each in message.text for each in EXPECTED):
            self.append(f"{message.page and message.page.url}: {message.text}")


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Fail the test if a page complained."""
    found = Complaints()
    yield found
    assert found == []


NewContext = Callable[..., BrowserContext]


def open_context(server: ServerProcess, chromium: Browser, account: Account, **options: object) -> BrowserContext:
    """Return a browser of its own (cookies, cache) that is signed in."""
    given: dict[str, object] = {
        "base_url": server.address,
        "viewport": {"width": 1280, "height": 800},
        "storage_state": account.cookies,
        "locale": "en-GB",
    }
    context = chromium.new_context(**(given | options))  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    context.add_init_script(WATCH)
    return context


@pytest.fixture
def new_context(server: ServerProcess, chromium: Browser, account: Account, complaints: Complaints) -> Iterator[NewContext]:
    """Make browsers of their own, with options of Playwright's."""
    made: list[BrowserContext] = []

    def make(**options: object) -> BrowserContext:
        made.append(open_context(server, chromium, account, **options))
        made[-1].on("page", complaints.watch)
        return made[-1]

    yield make
    for context in made:
        context.close()


@pytest.fixture(scope="package")
def usual_context(server: ServerProcess, chromium: Browser, account: Account) -> BrowserContext:
    """Return the one browser that most tests share: files that never change are fetched once."""
    return open_context(server, chromium, account)


@pytest.fixture
def context(usual_context: BrowserContext, complaints: Complaints) -> Iterator[BrowserContext]:
    """Return the usual browser; its tabs are closed after the test."""
    usual_context.on("page", complaints.watch)
    yield usual_context
    usual_context.remove_listener("page", complaints.watch)
    usual_context.set_offline(False)
    for page in usual_context.pages:
        page.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """Return one tab."""
    return context.new_page()


@pytest.fixture(scope="package")
def api(server: ServerProcess, account: Account) -> Iterator[httpx.Client]:
    """Return a client of the API for the same user: a chat begins faster there."""
    with server.client(account.token) as client:
        yield client


@pytest.fixture
def nothing_waits(api: httpx.Client) -> Iterator[None]:
    """Stop what still waits after a test: the next one finds its own card in every list."""
    yield
    for card in api.get("/api/interactions/pending").json()["pending"]:
        api.post("/api/chat/abort", json={"sessionId": card["sessionId"]})


@pytest.fixture
def ask(page: Page, api: httpx.Client, nothing_waits: None) -> Ask:
    """Open a chat in which the model plays a script, and wait for its card."""

    def begin(script: str, waits_for: str = "#card", tab: Page | None = None) -> Page:
        tab = tab or page
        begun = api.post("/api/chat", json={"message": f"Help me {tag(script)}"}).json()
        tab.goto(f"/s/{begun['sessionId']}/")
        expect(tab.locator(waits_for)).to_be_visible()
        expect(tab.locator("#connection")).to_have_attribute("data-state", "live")
        if waits_for == ".run-completed":  # a page that was drawn in the midst of the end offers to stop for a moment longer
            expect(tab.locator("#composer-actions .primary")).to_be_visible()
        return tab

    return begin


def tag(script: str) -> str:
    """Return a tag that picks a script, for one conversation."""
    return f"[[{script}#b{next(_numbers)}]]"


def start(tab: Page, script: str) -> None:
    """Begin a chat in which the model plays a script."""
    tab.goto("/new/")
    tab.locator("#message").fill(f"Help me {tag(script)}")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/s/*/")


def sign_in(tab: Page) -> None:
    """Sign in with the password."""
    tab.goto("/sign-in/")
    tab.get_by_label("Name").fill("admin")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.wait_for_url(lambda url: "sign-in" not in url)


@pytest.fixture
def database(server: ServerProcess) -> Iterator[sqlite3.Connection]:
    """Open the server's database."""
    connection = sqlite3.connect(server.data / "handraise.sqlite3", timeout=20, isolation_level=None)
    yield connection
    connection.close()


def request_id(tab: Page) -> str:
    """Return the id of the card that is shown."""
    return str(tab.locator("#card").get_attribute("data-request"))


def let_expire(database: sqlite3.Connection, tab: Page, seconds: float) -> None:
    """Let the card expire so many seconds from now, and show it again."""
    until = (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%d %H:%M:%S.%f")
    database.execute("UPDATE interactions_interaction SET expires_at = ? WHERE public_id = ?", (until, request_id(tab)))
    tab.reload()


def answer_of(database: sqlite3.Connection, request: str) -> dict[str, Any]:
    """Return the result of a card's call."""
    row = database.execute(
        "SELECT r.content FROM chat_toolresult r JOIN interactions_interaction i ON i.call_id = r.call_id WHERE i.public_id = ?",
        (request,),
    ).fetchone()
    found: dict[str, Any] = json.loads(row[0]) if row else {}
    return found
