"""A PostgreSQL database of its own for a server process of a test."""

import secrets
from collections.abc import Iterator
from urllib.parse import urlsplit

import psycopg
import pytest

from tests.support.groups import POSTGRES_URL


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """Make an empty database; yield its address; drop it, whoever is still connected. Mark the test ``postgres``."""
    name = f"handraise_test_{secrets.token_hex(6)}"
    with psycopg.connect(POSTGRES_URL, autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{name}"'.encode())
        yield urlsplit(POSTGRES_URL)._replace(path=f"/{name}").geturl()
        admin.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())
