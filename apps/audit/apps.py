"""Name the app; after each migration the triggers that protect its tables are made again."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy as _


class AuditConfig(AppConfig):
    """The audit catalogue and the tamper-evident chains."""

    name = "apps.audit"
    label = "audit"
    verbose_name = _("Audit")

    def ready(self) -> None:
        """Keep the triggers in place."""
        from apps.audit.triggers import make_triggers

        post_migrate.connect(make_triggers, sender=self, dispatch_uid="audit triggers")
