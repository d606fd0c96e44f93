"""Addresses: the API, the pages, staff."""

from django.urls import include, path
from django.views import defaults

from apps.api.errors import for_api
from apps.console.admin import console
from apps.web.refusals import bad_request

urlpatterns = [
    path("", include("apps.api.urls")),
    path("admin/", console.urls),
    path("", include("apps.web.urls")),
]

handler400 = for_api(bad_request, "bad_request")
handler403 = for_api(defaults.permission_denied, "forbidden")
handler404 = for_api(defaults.page_not_found, "not_found")
handler500 = for_api(defaults.server_error, "internal")
