"""A person's own settings of the web interface."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.password_validation import validate_password
from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.audit.write import Entry, record


@dataclass(frozen=True, slots=True)
class Preferences:
    """What a person chose; the defaults are those of somebody who has chosen nothing."""

    theme: str = "system"
    """``system`` follows the device."""
    send_key: str = "enter"
    """The key that sends a message and hands in a text: ``enter`` or ``ctrl_enter``."""
    shortcuts: bool = True
    """Whether single keys do something: digits on a card, the question mark."""
    goes_on: bool = True
    """Whether choosing in a single choice leads on to the next question."""
    notifications: bool = False
    """Whether a question that arrives while no page is in view is told by the browser."""


_ALLOWED: Mapping[str, tuple[object, ...]] = {
    "theme": ("system", "light", "dark"),
    "send_key": ("enter", "ctrl_enter"),
    "shortcuts": (True, False),
    "goes_on": (True, False),
    "notifications": (True, False),
}

PARTS: Mapping[str, tuple[str, ...]] = {
    "looks": ("theme",),
    "keys": ("send_key", "shortcuts", "goes_on"),
    "notifications": ("notifications",),
}
"""The forms of the settings page, and the preferences that each of them holds."""

_SWITCHES = {field.name for field in fields(Preferences) if isinstance(field.default, bool)}


def preferences_of(user: object) -> Preferences:
    """Return what the user chose; of nobody, and of what cannot be read, the defaults."""
    stored = getattr(user, "preferences", None)
    return Preferences(**_known(stored)) if isinstance(stored, Mapping) else Preferences()


def theme_choices() -> list[tuple[str, str]]:
    """Return the themes with their names."""
    return [("system", _("As the device")), ("light", _("Light")), ("dark", _("Dark"))]


def send_key_choices() -> list[tuple[str, str]]:
    """Return the keys that send, with what they mean."""
    return [
        ("enter", _("Enter sends, Shift+Enter begins a new line")),
        ("ctrl_enter", _("Ctrl+Enter sends, Enter begins a new line")),
    ]


def choose(user: User, part: str, sent: Mapping[str, str]) -> None:
    """Keep what a form of the settings page sent; an unknown value leaves what was, a switch not sent is off."""
    chosen = {name: name in sent if name in _SWITCHES else sent.get(name) for name in PARTS.get(part, ())}
    with transaction.atomic():
        row = User.objects.select_for_update().get(pk=user.pk)
        row.preferences = {**row.preferences, **_known(chosen)}
        row.save(update_fields=["preferences"])
    user.preferences = row.preferences


def choose_language(user: User, language: str) -> None:
    """Keep the language, empty: as the browser says; an unknown one leaves what was."""
    known = {code for code, _name in User._meta.get_field("language").choices or ()}
    if language in known | {""}:
        user.language = language
        user.save(update_fields=["language"])


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: values[name] for name, allowed in _ALLOWED.items() if values.get(name) in allowed}


def change_password(request: HttpRequest, user: User, password: str) -> None:
    """Set a new password; this session stays signed in, all others end. Raises ValidationError."""
    validate_password(password, user)
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])
        record([Entry("settings_changed", actor=actor_of(user), summary={"names": ["password"], "subject": user.public_id})])
    update_session_auth_hash(request, user)
