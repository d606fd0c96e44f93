"""What becomes of requests that are refused: a line in the log without a word of anybody's, a page in words for a browser."""

import logging
from collections.abc import Callable
from typing import cast

from django.http import HttpRequest, HttpResponseBadRequest, HttpResponseNotAllowed
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from apps.toolkit.sources.receiving import fault_of_form
from apps.web.requests import Request

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


def explain_wrong_method(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Callable[[HttpRequest], HttpResponseBase]:
    """Return the middleware. Who opens an address that only takes forms gets a page; a script still gets the bare status."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        is_page = request.method == "GET" and not cast(Request, request).htmx
        if not (is_page and isinstance(response, HttpResponseNotAllowed)):
            return response
        page = render(request, "405.html", status=405)
        page["Allow"] = response["Allow"]
        return page

    return middleware


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
    """Say that a request was not understood, and of a form why: as a page, and for a script in the notice of its own."""
    fault = fault_of_form(exception)
    if getattr(request, "htmx", False):
        notice = fault or _("This request was not understood")
        return HttpResponseBadRequest(render_to_string("chat/_refused.html", {"notice": notice}))
    return HttpResponseBadRequest(render_to_string("400.html", {"fault": fault}))
