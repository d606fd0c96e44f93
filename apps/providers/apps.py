"""The providers app."""

from django.apps import AppConfig
from django.core.checks import register


class ProvidersConfig(AppConfig):
    """Checks the settings of the model at the start."""

    name = "apps.providers"

    def ready(self) -> None:
        """Register the system check."""
        from apps.providers.registry import check_model_settings

        register(check_model_settings)
