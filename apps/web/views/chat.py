"""The chat page: its session's timeline, its state and its dock; messages, stop and retry."""

from typing import Any, Literal

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.http import require_POST, require_safe

from apps.chat.models import ToolCall
from apps.common.errors import HandraiseError
from apps.runs import services
from apps.runs.errors import InteractionPending, InvalidRequest, NotFound
from apps.toolkit.sources.errors import SourceRefused
from apps.toolkit.sources.selectors import sources_of
from apps.web import timeline
from apps.web.attaching import attach_files, has_files
from apps.web.chats import dock_of, erased_in
from apps.web.drawing import card_slot, chat_page, news
from apps.web.forms import capability_in
from apps.web.requests import PersonRequest, see_other, signed_in, starts_run, words_gone


@require_safe
@signed_in
def chat(request: PersonRequest, session_id: str) -> HttpResponse:
    """Show the session; the card that waits is in it."""
    return chat_page(request, services.session_of(request.user, session_id))


@require_safe
@signed_in
def live(request: PersonRequest, session_id: str) -> HttpResponse:
    """Return what is new for a page that knows `run` as the last run and shows the card `card`."""
    session = services.session_of(request.user, session_id)
    return words_gone(request, erased_in(session)) or news(request, session)


@require_safe
@signed_in
def words(request: PersonRequest, session_id: str) -> HttpResponse:
    """Say to a page without a stream whether the words of the chat are still there."""
    session = services.session_of(request.user, session_id)
    return words_gone(request, erased_in(session)) or HttpResponse(status=204)


@require_safe
@signed_in
def older(request: PersonRequest, session_id: str) -> HttpResponse:
    """Return the rows before a message."""
    session = services.session_of(request.user, session_id)
    page = timeline.before(session, request.GET.get("before", ""))
    return render(request, "chat/_older.html", {"session": session, "timeline": page, "sources": sources_of(session)})


@require_POST
@signed_in
@starts_run
def send(request: PersonRequest, session_id: str) -> HttpResponse:
    """Attach the files that came and start a run with the message; with `on_pending` the open question is closed by it."""
    message = request.POST.get("message", "")
    on_pending: Literal["", "supersede"] = "supersede" if request.POST.get("on_pending") == "supersede" else ""
    try:
        new = services.NewRun(
            message,
            session_id=session_id,
            capability=capability_in(request.POST),
            language=get_language() or "en",
            on_pending=on_pending,
            sources=attach_files(request, services.session_of(request.user, session_id)),
        )
        started = services.start_run(request.user, new)
    except NotFound:
        raise
    except HandraiseError as refusal:
        return _refused(request, session_id, message, refusal)
    return _done(request, started.session.public_id, renews_files=has_files(request))


def _refused(request: PersonRequest, session_id: str, message: str, refusal: HandraiseError) -> HttpResponse:
    session = services.session_of(request.user, session_id)
    status = 422 if isinstance(refusal, InvalidRequest | SourceRefused) else 409
    facts: dict[str, Any] = {
        "typed": message,
        "notice": refusal.message,
        "offers_supersede": isinstance(refusal, InteractionPending),
        "capability": capability_in(request.POST),
        # What was chosen is attached now, or was refused: to send it once more with the next message would be wrong.
        "renews_files": has_files(request),
        "sources": sources_of(session),
    }
    if request.htmx:
        return render(request, "chat/_refused.html", facts | {"session": session}, status=status)
    return chat_page(request, session, status=status, face="composer", **facts)


def _done(request: PersonRequest, session_id: str, **facts: Any) -> HttpResponse:
    if request.htmx:
        return news(request, services.session_of(request.user, session_id), **facts)
    return see_other(f"/s/{session_id}/", "message")


@require_POST
@signed_in
def stop(request: PersonRequest, session_id: str) -> HttpResponse:
    """Stop the run at work; an idle session stays as it is."""
    services.abort(request.user, session_id)
    return _done(request, session_id)


@require_POST
@signed_in
@starts_run
def retry(request: PersonRequest, session_id: str) -> HttpResponse:
    """Let the failed run go on."""
    try:
        services.retry(request.user, session_id)
    except NotFound:
        raise
    except HandraiseError as refusal:
        return _refused(request, session_id, "", refusal)
    return _done(request, session_id)


@require_safe
@signed_in
def tool_result(request: PersonRequest, session_id: str, message_id: str, number: int) -> HttpResponse:
    """Return the whole result of a call, or its arguments, as a file: the page shows the beginning."""
    session = services.session_of(request.user, session_id)
    calls = ToolCall.objects.filter(message__public_id=message_id, message__run__session=session).select_related("result")
    row = calls.order_by("id")[number : number + 1].first()
    part = "arguments" if request.GET.get("part") == "arguments" else "result"
    if row is None or (part == "result" and not hasattr(row, "result")):
        raise NotFound("")
    text = row.arguments if part == "arguments" else row.result.content
    headers = {"Content-Disposition": f'attachment; filename="{part}.txt"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(text, content_type="text/plain; charset=utf-8", headers=headers)


@require_safe
@signed_in
def dock(request: PersonRequest, session_id: str) -> HttpResponse:
    """Return one of several cards that wait."""
    session = services.session_of(request.user, session_id)
    return card_slot(request, session, dock_of(request.user, session, request.GET.get("card", "")))
