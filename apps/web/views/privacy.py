"""What a person may ask for: to sign out everywhere else, to get all that is stored about them, to have it erased."""

import tempfile

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from apps.accounts.sign_in import SignInRefused, SignInThrottled, confirm_password, sign_out_others
from apps.runs.privacy import erase_user_data, export_user_data
from apps.web.requests import PersonRequest, see_other, signed_in

_STATUS = {SignInRefused: 422, SignInThrottled: 429}


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def other_sessions(request: PersonRequest) -> HttpResponse:
    """Ask for the password; a POST signs out every other device."""
    if request.method != "POST":
        return render(request, "settings/other_sessions.html")
    try:
        sign_out_others(request, request.user, request.POST.get("password", ""))
    except (SignInRefused, SignInThrottled) as refusal:
        return render(request, "settings/other_sessions.html", {"error": refusal.message}, status=_STATUS[type(refusal)])
    return see_other("/settings/?saved=others", "account")


@require_POST
@signed_in
def export(request: PersonRequest) -> HttpResponseBase:
    """Hand out all that is stored about the person, as a ZIP file. It is written to a file first: memory stays flat."""
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it after the last byte
    export_user_data(request.user, file)
    file.seek(0)
    name = f"{request.user.public_id}.zip"
    return FileResponse(file, as_attachment=True, filename=name, content_type="application/zip")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def erase(request: PersonRequest) -> HttpResponse:
    """Say what an erasure does; a POST that proves who sends it erases."""
    if request.method != "POST":
        return render(request, "settings/erase.html")
    try:
        _confirm(request)
    except (SignInRefused, SignInThrottled) as refusal:
        return render(request, "settings/erase.html", {"error": refusal.message}, status=_STATUS[type(refusal)])
    erased = erase_user_data(request.user)
    return see_other("/settings/?saved=erased" if erased.forgotten else "/settings/?saved=erased-partly", "account")


def _confirm(request: PersonRequest) -> None:
    """Check the password; who has none types the name. Raises SignInRefused and SignInThrottled."""
    if request.user.has_usable_password():
        confirm_password(request, request.user, request.POST.get("password", ""))
    elif request.POST.get("name", "").strip() != request.user.get_username():
        raise SignInRefused(_("Type your name as it stands here."))
