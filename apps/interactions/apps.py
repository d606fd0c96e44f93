"""Registers how the events of interactions are read."""

from django.apps import AppConfig


class InteractionsConfig(AppConfig):
    """What is asked."""

    name = "apps.interactions"

    def ready(self) -> None:
        """Register the readers of this app's event kinds."""
        from apps.interactions import events  # noqa: F401
