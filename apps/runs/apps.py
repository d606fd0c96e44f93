"""The coordinator's app: no models of its own."""

from django.apps import AppConfig


class RunsConfig(AppConfig):
    """The coordinator."""

    name = "apps.runs"
