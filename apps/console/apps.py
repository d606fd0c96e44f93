"""Name the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ConsoleConfig(AppConfig):
    """The admin site and its dashboard."""

    name = "apps.console"
    label = "console"
    verbose_name = _("Console")
