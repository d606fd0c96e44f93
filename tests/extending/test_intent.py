"""An ask of the intent of the page."""

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import given

from apps.agent.tools import AskRequest, Refusal
from apps.audit.models import AuditRecord
from apps.chat.models import Run, ToolResult
from apps.interactions import intents
from apps.interactions.models import Interaction
from apps.runs.capabilities import Chat
from apps.runs.erasing import erase_session
from tests.extending.conftest import Example
from tests.support.questions import call, garbage_arguments, unhurried
from tests.support.runs import DONE, asks, run_to_rest, scripted
from tests.web.conftest import Say, address, page_of, result_of

pytestmark = pytest.mark.django_db
LETTER = "We leave on **Friday**."
SIGN: dict[str, Any] = {"id": "s1", "name": "sign_off", "arguments": {"text": LETTER}}


@pytest.fixture
def sign_off(example: Example, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Have the chat list the tool; return the module."""
    module, others = example("An intent"), Chat.tools
    monkeypatch.setattr(Chat, "tools", lambda chat: (*others(chat), module.SignOff()))
    return module


@pytest.fixture
def card(sign_off: Any, say: Say) -> Interaction:
    """Return the question as it waits."""
    return Interaction.objects.get(run=say(asks(SIGN), DONE).run)


def test_its_card_carries_the_intent_to_every_interface(card: Interaction, browser: Client) -> None:
    (shown,) = browser.get("/api/interactions/pending").json()["pending"]
    assert shown["intent"] == {"kind": "sign-off", "approve": "Sign"}
    assert (shown["mode"], shown["detail"]) == ("form", LETTER)


def test_the_page_puts_it_as_its_question_below_the_text(card: Interaction, browser: Client) -> None:
    page = page_of(browser, card)
    assert "We leave on <strong>Friday</strong>." in page
    assert "Do you sign this off?" in page


def test_signing_is_the_result_and_the_run_goes_on(card: Interaction, browser: Client) -> None:
    browser.post(address(card), {"q0-choice": "0"})
    assert result_of(card)["answers"] == [{"id": "sign_off", "selected": ["Sign"]}]
    assert run_to_rest(card.run, scripted(asks(SIGN), DONE)).status == Run.Status.COMPLETED


def test_own_text_is_no_signature(card: Interaction, browser: Client) -> None:
    browser.post(address(card), {"q0-choice": "own", "q0-text": "Sign"})
    assert result_of(card)["answers"] == [{"id": "sign_off", "selected": [], "custom": "Sign"}]


def test_it_is_audited_without_a_word_of_it_and_erased_with_its_session(card: Interaction, browser: Client) -> None:
    browser.post(address(card), {"q0-choice": "0"})
    records = AuditRecord.objects.filter(request=card.public_id)
    assert {"interaction_requested", "interaction_answered"} <= {record.kind for record in records}
    assert "Friday" not in json.dumps([record.summary for record in records])
    erase_session(card.session)
    card.refresh_from_db()
    assert card.payload == {}


def test_an_intent_that_nobody_registered_is_no_card(sign_off: Any, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(intents._registered, "sign-off")
    run = say(asks(SIGN), DONE).run
    assert ToolResult.objects.get(call__run=run).code == "BAD_INTENT"
    assert not Interaction.objects.exists()


def test_whatever_a_model_sends_is_a_card_or_a_refusal(sign_off: Any) -> None:
    @unhurried
    @given(garbage_arguments)
    def holds(arguments: str) -> None:
        outcome = sign_off.SignOff().prepare(call("sign_off", arguments), "zh")
        assert isinstance(outcome, AskRequest | Refusal)

    holds()
