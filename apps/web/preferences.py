"""A person's own settings of the web interface."""

from collections.abc import Mapping

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.audit.write import Entry, record

THEMES = ("system", "light", "dark")


def theme_of(user: object) -> str:
    """Return the theme that the user chose; ``system`` follows the device."""
    preferences = getattr(user, "preferences", None)
    chosen = preferences.get("theme") if isinstance(preferences, Mapping) else None
    return chosen if chosen in THEMES else "system"


def theme_choices() -> list[tuple[str, str]]:
    """Return the themes with their names."""
    return [("system", _("As the device")), ("light", _("Light")), ("dark", _("Dark"))]


def choose(user: User, language: str, theme: str) -> None:
    """Keep the language and the theme; an unknown value leaves what was."""
    known = {code for code, _name in User._meta.get_field("language").choices or ()}
    user.language = language if language in known | {""} else user.language
    user.preferences = {**user.preferences, "theme": theme if theme in THEMES else theme_of(user)}
    user.save(update_fields=["language", "preferences"])


def change_password(request: HttpRequest, user: User, password: str) -> None:
    """Set a new password; this session stays signed in, all others end. Raises ValidationError."""
    validate_password(password, user)
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        record([Entry("settings_changed", actor=actor_of(user), summary={"names": ["password"], "subject": user.public_id})])
    update_session_auth_hash(request, user)
