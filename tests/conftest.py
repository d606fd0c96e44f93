"""What all tests share."""

import signal

import pytest

from tests.support.databases import postgres_url  # noqa: F401
from tests.support.groups import Selection
from tests.support.server import start_server  # noqa: F401
from tests.support.triggers import lift_append_only_triggers  # noqa: F401


def pytest_configure(config: pytest.Config) -> None:
    """Leave out the groups of tests whose service is missing."""
    config.pluginmanager.register(Selection(config), "handraise-groups")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Whoever started the tests in the background had Ctrl-C ignored, and servers that the tests start inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)
