"""Groups of tests that need more than Python: a missing service leaves its group out and is named at the end.

With CI=true in the environment a missing service is an error. Tests at full volume run where HANDRAISE_TEST_FULL=1.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import redis

from tests.browser.chromium import CHROMIUM

PROJECT = Path(__file__).resolve().parents[2]
POSTGRES_URL = os.environ.get("HANDRAISE_TEST_POSTGRES", "postgres://postgres@127.0.0.1:5432/postgres")
REDIS_URL = os.environ.get("HANDRAISE_TEST_REDIS", "redis://127.0.0.1:6379/0")


@dataclass(frozen=True, slots=True)
class Group:
    """Tests with one marker, what they need, and whether it is there."""

    marker: str
    needs: str
    is_there: Callable[[], bool]
    is_service: bool = True


def _postgres_is_there() -> bool:
    try:
        psycopg.connect(POSTGRES_URL, connect_timeout=3).close()
    except psycopg.OperationalError:
        return False
    return True


def _redis_is_there() -> bool:
    with redis.Redis.from_url(REDIS_URL, socket_connect_timeout=3) as client:
        try:
            return bool(client.ping())
        except redis.ConnectionError:
            return False


def _chromium_is_there() -> bool:
    return bool(CHROMIUM)


def _bubblewrap_works() -> bool:
    program = shutil.which("bwrap")
    trial = [program or "", "--ro-bind", "/", "/", "--unshare-user", "true"]
    return program is not None and subprocess.run(trial, capture_output=True, check=False).returncode == 0


def _landlock_is_there() -> bool:
    version_of_landlock = 444, None, 0, 1
    return sys.platform == "linux" and ctypes.CDLL(None).syscall(*version_of_landlock) > 0


def _chinese_font_is_there() -> bool:
    chosen = PROJECT / ".sandbox" / "matplotlib" / "matplotlibrc"  # made by .bin/install
    return chosen.exists() and "," in chosen.read_text("utf-8")


def _full_is_wanted() -> bool:
    return os.environ.get("HANDRAISE_TEST_FULL") == "1"


GROUPS: Sequence[Group] = (
    Group("postgres", "PostgreSQL", _postgres_is_there),
    Group("redis", "Redis", _redis_is_there),
    Group("browser", "Chromium", _chromium_is_there),
    Group("bubblewrap", "bubblewrap", _bubblewrap_works),
    Group("landlock", "a kernel with Landlock", _landlock_is_there),
    Group("chinese", "a font with Chinese characters", _chinese_font_is_there),
    Group("full", "HANDRAISE_TEST_FULL=1", _full_is_wanted, is_service=False),
)


class Selection:
    """A plugin of pytest. Under xdist the first process looks what is there, and its workers are told."""

    def __init__(self, config: pytest.Config) -> None:
        told = getattr(config, "workerinput", None)
        self.missing: list[str] = told["missing"] if told else [group.marker for group in GROUPS if not group.is_there()]
        self.left_out: Counter[str] = Counter()
        services = [group.needs for group in GROUPS if group.is_service and group.marker in self.missing]
        if services and os.environ.get("CI") == "true":
            raise pytest.UsageError(f"CI=true, and not there: {', '.join(services)}.")

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out the tests whose group is not there."""
        kept: list[pytest.Item] = []
        left_out: list[pytest.Item] = []
        for item in items:
            missing = [marker for marker in self.missing if item.get_closest_marker(marker)]
            self.left_out.update(missing)
            (left_out if missing else kept).append(item)
        if left_out:
            items[:] = kept
            config.hook.pytest_deselected(items=left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of xdist what is missing."""
        node.workerinput["missing"] = self.missing

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """As a worker, report what was left out."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["left_out"] = dict(self.left_out)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take a worker's report; they all collect the same tests."""
        self.left_out |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name the groups that did not run."""
        for group in GROUPS:
            if count := self.left_out[group.marker]:
                terminalreporter.write_line(f"Not run without {group.needs}: {count}", yellow=True)
