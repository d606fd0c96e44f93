"""A line in the log for each request that is refused, without a word of anybody's."""

import logging
from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

logger = logging.getLogger(__name__)
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_PROBLEM = "application/problem+json"
"""What the API sends; it has logged its refusals itself, with their codes."""


def log_refusals(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return the middleware. It logs the route, not the address: that is the client's text, or holds a secret."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if 400 <= response.status_code < 500 and not response.get("Content-Type", "").startswith(_PROBLEM):
            method = request.method if request.method in _METHODS else "?"
            route = request.resolver_match.route if request.resolver_match else "?"
            logger.info("%s %s refused: %d (%s)", method, route, response.status_code, response.get("X-Request-Id", "-"))
        return response

    return middleware
