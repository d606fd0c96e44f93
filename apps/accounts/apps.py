"""Name the app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    """People, their API tokens and their sign-in."""

    name = "apps.accounts"
    label = "accounts"
    verbose_name = _("Accounts")
