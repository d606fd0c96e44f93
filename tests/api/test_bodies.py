"""What is no JSON for us: one reading for everybody, nothing that a database cannot hold."""

import json
from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from hypothesis import given
from hypothesis import strategies as st

from apps.accounts.models import User
from apps.api.parsers import JSON, MAX_DEPTH
from apps.api.views.chat import ChatView
from apps.common.text import is_storable
from apps.interactions.submissions import MalformedBody
from tests.api.caller import Caller, fields, problem
from tests.factories.accounts import token_text
from tests.factories.chat import make_card


def read(body: bytes) -> Any:
    return JSON().parse(BytesIO(body))


REFUSED = {
    "no JSON": b"{",
    "a tail": b"{} {}",
    "two values": b"1 2",
    "empty": b"  ",
    "NaN": b'{"a": NaN}',
    "Infinity": b'{"a": -Infinity}',
    "a number beyond doubles": b'{"a": 1e400}',
    "a number of 5000 digits": b"1" * 5000,
    "single quotes": b"{'a': 1}",
    "a raw line end": b'{"a": "x\ny"}',
    "a byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"a": 1}'.encode("utf-16"),
    "Latin-1": '{"a": "ü"}'.encode("latin-1"),
    "a key twice": b'{"a": 1, "a": 2}',
    "a key twice below": b'{"x": [{"a": 1, "a": 1}]}',
    "too deep": b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2),
    "far too deep": b"[" * 60_000,
    "NUL": b'{"a": "x\\u0000y"}',
    "NUL in a key": b'{"a\\u0000": 1}',
    "half of a pair": b'{"a": "\\ud83d"}',
    "half of a pair below": b'{"a": [{"b": "\\ude00"}]}',
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_body_that_could_be_read_in_two_ways_is_refused(name: str) -> None:
    with pytest.raises(MalformedBody):
        read(REFUSED[name])


@pytest.mark.parametrize("name", REFUSED)
def test_no_such_body_reaches_a_call(api: Caller, ada: User, name: str) -> None:
    card = make_card(ada)
    for method, path in (
        ("POST", "/api/chat"),
        ("POST", "/api/chat/continue"),
        ("PUT", f"/api/interactions/{card.public_id}/draft"),
    ):
        problem(api.send(method, path, REFUSED[name]), "malformed_body")
    assert api.get("/api/interactions/pending").json()["pending"][0]["id"] == card.public_id


def test_the_text_that_cannot_be_stored_is_named(api: Caller, ada: User) -> None:
    path = f"/api/interactions/{make_card(ada).public_id}/draft"
    body = problem(api.put(path, {"answers": [{"custom": "a\0"}], "b\0": 1}), "malformed_body")
    assert fields(body) == ["answers[0].custom", "b"]


@pytest.mark.parametrize("body", [b'{"a": "\\ud83d\\ude00 \xf0\x9f\xa7\xaa", "b": [1, 2.5, true, null]}', b"[]", b'"text"', b"0"])
def test_json_is_read_as_it_stands(body: bytes) -> None:
    assert read(body) == json.loads(body)


@given(st.binary(max_size=60) | st.text(max_size=40).map(str.encode))
def test_no_bytes_break_the_parser(body: bytes) -> None:
    try:
        value = read(body)
    except MalformedBody:
        return
    assert json.dumps(value, allow_nan=False)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_whatever_can_be_stored_is_read_and_nothing_else(value: Any) -> None:
    body = json.dumps(value).encode()
    if is_storable(json.dumps(value, ensure_ascii=False).replace("\\u0000", "\0")):
        assert read(body) == value
    else:
        with pytest.raises(MalformedBody):
            read(body)


def test_a_body_in_chunks_is_read_though_it_declares_no_length(ada: User) -> None:
    scope = {"type": "http", "method": "POST", "path": "/api/chat", "query_string": b"", "headers": _headers(token_text(ada))}
    request = ASGIRequest(scope, BytesIO(b'{"message": "Hello"}'))
    assert ChatView.as_view()(request).status_code == 202


def _headers(token: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"host", b"localhost"),
        (b"authorization", b"Bearer " + token.encode()),
        (b"content-type", b"application/json"),
        (b"transfer-encoding", b"chunked"),
    ]


@pytest.mark.parametrize("path", ["/api/chat", "/api/sessions"])
def test_every_call_has_a_limit(api: Caller, path: str) -> None:
    problem(api.post(path, b'"' + b"x" * 2 * 1024 * 1024 + b'"'), "too_large")
