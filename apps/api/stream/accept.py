"""What form of answer a request accepts."""

from io import BytesIO

from django.core.handlers.asgi import ASGIRequest

from apps.api.stream.answers import Scope

EVENTS, JSON = "text/event-stream", "application/json"


def prefers_events(scope: Scope) -> bool:
    """Say whether a reader of a session's events gets the stream: everybody but who prefers JSON."""
    return _request(scope).get_preferred_type([EVENTS, JSON]) != JSON


def wants_events(scope: Scope) -> bool:
    """Say whether a POST is to be streamed: only if the client names event streams and does not prefer JSON."""
    request = _request(scope)
    names_them = EVENTS in request.headers.get("Accept", "").lower()
    return names_them and request.get_preferred_type([EVENTS, JSON]) == EVENTS


def _request(scope: Scope) -> ASGIRequest:
    return ASGIRequest(scope, BytesIO())
