"""What tokens cost: the prices that the administrator has set, never guessed ones."""

from collections.abc import Iterable
from decimal import Decimal

from django.conf import settings

MILLION = 1_000_000


def cost_of(taken: Iterable[tuple[str, int, int]]) -> Decimal | None:
    """Return what models have cost, given each one's name, tokens read and tokens written.

    None: there is no price for one of them. A part of the sum would pass for the whole.
    """
    costs = [_cost(*each) for each in taken if any(each[1:])]
    known = [cost for cost in costs if cost is not None]
    return sum(known, Decimal()) if known and len(known) == len(costs) else None


def _cost(model: str, read: int, written: int) -> Decimal | None:
    price = settings.PRICES.get(model.removeprefix("openai:"))
    return (read * price[0] + written * price[1]) / MILLION if price else None
