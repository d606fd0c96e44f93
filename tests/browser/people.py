"""People of their own, for tests that change who is signed in, what they chose or what is stored about them."""

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page

from tests.browser.conftest import NewContext, tag
from tests.support.server import PASSWORD, ServerProcess

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a browser of their own."""

    name: str
    context: BrowserContext

    def begin(self, script: str) -> str:
        """Begin a chat in which the model plays a script; return its address."""
        return f"/s/{self.post('/api/chat', message=f'Help me {tag(script)}')['sessionId']}/"

    def post(self, path: str, **body: object) -> Any:
        """Call the API as a page would, with cookie and form token."""
        token = self.context.request.get("/settings/form-token/").text()
        answer = self.context.request.post(path, data=body, headers={"X-CSRFToken": token})
        assert answer.ok, answer.text()
        return answer.json()

    def pending(self) -> list[dict[str, Any]]:
        """Return the cards that wait."""
        found: list[dict[str, Any]] = self.context.request.get("/api/interactions/pending").json()["pending"]
        return found

    def sign_in(self, tab: Page) -> None:
        """Sign in with the password."""
        tab.goto("/sign-in/")
        tab.locator("#name").fill(self.name)
        tab.locator("#password").fill(PASSWORD)
        tab.locator("#password").press("Enter")
        tab.wait_for_url("**/")


NewPerson = Callable[..., Person]


@pytest.fixture
def new_person(server: ServerProcess, new_context: NewContext) -> NewPerson:
    """Make people, each signed in, with options of Playwright's for the browser."""

    def make(**options: object) -> Person:
        name = server.make_user(f"person{next(_numbers)}")
        person = Person(name, new_context(**({"storage_state": None} | options)))
        tab = person.context.new_page()
        person.sign_in(tab)
        tab.close()
        return person

    return make
