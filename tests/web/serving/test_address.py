"""The address that people type."""

import pytest

from apps.web.serving.address import public_address


@pytest.mark.parametrize(
    ("host", "shown"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://127.0.0.1:8000"),
        ("::1", "http://[::1]:8000"),
        ("localhost", "http://localhost:8000"),
    ],
)
def test_it_is_where_the_server_listens(host: str, shown: str) -> None:
    assert public_address(host, 8000) == shown


def test_it_is_the_public_one_if_there_is_one(settings: object) -> None:
    settings.PUBLIC_URL = "https://ask.example"  # type: ignore[attr-defined]
    assert public_address("127.0.0.1", 8000) == "https://ask.example"
