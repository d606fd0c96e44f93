"""The first page, and the page of a chat that has not begun."""

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.http import require_http_methods, require_safe

from apps.common.errors import HandraiseError
from apps.runs import services
from apps.runs.selectors import sessions_of
from apps.web.examples import examples
from apps.web.requests import PersonRequest, see_other, signed_in
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
def new_chat(request: PersonRequest) -> HttpResponse:
    """Show an empty chat; a POST begins it with a message."""
    if request.method != "POST":
        return _page(request)
    message = request.POST.get("message", "")
    try:
        started = services.start_run(request.user, services.NewRun(message, language=get_language() or "en"))
    except HandraiseError as refusal:
        return _page(request, message, refusal.message, 422)
    return see_other(reverse("chat", args=[started.session.public_id]))


def _page(request: PersonRequest, message: str = "", error: str = "", status: int = 200) -> HttpResponse:
    context = {"examples": examples(), "model": model_words(), "typed": message, "notice": error}
    return render(request, "chat/new.html", context, status=status)
