"""Problems: every refusal of the API as RFC 9457 problem+json, its status read from one table."""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.core.exceptions import DisallowedHost, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response

from apps.audit.context import current
from apps.common.errors import FieldError, HandraiseError
from apps.common.text import compact_json
from apps.runs.errors import NotFound
from apps.runs.trespass import record_trespass

MEDIA_TYPE = "application/problem+json"
logger = logging.getLogger(__name__)

STATUSES: Mapping[str, HTTPStatus] = {
    "bad_host": HTTPStatus.BAD_REQUEST,
    "bad_request": HTTPStatus.BAD_REQUEST,
    "invalid_idempotency_key": HTTPStatus.BAD_REQUEST,
    "invalid_query": HTTPStatus.BAD_REQUEST,
    "malformed_body": HTTPStatus.BAD_REQUEST,
    "not_authenticated": HTTPStatus.UNAUTHORIZED,
    "csrf_failed": HTTPStatus.FORBIDDEN,
    "forbidden": HTTPStatus.FORBIDDEN,
    "insufficient_scope": HTTPStatus.FORBIDDEN,
    "wrong_session": HTTPStatus.FORBIDDEN,
    "interaction_not_found": HTTPStatus.NOT_FOUND,
    "not_found": HTTPStatus.NOT_FOUND,
    "method_not_allowed": HTTPStatus.METHOD_NOT_ALLOWED,
    "not_acceptable": HTTPStatus.NOT_ACCEPTABLE,
    "already_resolved": HTTPStatus.CONFLICT,
    "altered": HTTPStatus.CONFLICT,
    "idempotency_in_progress": HTTPStatus.CONFLICT,
    "interaction_pending": HTTPStatus.CONFLICT,
    "no_expiry": HTTPStatus.CONFLICT,
    "not_resumable": HTTPStatus.CONFLICT,
    "not_retryable": HTTPStatus.CONFLICT,
    "run_active": HTTPStatus.CONFLICT,
    "stale_revision": HTTPStatus.CONFLICT,
    "too_many_sources": HTTPStatus.CONFLICT,
    "expired": HTTPStatus.GONE,
    "gone": HTTPStatus.GONE,
    "too_large": HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    "unsupported_media_type": HTTPStatus.UNSUPPORTED_MEDIA_TYPE,
    "idempotency_mismatch": HTTPStatus.UNPROCESSABLE_ENTITY,
    "invalid_answer": HTTPStatus.UNPROCESSABLE_ENTITY,
    "invalid_request": HTTPStatus.UNPROCESSABLE_ENTITY,
    "source_empty": HTTPStatus.UNPROCESSABLE_ENTITY,
    "source_encrypted": HTTPStatus.UNPROCESSABLE_ENTITY,
    "source_too_long": HTTPStatus.UNPROCESSABLE_ENTITY,
    "source_unreadable": HTTPStatus.UNPROCESSABLE_ENTITY,
    "source_unsupported": HTTPStatus.UNPROCESSABLE_ENTITY,
    "throttled": HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_streams": HTTPStatus.TOO_MANY_REQUESTS,
    "internal": HTTPStatus.INTERNAL_SERVER_ERROR,
}
"""Every code that the API answers with. docs/api.md explains each; a test compares the two."""


class InvalidQuery(HandraiseError):
    """A parameter of the address has a value that cannot be read; `errors` names the parameters."""

    code = "invalid_query"


class InsufficientScope(HandraiseError):
    """The token lacks the scope that the call needs."""

    code = "insufficient_scope"


class StreamOnly(HandraiseError):
    """The address answers with an event stream, and this server or request takes none."""

    code = "not_acceptable"


class TooLarge(HandraiseError):
    """The body is larger than the call takes."""

    code = "too_large"


class NotMultipart(HandraiseError):
    """Files were sent in another form than that of files."""

    code = "unsupported_media_type"


