"""One client of the API, and how its answers are read."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from apps.accounts.models import User
from apps.api.errors import STATUSES
from tests.factories.accounts import token_text


class Form(bytes):
    """A body with files in it, as multipart/form-data."""

    content_type = MULTIPART_CONTENT


def form_of(*files: tuple[str, bytes], field: str = "file", **fields: str) -> Form:
    """Return a form with these files in one field, and other fields."""
    sent: dict[str, Any] = {field: [SimpleUploadedFile(name, content) for name, content in files], **fields}
    return Form(encode_multipart(BOUNDARY, sent))


class Caller:
    """Sends requests with a bearer token, or with whatever client it is given."""

    def __init__(self, client: Client | None = None, token: str | None = None) -> None:
        self.client = client or Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}

    @classmethod
    def of(cls, user: User, *scopes: str) -> "Caller":
        """Return a caller with a fresh token."""
        return cls(token=token_text(user, *scopes))

    def send(self, method: str, path: str, body: Any = None, **options: Any) -> Any:
        """Send a request; a body that is no text or bytes is sent as JSON."""
        headers = {"Accept": "application/json", **self.headers, **options.pop("headers", {})}
        media_type = options.pop("content_type", getattr(body, "content_type", "application/json"))
        parts = {} if body is None else {"data": body, "content_type": media_type}
        return self.client.generic(method, path, **_encoded(parts), headers=headers, **options)

    def get(self, path: str, **query: Any) -> Any:
        """GET with these parameters."""
        return self.client.get(path, query, headers={"Accept": "application/json", **self.headers})

    def post(self, path: str, body: Any = None, **options: Any) -> Any:
        """POST."""
        return self.send("POST", path, {} if body is None else body, **options)

    def put(self, path: str, body: Any = None, **options: Any) -> Any:
        """PUT."""
        return self.send("PUT", path, {} if body is None else body, **options)

    def patch(self, path: str, body: Any = None, **options: Any) -> Any:
        """PATCH."""
        return self.send("PATCH", path, {} if body is None else body, **options)

    def delete(self, path: str) -> Any:
        """DELETE."""
        return self.send("DELETE", path)


def _encoded(parts: dict[str, Any]) -> dict[str, Any]:
    import json

    if "data" in parts and not isinstance(parts["data"], str | bytes):
        parts["data"] = json.dumps(parts["data"])
    return parts


def problem(response: Any, code: str) -> dict[str, Any]:
    """Assert that the answer is a problem with this code in the one shape that there is; return its body."""
    assert response["Content-Type"] == "application/problem+json", response.content
    body: dict[str, Any] = response.json()
    assert body["code"] == code, body
    assert response.status_code == body["status"] == STATUSES[code]
    assert {"type", "title", "status", "code", "detail", "errors"} <= set(body)
    assert body["detail"]
    assert all(set(error) == {"field", "message"} for error in body["errors"])
    return body


def fields(body: dict[str, Any]) -> list[str]:
    """Return the names of the wrong fields of a problem."""
    return [error["field"] for error in body["errors"]]
