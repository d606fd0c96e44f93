"""How long data are kept: one form for all categories."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _

from apps.audit.models import Retention
from apps.audit.retention import MAX_DAYS, retention_days, set_retention
from apps.console.rights import Right, may
from apps.console.stock import StockAdmin


class RetentionAdmin(StockAdmin[Retention]):
    """The retention settings; the list is the form."""

    actions = None

    def has_view_permission(self, request: HttpRequest, obj: Retention | None = None) -> bool:
        """Let those see it who may see history or change settings."""
        return may(request, Right.VIEW, Right.SETTINGS)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Show it to them in the menu."""
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse: the categories are fixed."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Retention | None = None) -> bool:
        """Refuse a row at a time: the form has them all."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Retention | None = None) -> bool:
        """Refuse."""
        return False

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Show the days of each category; a POST by who may changes them."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        wrong: list[str] = []
        if request.method == "POST":
            if not may(request, Right.SETTINGS):
                raise PermissionDenied
            wrong = _save(request)
            if not wrong:
                messages.success(request, _("Saved."))
                return HttpResponseRedirect(request.path)
        return self._page(request, wrong)

    def _page(self, request: HttpRequest, wrong: list[str]) -> HttpResponse:
        names = dict(Retention.Category.choices)
        rows = [
            {"category": category, "name": names[category], "days": request.POST.get(category, days), "wrong": category in wrong}
            for category, days in retention_days().items()
        ]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": self.opts.verbose_name_plural,
            "rows": rows,
            "max_days": MAX_DAYS,
            "may_change": may(request, Right.SETTINGS),
        }
        return TemplateResponse(request, "admin/console/retention.html", context, status=422 if wrong else 200)

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


def _save(request: HttpRequest) -> list[str]:
    """Keep the days that were changed; return the categories whose days are wrong, and then keep none."""
    given: dict[str, int] = {}
    wrong: list[str] = []
    for category, days in retention_days().items():
        text = request.POST.get(category, str(days)).strip()
        if text.isascii() and text.isdecimal() and len(text) <= 5 and int(text) <= MAX_DAYS:
            given[category] = int(text)
        else:
            wrong.append(category)
    if not wrong:
        for category, days in retention_days().items():
            if given[category] != days:
                set_retention(category, given[category])
    return wrong
