"""PostgreSQL databases of the tests."""

import secrets
from collections.abc import Iterator
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection

from tests.support.groups import POSTGRES_URL


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """Make an empty database; yield its address; drop it, whoever is still connected. Mark the test ``postgres``."""
    name = f"handraise_test_{secrets.token_hex(6)}"
    with psycopg.connect(POSTGRES_URL, autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"'.encode())
        yield urlsplit(POSTGRES_URL)._replace(path=f"/{name}").geturl()
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


def open_connections() -> list[str]:
    """Close this thread's connection to the test database and its pool; return the last statement of any that are left.

    On SQLite there is nothing to ask: none.
    """
    connection.close()
    if connection.vendor != "postgresql":
        return []
    connection.close_pool()  # type: ignore[attr-defined]
    with psycopg.connect(POSTGRES_URL, autocommit=True) as admin:
        found = admin.execute("SELECT query FROM pg_stat_activity WHERE datname = %s", [connection.settings_dict["NAME"]])
        return [query for (query,) in found]
