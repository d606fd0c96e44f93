"""Registers how plans are read from events, and how a finished solve run is shown to later ones."""

from django.apps import AppConfig


class SolveConfig(AppConfig):
    """deep_solve."""

    name = "apps.solve"

    def ready(self) -> None:
        """Register the reader of this app's event kind and the renderer of its runs."""
        from apps.solve import earlier, events  # noqa: F401
