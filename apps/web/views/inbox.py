"""All cards that wait for the user."""

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from apps.interactions.models import Interaction
from apps.runs.selectors import pending_of
from apps.web.cards import ask_of, title_of
from apps.web.requests import PersonRequest, signed_in

PAGE = 25


@require_safe
@signed_in
def inbox(request: PersonRequest) -> HttpResponse:
    """List what waits, the oldest first, with the nearest deadline; or say which emptiness it is."""
    waiting = pending_of(request.user)
    page = Paginator(waiting, PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": [(row, title_of(row, ask_of(row))) for row in page],
        "nearest": waiting.exclude(expires_at=None).order_by("expires_at").first() if page.paginator.count else None,
        "was_ever_asked": bool(page.paginator.count) or Interaction.objects.filter(user=request.user).exists(),
    }
    template = "inbox/_list.html" if request.htmx else "inbox/inbox.html"
    return render(request, template, context)
