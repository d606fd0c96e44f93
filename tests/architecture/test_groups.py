"""Groups of tests whose service is missing are left out and named; in CI that is an error."""

import os
import subprocess
import sys

import pytest

from tests.support.project import PROJECT

pytestmark = pytest.mark.journey
NOWHERE = {"HANDRAISE_TEST_POSTGRES": "postgres://nobody@127.0.0.1:1/none"}


def collect(**variables: str) -> subprocess.CompletedProcess[str]:
    """Collect the tests of one file, one of which needs PostgreSQL, as a run of its own would."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("HANDRAISE_", "PYTEST_")) and name != "CI"}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--collect-only",
        "-p",
        "no:cacheprovider",
        "tests/web/serving/test_serve.py",
    ]
    return subprocess.run(command, cwd=PROJECT, env=kept | variables, capture_output=True, text=True, check=False)


def test_a_missing_service_is_named_at_the_end() -> None:
    done = collect(**NOWHERE)
    assert done.returncode == 0
    assert "test_it_starts_on_postgresql" not in done.stdout
    assert "Not run without PostgreSQL: 1" in done.stdout


def test_in_ci_a_missing_service_is_an_error() -> None:
    done = collect(CI="true", **NOWHERE)
    assert done.returncode == 4
    assert "CI=true, and not there: PostgreSQL" in done.stderr


def test_no_test_is_skipped_or_expected_to_fail() -> None:
    command = ["git", "grep", "-nE", r"mark\.(skip|xfail)|pytest\.(skip|xfail|importorskip)\(", "--", "tests"]
    found = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert [line for line in found.stdout.splitlines() if "test_groups.py" not in line] == []
