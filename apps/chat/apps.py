"""Registers how the transcript's events are read, and how what models were told is checked."""

from django.apps import AppConfig


class ChatConfig(AppConfig):
    """The transcript."""

    name = "apps.chat"

    def ready(self) -> None:
        """Register the readers of this app's event kinds, and its part of the audit's verdict."""
        from apps.chat import binding, events  # noqa: F401
