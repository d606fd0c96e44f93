"""Every test of a page fails at its end if a page broke the content security policy: that watch is itself watched."""

import pytest
from playwright.sync_api import Browser

from tests.browser.conftest import Account, Complaints, open_context
from tests.support.server import ServerProcess

VIOLATIONS = {
    "a style": """document.body.insertAdjacentHTML("beforeend", '<p style="color: red">red</p>')""",
    "a script": """document.body.append(Object.assign(document.createElement("script"), { textContent: "1" }))""",
    "a picture": """document.body.append(Object.assign(new Image(), { src: "https://example.invalid/x.png" }))""",
}


@pytest.mark.parametrize("what", VIOLATIONS)
def test_a_violation_of_the_policy_is_noticed(what: str, server: ServerProcess, chromium: Browser, account: Account) -> None:
    context, found = open_context(server, chromium, account), Complaints()
    context.on("page", found.watch)
    page = context.new_page()
    page.goto("/new/")
    assert found == []
    page.evaluate(VIOLATIONS[what])
    page.wait_for_timeout(300)
    context.close()
    assert any("CSP" in each for each in found)
