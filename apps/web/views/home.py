"""The first page, and the page of a chat that has not begun."""

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from apps.common.errors import HandraiseError
from apps.runs import services
from apps.runs.selectors import sessions_of
from apps.web.attaching import begin
from apps.web.examples import examples
from apps.web.forms import capability_in
from apps.web.requests import PersonRequest, see_other, signed_in, starts_run
from apps.web.words import model_words


@require_safe
@signed_in
def home(request: PersonRequest) -> HttpResponse:
    """Lead to the newest session, or show how to begin."""
    newest = sessions_of(request.user).filter(archived=False).first()
    if newest is not None:
        return HttpResponseRedirect(reverse("chat", args=[newest.public_id]))
    return _page(request)


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
@starts_run
def new_chat(request: PersonRequest) -> HttpResponse:
    """Show an empty chat; a POST begins it with a message."""
    if request.method != "POST":
        return _page(request)
    message, capability = request.POST.get("example") or request.POST.get("message", ""), capability_in(request.POST)
    new = services.NewRun(message, capability=capability, language=get_language() or "en")
    try:
        started = begin(request, new)
    except HandraiseError as refusal:
        return _page(request, 422, typed=message, notice=refusal.message, capability=capability)
    return see_other(reverse("chat", args=[started.session.public_id]))


@require_safe
@signed_in
def keys(request: PersonRequest) -> HttpResponse:
    """List the keys: as a page, and for a script as the dialog that it shows."""
    return render(request, "_keys_dialog.html" if request.htmx else "keys.html")


def _page(request: PersonRequest, status: int = 200, **facts: str) -> HttpResponse:
    return render(request, "chat/new.html", {"examples": examples(), "model": model_words()} | facts, status=status)
