"""The doors through which people act, by name: one table for records, pages and console."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Channel = str
"""The name of a registered door."""

MAX_NAME = 6
"""Characters; the column of the audit is not wider."""


@dataclass(frozen=True, slots=True)
class Door:
    """Its title in lists, and how a receipt goes on after the name of the person who answered."""

    title: str | Promise
    phrase: str | Promise = ""


_registered: dict[Channel, Door] = {}


def register(name: Channel, title: str | Promise, phrase: str | Promise = "") -> None:
    """Add a door. Raises ValueError if its name is too long, or stands in another: who saw a card is kept as one text."""
    if not 0 < len(name) <= MAX_NAME or any(name in other or other in name for other in _registered):
        raise ValueError(f"{name!r} cannot be the name of another door.")
    _registered[name] = Door(title, phrase)


register("web", _("web"), _("in the web interface"))
register("api", _("API"), _("through the API"))
register("cli", _("command line"), _("on the command line"))
register("admin", _("console"), _("in the administration"))
register("system", _("system"))


def titles() -> dict[Channel, str]:
    """Return the title of every door, in the language of the moment."""
    return {name: str(door.title) for name, door in _registered.items()}


def phrase_of(channel: Channel) -> str:
    """Return the words of a receipt; empty for a door that is no more."""
    door = _registered.get(channel)
    return str(door.phrase) if door else ""
