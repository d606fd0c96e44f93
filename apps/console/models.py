"""The rights of the console: permissions without a table."""

from django.db import models

from apps.console.rights import NAMES


class Access(models.Model):
    """Carries the permissions; there are no rows of it."""

    class Meta:
        managed = False
        default_permissions = ()
        permissions = [(right.value, name) for right, name in NAMES.items()]

    def __str__(self) -> str:
        return "access"
