"""A pool of each kind of sandbox."""

from collections.abc import AsyncIterator

import pytest

from apps.sandbox.code import KINDS, CodePool
from tests.sandbox.confined import Way, code_pool, marked


@pytest.fixture(params=[marked(Way(kind, "self")) for kind in KINDS])
def way(request: pytest.FixtureRequest) -> Way:
    """Each kind of sandbox, with the interpreter of the installation."""
    found: Way = request.param
    return found


@pytest.fixture
async def pool(way: Way) -> AsyncIterator[CodePool]:
    """A pool of each kind."""
    made = code_pool(way)
    yield made
    await made.close()
