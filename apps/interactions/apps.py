"""Registers how the events of interactions are read, and how what was asked and answered is checked."""

from django.apps import AppConfig


class InteractionsConfig(AppConfig):
    """What is asked."""

    name = "apps.interactions"

    def ready(self) -> None:
        """Register the readers of this app's event kinds, and its part of the audit's verdict."""
        from apps.interactions import binding, events, witness  # noqa: F401
