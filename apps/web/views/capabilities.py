"""The settings of the capabilities, as they hold for one person."""

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from apps.runs.errors import InvalidRequest
from apps.web.capability_form import paths, save, sections, take_back
from apps.web.requests import PersonRequest, see_other, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def capabilities(request: PersonRequest) -> HttpResponse:
    """Show the settings; a POST keeps them, or takes those of one capability back."""
    if request.method != "POST":
        limited = [path for path in request.GET.getlist("limited") if path in paths(request.user)]
        facts = {"sections": sections(request.user, QueryDict(), limited=limited), "saved": request.GET.get("saved")}
        return render(request, "settings/capabilities.html", facts)
    if name := request.POST.get("take_back"):
        take_back(request.user, name)
        return see_other(f"{reverse('capabilities')}?saved=1")
    try:
        limited = save(request.user, request.POST)
    except InvalidRequest as refusal:
        facts = {"sections": sections(request.user, request.POST, refusal.errors)}
        return render(request, "settings/capabilities.html", facts, status=422)
    return see_other(f"{reverse('capabilities')}?saved=1" + "".join(f"&limited={path}" for path in limited))
