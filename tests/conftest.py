"""What all tests share."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from django.db import connections
from pytest_django.plugin import DjangoDbBlocker

from tests.support.databases import open_connections, postgres_url  # noqa: F401
from tests.support.groups import Selection
from tests.support.server import start_server, wait_until  # noqa: F401
from tests.support.triggers import lift_append_only_triggers  # noqa: F401


def pytest_configure(config: pytest.Config) -> None:
    """Leave out the groups of tests whose service is missing."""
    config.pluginmanager.register(Selection(config), "handraise-groups")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Whoever started the tests in the background had Ctrl-C ignored, and servers that the tests start inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share out the tests in scopes of our own."""
    from tests.support.scheduling import SharedServers

    return SharedServers(config, log)


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End the threads that keep a connection for a while: the test database cannot be dropped while they live."""
    yield
    from apps.api.stream.threads import threads
    from apps.events import net

    threads.close()
    net.stop()
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()
    with django_db_blocker.unblock():
        wait_until(lambda: not open_connections(), 10, lambda: f"still connected: {open_connections()}")
