"""Registers how the transcript's events are read."""

from django.apps import AppConfig


class ChatConfig(AppConfig):
    """The transcript."""

    name = "apps.chat"

    def ready(self) -> None:
        """Register the readers of this app's event kinds."""
        from apps.chat import events  # noqa: F401
