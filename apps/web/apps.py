"""The app of this face."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The server-rendered pages."""

    name = "apps.web"
