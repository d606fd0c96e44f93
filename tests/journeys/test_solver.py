"""A fresh machine without a language model: a typed equation, a question about its domain, a restart, the right answer."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.journeys import Evidence, Installation, Person, asked, browser
from tests.support.server import ServerProcess

pytestmark = pytest.mark.journey

PROBLEMS = {
    "en": ("solve x^2+1=0", "Real or complex numbers?", "**Verified:**"),
    "zh": ("解方程 x^2+1=0", "在实数还是复数范围内？", "**验证：**"),
}


@pytest.fixture(scope="module")
def own_server(tmp_path_factory: pytest.TempPathFactory, installed: Installation) -> Iterator[ServerProcess]:
    """A server with the default model: no key, no address."""
    server = installed.server(tmp_path_factory.mktemp("solver"), {})
    yield server.start()
    server.close()


@pytest.fixture(scope="module")
def cards(
    own_server: ServerProcess, installed: Installation, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, dict[str, Any]]:
    """The question that each language leads to, two of each; the server was killed and started since."""
    asking = Person(own_server, installed.ada, Evidence.of_test("solver_asks", tmp_path_factory.mktemp("evidence")))
    found = {}
    for language, (problem, _title, _verified) in PROBLEMS.items():
        for wanted in ("domain:complex", "domain:real"):
            found[f"{language} {wanted}"] = asked(asking.chat(problem, language=language))
    own_server.kill()
    own_server.start()
    return found


@pytest.fixture
def solver(own_server: ServerProcess, installed: Installation, evidence: Evidence) -> Person:
    return Person(own_server, installed.ada, evidence)


@pytest.mark.parametrize("language", PROBLEMS)
def test_the_card_asks_for_the_domain(cards: dict[str, dict[str, Any]], language: str) -> None:
    card = cards[f"{language} domain:complex"]
    assert (card["title"], card["mode"]) == (PROBLEMS[language][1], "single")
    assert {option["id"] for option in card["options"]} == {"domain:real", "domain:complex"}


@pytest.mark.parametrize("language", PROBLEMS)
def test_complex_gives_both_roots_and_their_verification(solver: Person, cards: dict[str, dict[str, Any]], language: str) -> None:
    end = solver.go_on(cards[f"{language} domain:complex"], selections=["domain:complex"]).events[-1]
    assert end.kind == "run_completed"
    assert end.data["outcome"] == "finished"
    result, _, check = end.data["text"].partition(PROBLEMS[language][2])
    assert "x = ±i" in result
    assert check.strip(), "the answer says how it was verified"


@pytest.mark.parametrize(("language", "words"), [("en", "no real solution"), ("zh", "无实数解")])
def test_real_gives_no_solution(solver: Person, cards: dict[str, dict[str, Any]], language: str, words: str) -> None:
    end = solver.go_on(cards[f"{language} domain:real"], selections=["domain:real"]).events[-1]
    assert words in end.data["text"]


def test_api_and_pages_name_the_solver_as_what_it_is(solver: Person, own_server: ServerProcess) -> None:
    name = "built-in symbolic solver (no language model)"
    assert solver.get("/api/capabilities")["model"] == name
    with browser(own_server) as page:
        assert name in page.get("/new/").text
