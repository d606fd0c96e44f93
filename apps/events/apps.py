"""Tells the net how to see news of sessions that no hint has told of."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    """The events of sessions, and the hints that there are new ones."""

    name = "apps.events"

    def ready(self) -> None:
        """Register what the net reads."""
        from apps.events import hints, net, read

        net.register(hints.QUEUE, None)
        net.register("session", read.last_numbers)
        net.register("text", read.text_times)
