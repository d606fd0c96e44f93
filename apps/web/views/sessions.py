"""The list of sessions: all of them with search, and what can be done with one."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from apps.runs import services
from apps.web.requests import PersonRequest, next_address, see_other, signed_in
from apps.web.sidebar import PAGE, found_sessions


@require_safe
@signed_in
def sessions(request: PersonRequest) -> HttpResponse:
    """List the sessions whose title holds the words looked for."""
    words, archived = request.GET.get("q", "").strip()[:200], request.GET.get("archived") == "1"
    page = Paginator(found_sessions(request.user, words, archived), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "words": words, "archived": archived}
    if words and not page.object_list:
        context["elsewhere"] = found_sessions(request.user, words, not archived).count()
    return render(request, "sessions/sessions.html", context)


@require_safe
@signed_in
def sidebar(request: PersonRequest) -> HttpResponse:
    """Return the list at the side."""
    return render(request, "chat/_sidebar_list.html", {"current": request.GET.get("current", "")})


@require_POST
@signed_in
def rename(request: PersonRequest, session_id: str) -> HttpResponse:
    """Give the session another title."""
    services.change_session(request.user, session_id, {"title": request.POST.get("title", "")})
    return see_other(next_address(request))


@require_POST
@signed_in
def archive(request: PersonRequest, session_id: str) -> HttpResponse:
    """Put the session away, or bring it back."""
    services.change_session(request.user, session_id, {"archived": request.POST.get("archived") == "1"})
    return see_other(next_address(request))


@require_POST
@signed_in
def delete(request: PersonRequest, session_id: str) -> HttpResponse:
    """Delete the session; its page asked for a confirmation."""
    services.delete_session(request.user, session_id)
    return see_other("/")


@require_safe
@signed_in
def confirm_delete(request: PersonRequest, session_id: str) -> HttpResponse:
    """Ask whether to delete the session."""
    return render(request, "sessions/delete.html", {"session": services.session_of(request.user, session_id)})
