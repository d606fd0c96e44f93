"""Registers the system checks that keep the database honest."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    """What every layer may use."""

    name = "apps.common"

    def ready(self) -> None:
        """Register the checks."""
        from apps.common import checks  # noqa: F401
