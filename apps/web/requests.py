"""Who may come in, and how a page tells the browser so."""

import math
from collections.abc import Callable
from functools import wraps
from typing import Any, cast
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django_htmx.middleware import HtmxDetails

from apps.accounts.models import User
from apps.runs.errors import NotFound
from apps.runs.rates import take_run
from apps.runs.trespass import record_trespass


class Request(HttpRequest):
    """A request, told apart by htmx or not."""

    htmx: HtmxDetails


class PersonRequest(Request):
    """A request of somebody who is signed in."""

    user: User


View = Callable[..., HttpResponseBase]
TYPED = ("message", "text", "feedback", "plan", "goal")
"""The fields that a person writes into, beside those of several questions."""


def signed_in(view: View) -> View:
    """Let only people in. A script gets a bare 401, which is never swapped into a page; a browser the sign-in page.

    A form that was sent without a session comes back as text, so that nothing typed is lost.
    """

    @wraps(view)
    def guarded(request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return _answered(view, cast(PersonRequest, request), *args, **kwargs)
        if request.htmx or request.method not in ("GET", "HEAD", "POST"):
            return HttpResponse(status=401, headers={"Cache-Control": "no-store", "WWW-Authenticate": "Session"})
        if request.method == "POST":
            return render(request, "sign_in/signed_out.html", {"typed": typed_in(request)}, status=401)
        return HttpResponseRedirect(f"{resolve_url('sign-in')}?{urlencode({'next': request.get_full_path()})}")

    return guarded


def starts_run(view: View) -> View:
    """Let a person start as many runs a minute as through the API; beyond that what was typed comes back."""

    @wraps(view)
    def guarded(request: PersonRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        seconds = take_run(request.user.pk) if request.method == "POST" else 0.0
        if seconds <= 0:
            return view(request, *args, **kwargs)
        facts = {"typed": typed_in(request), "seconds": math.ceil(seconds)}
        refusal = HttpResponse(status=429) if request.htmx else render(request, "429.html", facts, status=429)
        refusal["Retry-After"] = str(facts["seconds"])
        return refusal

    return guarded


def _answered(view: View, request: PersonRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    """Call the view; an unknown thing and a stranger's look the same."""
    try:
        response = view(request, *args, **kwargs)
    except NotFound as error:
        record_trespass(request.user.pk, error.asked_for)
        return render(request, "404.html", status=404)
    # Not no-store: a page that is left and come back to keeps what was typed into it.
    response.headers.setdefault("Cache-Control", "private, no-cache")
    return response


def typed_in(request: HttpRequest) -> str:
    """Return the texts of a form: those fields that a person writes into."""
    names = [name for name in request.POST if name in TYPED or name.endswith("-text")]
    texts = [text.strip() for name in names for text in request.POST.getlist(name)]
    return "\n\n".join(text for text in texts if text)


def next_address(request: HttpRequest) -> str:
    """Return where to go after the sign-in: an address of ours, else the first page."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else "/"


def see_other(address: str, fragment: str = "") -> HttpResponse:
    """Send the browser on with GET."""
    return HttpResponse(status=303, headers={"Location": address + (f"#{fragment}" if fragment else "")})


def words_gone(request: HttpRequest, erased: int) -> HttpResponse | None:
    """Return what tells a page that words which it shows were erased: it knows another number of those that were."""
    known = request.GET.get("erased", "")
    return HttpResponse(status=410) if known.isascii() and known.isdecimal() and known != str(erased) else None
