"""The admin site: signed in by the product's own page, every act named as one of the staff's, no second history."""

from collections.abc import Mapping, Sequence
from functools import update_wrapper
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.contrib.admin.models import LogEntry
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _

from apps.accounts.actors import actor_of
from apps.accounts.sign_in import sign_out
from apps.audit.context import acting
from apps.console.rights import Right, may

_NOT_OURS = frozenset({"password_change", "password_change_done", "autocomplete", "view_on_site"})
"""Addresses of the stock site that have no use here: passwords are changed in the person's own settings."""

_SECTIONS: Mapping[str, tuple[Any, Sequence[str]]] = {
    "history": (_("History"), ("Interaction", "ChatSession", "Run", "SolvePlan", "Source", "AuditRecord")),
    "people": (_("People"), ("User", "Group", "ApiToken")),
    "settings": (_("Settings"), ("CapabilitySettings", "Retention")),
}


class Console(AdminSite):
    """The console under /admin/."""

    site_header = site_title = _("Handraise console")
    index_title = _("Dashboard")
    index_template = "admin/console/dashboard.html"
    empty_value_display = "–"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        """Let staff in who have any right at all."""
        return request.user.is_active and may(request, *Right)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Let a stranger sign in, and turn away whoever has no rights; what is done inside is done by staff."""
        guarded = super().admin_view(view, cacheable)

        def staff_view(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return redirect_to_login(request.get_full_path(), settings.LOGIN_URL)
            if not self.has_permission(request):
                raise PermissionDenied
            with acting(lambda: actor_of(request.user), "admin"):
                return guarded(request, *args, **kwargs)

        return update_wrapper(staff_view, guarded)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Return the stock addresses without those that have no use here."""
        return [url for url in super().get_urls() if getattr(url, "name", None) not in _NOT_OURS]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Send a stranger to the product's own sign-in page, and whoever is signed in on."""
        wanted = request.GET.get("next", "")
        is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
        following = wanted if is_ours else reverse("admin:index")
        if request.user.is_authenticated:
            return HttpResponseRedirect(following)
        return redirect_to_login(following, settings.LOGIN_URL)

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """Sign out as the product does, with its record."""
        if request.method != "POST":
            return HttpResponse(status=405, headers={"Allow": "POST"})
        sign_out(request)
        return HttpResponseRedirect(settings.LOGIN_URL)

    def get_log_entries(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """Return nothing: what the staff does stands in the audit, not in a second log that could be changed."""
        return LogEntry.objects.none()

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """Return what stands in the menu, by what it is for, not by where it is kept."""
        stock = super().get_app_list(request, app_label)
        models = {model["object_name"]: model for app in stock for model in app["models"]}
        sections = [
            {
                "name": name,
                "app_label": label,
                "app_url": "",
                "has_module_perms": True,
                "models": [models[m] for m in own if m in models],
            }
            for label, (name, own) in _SECTIONS.items()
        ]
        return [section for section in sections if section["models"]]

    def app_index(self, request: HttpRequest, app_label: str, extra_context: dict[str, Any] | None = None) -> Any:
        """Lead to the dashboard: where something is kept is no place of the menu."""
        return HttpResponseRedirect(reverse("admin:index"))

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show the dashboard to those who may see history, and to others what they may do."""
        from apps.console.dashboard import dashboard

        numbers = {"dashboard": dashboard()} if may(request, Right.VIEW) else {}
        return super().index(request, {**numbers, **(extra_context or {})})


console = Console()
