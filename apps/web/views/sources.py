"""Attachments: the page of one with its parts, its file, and its removal."""

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_POST, require_safe

from apps.chat.models import ChatSession
from apps.runs import services
from apps.runs.errors import NotFound
from apps.toolkit.models import Source
from apps.toolkit.sources.files import path_of
from apps.toolkit.sources.keeping import remove
from apps.toolkit.sources.selectors import parts_from, source_of
from apps.web.drawing import news
from apps.web.requests import PersonRequest, see_other, signed_in

_LOCKED = "default-src 'none'; sandbox"
"""For a browser that shows the file after all: nothing in it runs, loads or belongs to this address."""


@require_safe
@signed_in
def source(request: PersonRequest, session_id: str, source_id: str) -> HttpResponse:
    """Show what was read of an attachment, part by part."""
    session, row = _found(request, session_id, source_id)
    facts = {"session": session, "source": row, "parts": parts_from(row, 1)}
    return render(request, "sources/source.html", facts)


@require_safe
@signed_in
def source_file(request: PersonRequest, session_id: str, source_id: str) -> HttpResponse:
    """Hand out the file as it came. It is never opened as a page of ours."""
    session, row = _found(request, session_id, source_id)
    try:
        # At once, for files are small: a server of the ASGI kind would collect a stream of them anyway.
        content = path_of(session.public_id, row.public_id).read_bytes()
    except FileNotFoundError:
        raise NotFound("") from None
    answer = HttpResponse(content, content_type=row.media_type)
    answer["Content-Disposition"] = content_disposition_header(True, row.name) or "attachment"
    answer["X-Content-Type-Options"] = "nosniff"
    answer["Content-Security-Policy"] = _LOCKED
    return answer


@require_POST
@signed_in
def remove_source(request: PersonRequest, session_id: str, source_id: str) -> HttpResponse:
    """Remove an attachment."""
    session, row = _found(request, session_id, source_id)
    remove(session, row)
    return news(request, session) if request.htmx else see_other(f"/s/{session_id}/", "message")


def _found(request: PersonRequest, session_id: str, source_id: str) -> tuple[ChatSession, Source]:
    session = services.session_of(request.user, session_id)
    row = source_of(session, source_id)
    if row is None:
        raise NotFound("", asked_for=source_id)
    return session, row
