"""Addresses: the API, the pages, staff."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("apps.api.urls")),
    path("admin/", admin.site.urls),
    path("", include("apps.web.urls")),
]
