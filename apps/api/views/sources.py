"""Attachments of a session: list, attach, remove."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.idempotency import Stored
from apps.api import shapes
from apps.api.describing import FORM, describe
from apps.api.errors import NotMultipart
from apps.api.throttles import RequestRate, UploadRate
from apps.api.views.base import ApiView, caller
from apps.chat.models import ChatSession
from apps.common.errors import FieldError
from apps.interactions.submissions import MalformedBody
from apps.runs import services
from apps.runs.errors import NotFound
from apps.toolkit.models import Source
from apps.toolkit.sources.files import too_large
from apps.toolkit.sources.keeping import Taken, Upload, keep, remove, taken
from apps.toolkit.sources.receiving import are_too_large, fault_of_form
from apps.toolkit.sources.selectors import source_of, sources_of
from apps.toolkit.sources.wire import source_json

FIELD = "file"


class SourcesView(ApiView):
    """The attachments of a session."""

    scopes = {"POST": "run"}
    reads_body = False

    def get_throttles(self) -> list[Any]:
        """Return the limits of the method: files are counted apart."""
        return [RequestRate(), *([UploadRate()] if self.request.method == "POST" else [])]

    def perform_authentication(self, request: Request) -> None:
        """See who calls. With a cookie that reads the form, which may be broken."""
        try:
            super().perform_authentication(request)
        except (MultiPartParserError, SuspiciousOperation) as error:
            raise _malformed(error) from None

    @describe("Attachments of a session", answers={200: shapes.SourcesPage}, refusals=("not_found",))
    def get(self, request: Request, session_id: str) -> Response:
        """List what is attached to the session, oldest first."""
        session = services.session_of(caller(request), session_id)
        return Response(_page(sources_of(session)))

    @describe(
        "Attach files",
        body=shapes.Files,
        media_type=FORM,
        answers={201: shapes.SourcesPage},
        refusals=(
            "not_found",
            "gone",
            "source_unsupported",
            "source_encrypted",
            "source_too_long",
            "source_unreadable",
            "source_empty",
            "too_many_sources",
        ),
    )
    def post(self, request: Request, session_id: str) -> Response:
        """Attach one or more files to the session: all of them, or none if one is refused.

        A file is known by its content; `file` in a refusal is the position of the file that is meant.
        """
        session = services.session_of(caller(request), session_id)
        with taken(session, _files(request._request)) as read:
            self.body = _content_of(read)
            done = self.once(lambda: _keep(session, read))
        stored = {source.public_id: source for source in sources_of(session)}
        return Response(_page([stored[each] for each in done.ids["sources"] if each in stored]), done.status)


class SourceView(ApiView):
    """One attachment."""

    scopes = {"DELETE": "run"}

    @describe("Remove an attachment", answers={204: None}, refusals=("not_found",))
    def delete(self, request: Request, session_id: str, source_id: str) -> Response:
        """Remove the file and all that was read of it."""
        session = services.session_of(caller(request), session_id)
        source = source_of(session, source_id)
        if source is None:
            raise NotFound(_("This chat has no such attachment."), asked_for=source_id)
        remove(session, source)
        return Response(status=204)


def _files(request: HttpRequest) -> Sequence[Upload]:
    """Return the files of a form. Raises NotMultipart, MalformedBody, SourceTooLarge."""
    if request.content_type != FORM:
        raise NotMultipart(_("Send the files as multipart/form-data."))
    try:
        if are_too_large(request):
            raise too_large()
        others = sorted((set(request.FILES) | set(request.POST)) - {FIELD, "csrfmiddlewaretoken"})
    except (MultiPartParserError, SuspiciousOperation) as error:
        raise _malformed(error) from None
    if others:
        errors = [FieldError(FIELD, _("Send the files in fields of this name, and nothing else."))]
        raise MalformedBody(_("The body is malformed."), errors=errors)
    return request.FILES.getlist(FIELD)


def _malformed(error: Exception) -> MalformedBody:
    fault = fault_of_form(error)
    return MalformedBody(_("The body is malformed."), errors=[FieldError(FIELD, fault)] if fault else [])


def _content_of(read: Sequence[Taken]) -> bytes:
    """Return what is the same if the same files are sent again; the bytes around them differ each time."""
    return "\n".join(f"{each.written.sha256} {each.name}" for each in read).encode()


def _keep(session: ChatSession, read: Sequence[Taken]) -> Stored:
    return Stored(201, {"sources": [source.public_id for source in keep(session, read)]})


def _page(sources: Sequence[Source]) -> dict[str, Any]:
    return {"results": list(map(source_json, sources)), "next": None}
