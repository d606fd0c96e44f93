"""The app of this face."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """REST and server-sent events."""

    name = "apps.api"
