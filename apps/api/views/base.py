"""What every call of the API has in common: the order of its checks, its body, its caller, its Idempotency-Key."""

from collections.abc import Callable, Mapping, Sequence
from io import SEEK_END
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from apps.accounts.actors import actor_of
from apps.accounts.idempotency import Stored, idempotent
from apps.accounts.models import ApiToken, User
from apps.api.errors import TooLarge
from apps.api.throttles import RequestRate
from apps.audit.context import ANONYMOUS, Actor, acting
from apps.common.text import is_storable
from apps.runs.errors import NotFound

KIBIBYTE = 1024
_WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


class ApiView(APIView):
    """A call that somebody must be signed in for."""

    http_method_names = ["get", "head", "post", "put", "patch", "delete"]
    throttle_classes: Sequence[type[BaseThrottle]] = (RequestRate,)
    scopes: Mapping[str, str] = {}
    """The scope that a token needs for a method; not named: read."""
    max_body_bytes = 2048 * KIBIBYTE
    reads_body = True
    """False: the view reads the body itself, and bounds it."""
    body = b""
    """The body as it was received."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request; audit records name the token or user, and the API as the door."""
        with acting(self._actor, "api"):
            return super().dispatch(request, *args, **kwargs)

    def _actor(self) -> Actor:
        person = self.request.auth or self.request.user
        return actor_of(person) if isinstance(person, User | ApiToken) else ANONYMOUS

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Read the body, at most one byte more than the call takes.

        A body sent in chunks declares no length, and DRF would take it for an empty one: its length is put in here.
        """
        if request.method in _WITH_BODY and not self.reads_body:
            _declare_length(request)
        elif request.method in _WITH_BODY:
            self.body = request._body = request.read(self.max_body_bytes + 1)
            request.META["CONTENT_LENGTH"] = str(len(self.body))
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check who calls before anything else: whoever is not signed in learns nothing but that."""
        self.perform_authentication(request)
        self.check_permissions(request)
        super().initial(request, *args, **kwargs)
        if len(self.body) > self.max_body_bytes:
            raise TooLarge(_("The body is larger than %(limit)d KiB.") % {"limit": self.max_body_bytes // KIBIBYTE})
        if not all(map(is_storable, kwargs.values())):
            # An id with a NUL is nobody's, and PostgreSQL refuses even to look for it.
            raise NotFound(_("There is nothing at this address."))

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Return the headers of every answer: what a person may read is kept by no cache."""
        return {**super().default_response_headers, "Cache-Control": "no-store"}

    def once(self, effect: Callable[[], Stored]) -> Stored:
        """Do what a POST does, or, with an Idempotency-Key that has done it already, only say what that did."""
        request = self.request
        key = request.headers.get("Idempotency-Key")
        with idempotent(caller(request), request.method or "", request.path, key, self.body) as slot:
            if slot.stored is not None:
                return slot.stored
            done = effect()
            slot.remember(done.status, done.ids)
            return done


def _declare_length(request: HttpRequest) -> None:
    """Put in the length of a body that was sent in chunks: it lies in a file already."""
    stream = getattr(request, "_stream", None)
    if not request.META.get("CONTENT_LENGTH") and stream is not None and stream.seekable():
        request.META["CONTENT_LENGTH"] = str(stream.seek(0, SEEK_END))
        stream.seek(0)


class OpenView(ApiView):
    """A call that anybody may make."""

    authentication_classes = ()
    permission_classes = ()
    throttle_classes = ()

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Answer in the one form there is, whatever is asked for: probes and browsers ask for anything."""
        return super().perform_content_negotiation(request, force=True)


def caller(request: Request) -> User:
    """Return who sends the request; a view that needs nobody signed in must not ask."""
    assert isinstance(request.user, User)
    return request.user


class AfterwardsResponse(Response):
    """An answer with something to do once it has been sent."""

    def __init__(self, content: Any, afterwards: Callable[[], None]) -> None:
        super().__init__(content)
        self._afterwards = afterwards

    def close(self) -> None:
        """Do it; the server calls this after the last byte."""
        try:
            self._afterwards()
        finally:
            super().close()