class CsrfFailed(exceptions.PermissionDenied):
    """A request signed in by cookie came without the CSRF token of its pages."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One refusal, ready to be sent in either of the two ways that Django and DRF answer."""

    code: str
    detail: str
    errors: Sequence[FieldError] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def status(self) -> HTTPStatus:
        """Return the HTTP status of the code."""
        return STATUSES[self.code]

    @property
    def body(self) -> dict[str, Any]:
        """Return the JSON object; facts such as a receipt stand beside the members of the RFC."""
        return {
            **self.facts,
            "type": "about:blank",
            "title": self.status.phrase,
            "status": self.status.value,
            "code": self.code,
            "detail": self.detail,
            "errors": [error._asdict() for error in self.errors],
        }

    @property
    def all_headers(self) -> dict[str, str]:
        """Return the headers that belong to the refusal."""
        challenge = {"WWW-Authenticate": "Bearer"} if self.status == HTTPStatus.UNAUTHORIZED else {}
        return {"Cache-Control": "no-store", **challenge, **self.headers}


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response:
    """Answer what a view raised. DRF calls this; a fault of ours is answered without a word of its text."""
    problem = _problem_of(error)
    if isinstance(error, NotFound) and context["request"].user:
        record_trespass(context["request"].user.pk, error.asked_for)
    _log_refusal(context["request"]._request, problem)
    return Response(problem.body, problem.status, content_type=MEDIA_TYPE, headers=problem.all_headers)


def _problem_of(error: Exception) -> Problem:
    if isinstance(error, HandraiseError) and error.code in STATUSES:
        return Problem(error.code, error.message, error.errors, error.facts, _headers(error))
    for kind, code in _CODES.items():
        if isinstance(error, kind):
            return Problem(code, _sentence(code), headers=_headers(error))
    # The edge: a fault of ours must not tear down the answer. Its text may hold what people wrote, so only its type
    # and place are logged.
    logger.error("%s at %s (%s)", type(error).__name__, _place(error), current().http_request)
    return Problem("internal", _sentence("internal"))


_CODES: Mapping[type[Exception], str] = {
    exceptions.NotAuthenticated: "not_authenticated",
    exceptions.AuthenticationFailed: "not_authenticated",
    CsrfFailed: "csrf_failed",
    exceptions.PermissionDenied: "forbidden",
    PermissionDenied: "forbidden",
    exceptions.NotFound: "not_found",
    Http404: "not_found",
    exceptions.MethodNotAllowed: "method_not_allowed",
    exceptions.NotAcceptable: "not_acceptable",
    exceptions.UnsupportedMediaType: "unsupported_media_type",
    exceptions.Throttled: "throttled",
    DisallowedHost: "bad_host",
}
"""What DRF and Django raise. The order counts: the first class that fits."""


def _sentence(code: str) -> str:
    """Return the text of a refusal that has none of its own, in the language in force."""
    return {
        "bad_host": _("This host is not served here."),
        "bad_request": _("The request cannot be read."),
        "not_authenticated": _("Sign in, or send a valid token."),
        "csrf_failed": _("The CSRF token is missing or wrong. Load the page again."),
        "forbidden": _("This is not allowed."),
        "not_found": _("There is nothing at this address."),
        "method_not_allowed": _("This address does not take this method."),
        "not_acceptable": _("This is answered as JSON only; send Accept: application/json."),
        "unsupported_media_type": _("Send the body as JSON, with Content-Type: application/json."),
        "throttled": _("Too many requests. Try again later."),
        "internal": _("Something went wrong on our side."),
    }[code]


def _headers(error: Exception) -> Mapping[str, str]:
    wait = getattr(error, "wait", None)
    return {} if wait is None else {"Retry-After": str(max(1, wait))}


def _log_refusal(request: HttpRequest, problem: Problem) -> None:
    """Log the route, not the address, and the number of wrong fields, not their names: both are the client's text."""
    route = request.resolver_match.route if request.resolver_match else "?"
    logger.info(
        "%s %s refused: %d %s, wrong fields: %d (%s)",
        request.method if request.method in _METHODS else "?",
        route,
        problem.status,
        problem.code,
        len(problem.errors),
        current().http_request,
    )


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_name}:{trace.tb_lineno}" if trace else "?"


# --- what Django refuses before a view is reached -------------------------------------------------

Page = Callable[..., HttpResponseBase]


def for_api(page: Page, code: str) -> Page:
    """Return an error handler of Django that answers the API's addresses with a problem, and all others with `page`."""

    def handler(request: HttpRequest, exception: Exception | None = None) -> HttpResponseBase:
        # What is refused before the middleware of languages is reached speaks the browser's.
        language = getattr(request, "LANGUAGE_CODE", "") or translation.get_language_from_request(request)
        with translation.override(language):
            if request.path_info == "/api" or request.path_info.startswith("/api/"):
                return _bare_response("bad_host" if isinstance(exception, DisallowedHost) else code)
            return page(request) if exception is None else page(request, exception)

    return handler


def _bare_response(code: str) -> HttpResponse:
    problem = Problem(code, _sentence(code))
    return HttpResponse(compact_json(problem.body), MEDIA_TYPE, problem.status, headers=problem.all_headers)
