"""Name the app; after each migration the index over the parts of attachments is made if it is missing."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class ToolkitConfig(AppConfig):
    """The work tools and what they keep."""

    name = "apps.toolkit"
    label = "toolkit"
    verbose_name = _("Work tools")

    def ready(self) -> None:
        """Keep the index in place."""
        from apps.toolkit.sources.indexing import make_index

        post_migrate.connect(make_index, sender=self, dispatch_uid="toolkit index")
