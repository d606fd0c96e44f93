"""Sign in with a password or a link, sign out, choose the language before that."""

from django.conf import settings
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.links import is_sign_in_link_live
from apps.accounts.sign_in import SignInRefused, SignInThrottled, sign_in_with_link, sign_in_with_password, sign_out
from apps.web import preferences
from apps.web.requests import Request, next_address, see_other


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: Request) -> HttpResponse:
    """Show the form; a POST signs in."""
    if request.method != "POST":
        if request.user.is_authenticated:
            return HttpResponseRedirect(next_address(request))
        return _form(request)
    name = request.POST.get("name", "").strip()
    if not name:
        return _form(request, _("Write your name."), 422)
    try:
        sign_in_with_password(request, name, request.POST.get("password", ""))
    except SignInThrottled as refusal:
        return _form(request, refusal.message, 429)
    except SignInRefused as refusal:
        return _form(request, refusal.message, 422)
    return see_other(next_address(request))


def _form(request: Request, error: str = "", status: int = 200) -> HttpResponse:
    context = {"next": next_address(request), "name": request.POST.get("name", ""), "error": error}
    return render(request, "sign_in/sign_in.html", context, status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_by_link(request: Request, token: str) -> HttpResponse:
    """Show a button; only pressing it spends the link: programs open addresses to preview them."""
    if request.method != "POST":
        return _link_page(request, is_sign_in_link_live(token))
    try:
        user = sign_in_with_link(request, token)
    except SignInRefused:
        return _link_page(request, is_live=False)
    return see_other("/" if user.has_usable_password() else "/settings/password/?first=1")


def _link_page(request: Request, is_live: bool) -> HttpResponse:
    return render(request, "sign_in/link.html", {"is_live": is_live}, status=200 if is_live else 410)


@require_POST
def leave(request: Request) -> HttpResponse:
    """Sign out."""
    sign_out(request)
    return see_other("/sign-in/")


@require_POST
def choose_language(request: Request) -> HttpResponse:
    """Keep the language in a cookie and, of somebody signed in, with the user."""
    language = request.POST.get("language", "")
    answer = see_other(next_address(request))
    if language in dict(settings.LANGUAGES):
        answer.set_cookie(settings.LANGUAGE_COOKIE_NAME, language, max_age=365 * 86400, samesite="Lax", httponly=True)
        if request.user.is_authenticated:
            preferences.choose_language(request.user, language)
    return answer
