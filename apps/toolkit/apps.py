"""The work tools keep rows of what they made."""

from django.apps import AppConfig


class ToolkitConfig(AppConfig):
    """The work tools."""

    name = "apps.toolkit"
