"""How a call is described in the schema: its body, its answers, and every refusal that it can meet."""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, OpenApiResponse, extend_schema

from apps.api import shapes
from apps.api.errors import MEDIA_TYPE, STATUSES
from apps.api.fields import STORABLE
from apps.api.pages import DEFAULT_LIMIT, MAX_LIMIT

JSON, EVENTS, BYTES = "application/json", "text/event-stream", "*/*"
FORM = "multipart/form-data"
Parameter = OpenApiParameter

_SIGNED_IN = ("not_authenticated", "insufficient_scope", "not_acceptable", "throttled")
_WITH_BODY = ("malformed_body", "too_large", "unsupported_media_type", "invalid_request")
_ONCE = ("invalid_idempotency_key", "idempotency_mismatch", "idempotency_in_progress")

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "pattern": r"^[\x21-\x7e]{1,255}$"},
    OpenApiParameter.HEADER,
    description="The same request sent again with the same key, within 24 hours, has its effect once.",
)


def describe[F: Callable[..., Any]](
    summary: str,
    *,
    answers: Mapping[int, Any],
    body: Any = None,
    media_type: str = JSON,
    parameters: Sequence[OpenApiParameter] = (),
    refusals: Collection[str] = (),
    streams: bool = False,
    is_file: bool = False,
    is_open: bool = False,
) -> Callable[[F], F]:
    """Describe a method of a view. Codes that its kind of method can always meet need not be named.

    `streams`: the call is answered as an event stream too. `is_file`: it is answered with a file, whatever is accepted.
    `is_open`: nobody needs to be signed in.
    """

    def decorate(method: F) -> F:
        verb = method.__name__
        codes = {*refusals, *_common(verb, has_body=body is not None, is_open=is_open)}
        responses: dict[Any, Any] = {(status, JSON): _answer(shape) for status, shape in answers.items()}
        if streams:
            responses[200, EVENTS] = OpenApiResponse(shapes.StreamedEvent, "Server-sent events.")
        if is_file:
            responses[200, BYTES] = OpenApiResponse(OpenApiTypes.BINARY, "The file, as an attachment.")
            codes.discard("not_acceptable")
        more = [IDEMPOTENCY_KEY] if verb == "post" and not is_open else []
        return extend_schema(
            summary=summary,
            request=_request(body, media_type),
            responses=responses | _problems(codes),
            parameters=[*parameters, *more],
            auth=[] if is_open else None,
        )(method)

    return decorate


def _common(verb: str, *, has_body: bool, is_open: bool) -> set[str]:
    changes = verb != "get" and not is_open
    return {
        "internal",
        *(() if is_open else _SIGNED_IN),
        *(("csrf_failed",) if changes else ()),
        *(_WITH_BODY if has_body else ()),
        *(_ONCE if changes and verb == "post" else ()),
    }


def _request(body: Any, media_type: str) -> Any:
    return None if body is None else {media_type: OpenApiRequest(body)}


def _answer(shape: Any) -> OpenApiResponse:
    """Describe an answer: a shape, a kind of value of drf-spectacular, or None for no body."""
    is_shape = isinstance(shape, type) and issubclass(shape, shapes.Shape)
    return OpenApiResponse(shape, shape.__doc__ if is_shape else "Done.")


def _problems(codes: Collection[str]) -> dict[Any, OpenApiResponse]:
    ordered = sorted(codes, key=lambda code: (STATUSES[code], code))
    return {
        (int(status), MEDIA_TYPE): OpenApiResponse(shapes.Problem, " · ".join(f"`{code}`" for code in same))
        for status, same in groupby(ordered, key=STATUSES.__getitem__)
    }


def parameter(name: str, description: str, type: type = str, **limits: Any) -> OpenApiParameter:
    """Describe a parameter of the address; `limits` are words of JSON Schema."""
    kinds = {str: "string", int: "integer", bool: "boolean"}
    if type is str and not limits:
        limits = {"pattern": STORABLE}
    schema = {"type": kinds[type], **{word: list(value) if word == "enum" else value for word, value in limits.items()}}
    return OpenApiParameter(name, schema, OpenApiParameter.QUERY, description=description)


def cursor_parameters() -> list[OpenApiParameter]:
    """Describe the parameters of a list in pages."""
    return [
        parameter("cursor", "The `next` of the page before."),
        parameter("limit", f"Entries of a page; {DEFAULT_LIMIT} if not given.", type=int, minimum=1, maximum=MAX_LIMIT),
    ]
