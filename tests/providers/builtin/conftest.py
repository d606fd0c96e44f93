"""What the solver's tests share."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from apps.providers.builtin import BuiltinModel
from tests.providers.builtin.talking import HerePool, Talk, compute_here


@pytest.fixture
def pool() -> HerePool:
    return HerePool()


@pytest.fixture
def talk(pool: HerePool) -> Callable[..., Talk]:
    """Start conversations in a language, computed in this process."""

    def start(language: str = "en") -> Talk:
        return Talk(BuiltinModel(pool), language)  # type: ignore[arg-type]

    return start


@pytest.fixture
def compute() -> Callable[..., Awaitable[dict[str, Any]]]:
    return compute_here
