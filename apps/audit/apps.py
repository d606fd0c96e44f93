"""Name the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AuditConfig(AppConfig):
    """The audit catalogue and the tamper-evident chains."""

    name = "apps.audit"
    label = "audit"
    verbose_name = _("Audit")
