"""A person's settings: language, looks and keys, password, API tokens."""

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from apps.accounts.models import ApiToken, Scope
from apps.accounts.tokens import DEFAULT_SCOPES, InvalidToken, make_token, revoke_token
from apps.runs.errors import NotFound
from apps.web.preferences import PARTS, change_password, choose, choose_language, send_key_choices, theme_choices
from apps.web.requests import PersonRequest, see_other, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def settings_page(request: PersonRequest) -> HttpResponse:
    """Show the settings; a POST keeps those of one part of the page."""
    if request.method != "POST":
        return _page(request)
    part = request.POST.get("part", "")
    choose(request.user, part, request.POST.dict())
    if "language" in request.POST:
        choose_language(request.user, request.POST["language"])
    return see_other("/settings/?saved=1", part if part in PARTS else "")


def _page(request: PersonRequest, status: int = 200, **facts: object) -> HttpResponse:
    context = {
        "themes": theme_choices(),
        "send_keys": send_key_choices(),
        "languages": [("", _("As the browser")), *(request.user._meta.get_field("language").choices or ())],
        "scopes": [scope for scope in Scope if scope != Scope.ADMIN or request.user.is_staff],
        "default_scopes": DEFAULT_SCOPES,
        "tokens": ApiToken.objects.filter(user=request.user, revoked_at=None).order_by("-id"),
        "saved": _saved_words(request.GET.get("saved", "")),
    }
    return render(request, "settings/settings.html", context | facts, status=status)


def _saved_words(saved: str) -> str:
    """Return what is said at the top after something was done; what is not known says nothing."""
    return {
        "1": _("Saved."),
        "password": _("The password was changed."),
        "token": _("The token was revoked."),
        "others": _("All other devices are signed out."),
        "erased": _("Your data were erased."),
        "erased-partly": _("Your data were erased. Old pages still lie in the database's log until its next tidying."),
    }.get(saved, "")


@never_cache
@sensitive_post_parameters("old", "new", "again")
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def password(request: PersonRequest) -> HttpResponse:
    """Set or change the password."""
    user, errors, is_first = request.user, [], request.GET.get("first") == "1"
    if request.method == "POST":
        errors = _password_errors(request)
        if not errors:
            return see_other("/" if is_first else "/settings/?saved=password")
    context = {"errors": errors, "needs_old": user.has_usable_password(), "is_first": is_first}
    return render(request, "settings/password.html", context, status=422 if errors else 200)


def _password_errors(request: PersonRequest) -> list[str]:
    """Change the password, or say what is wrong."""
    user, new = request.user, request.POST.get("new", "")
    if user.has_usable_password() and not user.check_password(request.POST.get("old", "")):
        return [_("The old password is wrong.")]
    if new != request.POST.get("again", ""):
        return [_("The two new passwords differ.")]
    try:
        change_password(request, user, new)
    except ValidationError as refusal:
        return list(refusal.messages)
    return []


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def new_token(request: PersonRequest) -> HttpResponse:
    """Make an API token and show it, this once: whoever opens this address again finds the list."""
    if request.method != "POST":
        return see_other("/settings/", "tokens")
    days = request.POST.get("days", "")
    try:
        lifetime = int(days) if days.isascii() and days.isdecimal() and len(days) < 6 else None
        _row, plain = make_token(request.user, request.POST.get("name", "")[:100], request.POST.getlist("scope"), lifetime)
    except InvalidToken as refusal:
        return _page(request, 422, token_error=refusal.message)
    return _page(request, new_token=plain)


@require_POST
@signed_in
def revoke(request: PersonRequest, token_id: str) -> HttpResponse:
    """Make a token useless."""
    token = ApiToken.objects.filter(user=request.user, public_id=token_id).select_related("user").first()
    if token is None:
        raise NotFound("")
    revoke_token(token)
    return see_other("/settings/?saved=token", "tokens")


@never_cache
@require_safe
@signed_in
def form_token(request: PersonRequest) -> HttpResponse:
    """Return a fresh token against forged requests: a page that was open while its user signed in anew needs one."""
    return HttpResponse(get_token(request), content_type="text/plain")
