"""What can be done with one user's data and access: export, erase, a link to sign in. Each is on record."""

import tempfile
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from apps.accounts.links import make_sign_in_link_token
from apps.accounts.models import User
from apps.audit.reasons import ReasonMissing
from apps.audit.write import Entry, record
from apps.common.text import is_blank
from apps.console.rights import Right, may
from apps.runs.privacy import erase_user_data, export_user_data


def export_view(admin: Any, request: HttpRequest, object_id: str) -> HttpResponseBase:
    """Hand out all that is stored about a user, as a ZIP file. It is written to a file first: memory stays flat."""
    user = _asked_for(admin, request, object_id, Right.EVIDENCE)
    if request.method != "POST":
        return HttpResponseRedirect(admin.address_of(user))
    if is_blank(request.POST.get("reason", "")):
        return _refused(admin, request, user, _("Give a reason."))
    file = tempfile.TemporaryFile()  # noqa: SIM115 - the response closes it after the last byte
    try:
        export_user_data(user, file, request.POST["reason"])
    except ReasonMissing as refusal:
        file.close()
        return _refused(admin, request, user, refusal.message)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{user.public_id}.zip", content_type="application/zip")


def erase_view(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """Erase what a user wrote, was asked and answered; the name must be typed, and a reason given."""
    user = _asked_for(admin, request, object_id, Right.ERASE)
    if request.method != "POST":
        return HttpResponseRedirect(admin.address_of(user))
    if request.POST.get("name") != user.username:
        return _refused(admin, request, user, _("Type the name of the user to confirm."))
    if is_blank(request.POST.get("reason", "")):
        return _refused(admin, request, user, _("Give a reason."))
    try:
        erased = erase_user_data(user, request.POST["reason"])
    except ReasonMissing as refusal:
        return _refused(admin, request, user, refusal.message)
    messages.success(request, _("Erased: %(sessions)d sessions.") % {"sessions": erased.sessions})
    if not erased.forgotten:
        messages.warning(request, _("Old pages still lie in the database's log: erase again while nobody reads."))
    return HttpResponseRedirect(admin.address_of(user))


def link_view(admin: Any, request: HttpRequest, object_id: str) -> HttpResponse:
    """Make a link with which the user signs in once, and show it, this once."""
    user = _asked_for(admin, request, object_id, Right.PEOPLE)
    if not admin.has_change_permission(request, user):
        raise PermissionDenied
    if request.method != "POST":
        return HttpResponseRedirect(admin.address_of(user))
    with transaction.atomic():
        token = make_sign_in_link_token(user)
        record([Entry("settings_changed", summary={"subject": user.public_id, "names": ["sign_in_link"]})])
    context = {
        **admin.admin_site.each_context(request),
        "opts": admin.opts,
        "original": user,
        "title": _("Sign-in link"),
        "link": request.build_absolute_uri(f"/sign-in/link/{token}/"),
    }
    return TemplateResponse(request, "admin/console/sign_in_link.html", context)


def _asked_for(admin: Any, request: HttpRequest, object_id: str, right: Right) -> User:
    if not may(request, right):
        raise PermissionDenied
    user: User | None = admin.get_object(request, object_id)
    if user is None:
        raise Http404
    return user


def _refused(admin: Any, request: HttpRequest, user: User, error: str) -> HttpResponse:
    messages.error(request, error)
    return HttpResponseRedirect(admin.address_of(user))
