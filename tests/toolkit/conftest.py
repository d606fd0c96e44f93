"""The tool with each kind of sandbox switched on."""

import pytest

from apps.sandbox.code import KINDS
from tests.sandbox.confined import Way, marked


@pytest.fixture(params=[marked(Way(kind, "self")) for kind in KINDS])
def kind(request: pytest.FixtureRequest) -> str:
    """Each kind of sandbox."""
    return str(request.param.kind)


@pytest.fixture
def switched_on(kind: str, settings) -> str:
    """Let this process use the sandbox; return its kind."""
    settings.SANDBOX = kind
    return kind
