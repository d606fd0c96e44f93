"""What a chat has cost, beside its tokens: exact, at the prices that are set, and never a guess."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.chat.models import ChatSession, Message, Run
from apps.runs.prices import cost_of
from apps.runs.selectors import tokens_of
from apps.web.templatetags.handraise import money
from config.environment import prices
from tests.support.runs import DONE
from tests.web.conftest import HTMX, Say

MODELS = ("openai:large", "openai:small")
PRICES = {"large": (Decimal("2.50"), Decimal(10)), "small": (Decimal("0.1"), Decimal("0.3"))}


@pytest.fixture
def session(say: Say, settings: Any) -> ChatSession:
    """Return a chat with a run of each of two models that have prices, 1,000,001 tokens read and 3 written in each."""
    settings.PRICES = PRICES
    session = say(DONE).session
    say(DONE, session=session.public_id)
    Message.objects.filter(role="assistant").update(input_tokens=1_000_001, output_tokens=3)
    for run, model in zip(Run.objects.order_by("id"), MODELS, strict=True):
        Run.objects.filter(pk=run.pk).update(model=model)
    return session


def shown(browser: Client, session: ChatSession, page: str = "", **headers: str) -> list[str]:
    """Return what the head and the menu say of the tokens."""
    html = browser.get(f"/s/{session.public_id}/{page}", headers=headers).content.decode()
    return re.findall(r'id="(?:session|menu)-tokens"[^>]*>([^<]*)</p>', html)


def test_the_cost_is_exact_and_each_model_has_its_price(session: ChatSession) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert tokens_of(session).cost == Decimal("2.6000335")  # 2.5000325 + 0.1000010
    assert len(queries) == 1


def test_the_cost_stands_wherever_the_tokens_do(browser: Client, session: ChatSession) -> None:
    for found in (shown(browser, session), shown(browser, session, "live/", **HTMX)):
        assert found == ["2,000,008 tokens · 2.60 USD", "Tokens of this chat: 2,000,002 read, 6 written · 2.60 USD"]


def test_a_model_without_a_price_lets_no_part_pass_for_the_whole(browser: Client, session: ChatSession, settings: Any) -> None:
    settings.PRICES = {"large": PRICES["large"]}
    assert shown(browser, session)[0] == "2,000,008 tokens"


def test_a_model_that_counts_no_tokens_needs_no_price(settings: Any) -> None:
    settings.PRICES = PRICES
    assert cost_of([("builtin", 0, 0), ("openai:small", 1, 0)]) == Decimal("0.0000001")
    assert cost_of([("builtin", 0, 0)]) is None


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ("0", "0.0000 EUR"),
        ("0.00009", "< 0.0001 EUR"),
        ("0.00125", "0.0012 EUR"),
        ("0.99", "0.9900 EUR"),
        ("1234.5", "1,234.50 EUR"),
    ],
)
def test_a_small_cost_has_more_digits(settings: Any, cost: str, words: str) -> None:
    settings.CURRENCY = "EUR"
    assert money(Decimal(cost)) == words


def test_the_name_of_a_model_may_hold_any_sign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDRAISE_PRICES", "org/model:8b=x=0.1/0.30, free=0/0")
    assert prices("HANDRAISE_PRICES") == {"org/model:8b=x": (Decimal("0.1"), Decimal("0.30")), "free": (0, 0)}
