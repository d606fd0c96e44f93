"""An admin whose list is one form with all there is to set; nothing is added, and nothing changed row by row."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from apps.console.rights import Right, may
from apps.console.stock import StockAdmin

Errors = dict[str, str]
"""What is wrong, by the name of the field."""


class OneFormAdmin[M: Model](StockAdmin[M]):
    """Shows the form to who may see history or change settings; takes it from the latter."""

    actions = None
    template = ""

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Let those see it who may see history or change settings."""
        return may(request, Right.VIEW, Right.SETTINGS)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show it to them in the menu."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: what can be set is fixed."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Refuse a row at a time: the form has them all."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        """Refuse."""
        return False

    def shown(self, request: HttpRequest, errors: Errors) -> dict[str, Any]:
        """Return what the form shows: what holds, or what was just sent."""
        raise NotImplementedError

    def save(self, request: HttpRequest) -> Errors:
        """Keep what was sent; return what is wrong with it, and then keep nothing."""
        raise NotImplementedError

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the form; a POST by who may change settings keeps it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        errors: Errors = {}
        if request.method == "POST":
            if not may(request, Right.SETTINGS):
                raise PermissionDenied
            errors = self.save(request)
            if not errors:
                messages.success(request, _("Saved."))
                return HttpResponseRedirect(request.path)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": self.opts.verbose_name_plural,
            "may_change": may(request, Right.SETTINGS),
            **self.shown(request, errors),
        }
        return TemplateResponse(request, self.template, context, status=422 if errors else 200)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Refuse what is posted; a look leads to the form."""
        if request.method not in ("GET", "HEAD") or not self.has_view_permission(request):
            raise PermissionDenied
        return HttpResponseRedirect("../../")

    def history_view(self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Refuse what is posted; a look leads to the form."""
        return self.change_view(request, object_id)
