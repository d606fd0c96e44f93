"""Where code runs in tests: every kind of sandbox, around the interpreter that the installation has for it."""

from collections.abc import AsyncIterator
from functools import cache

import pytest
from django.conf import settings

from apps.sandbox.code import KINDS, CodePool, Sandbox
from apps.toolkit.sandboxes import _sandbox


@cache
def sandbox_of(kind: str) -> Sandbox:
    """Return the sandbox as the product makes it, without the libraries imported ahead, which would take a second a test."""
    from dataclasses import replace
    from pathlib import Path

    made = _sandbox(kind, Path(settings.SANDBOX_PYTHON), 1024)  # type: ignore[arg-type]
    return replace(made, modules=())


@pytest.fixture(params=KINDS)
async def pool(request: pytest.FixtureRequest) -> AsyncIterator[CodePool]:
    """A pool for each kind of sandbox."""
    made = CodePool(sandbox_of(request.param), size=2, spare_seconds=0)
    yield made
    await made.close()
