"""The parameters of an address, read one by one; what is wrong with them is told all at once."""

from collections.abc import Collection
from datetime import UTC, datetime

from django.http import QueryDict
from django.utils.translation import gettext as _

from apps.api.errors import InvalidQuery
from apps.common.errors import FieldError
from apps.common.text import is_storable


class Query:
    """Reads parameters. Call `check` when all are read."""

    def __init__(self, given: QueryDict) -> None:
        self._given = given
        self._errors: list[FieldError] = []

    def check(self) -> None:
        """Raise InvalidQuery if anything was wrong."""
        if self._errors:
            raise InvalidQuery(_("The address has parameters that cannot be read."), errors=self._errors)

    def text(self, name: str) -> str | None:
        """Return a text; None: not given."""
        value = self._given.get(name)
        if value is None or is_storable(value):
            return value
        self._wrong(name, _("This text holds a NUL or a broken character."))
        return None

    def choice(self, name: str, allowed: Collection[str]) -> str | None:
        """Return one of the allowed words; None: not given."""
        value = self.text(name)
        if value is not None and value not in allowed:
            self._wrong(name, _("Choose one of: %(words)s.") % {"words": ", ".join(allowed)})
            return None
        return value

    def flag(self, name: str) -> bool | None:
        """Return a truth value; None: not given."""
        return {None: None, "true": True, "false": False}[self.choice(name, ("true", "false"))]

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """Return a whole number."""
        value = self.text(name)
        if value is None:
            return default
        if not (value.isascii() and value.isdecimal() and len(value) <= 18 and low <= int(value) <= high):
            self._wrong(name, _("Write a whole number from %(low)d to %(high)d.") % {"low": low, "high": high})
            return default
        return int(value)

    def moment(self, name: str) -> datetime | None:
        """Return a time, in UTC; None: not given."""
        value = self.text(name)
        try:
            return None if value is None else _moment(value)
        except (ValueError, OverflowError):
            self._wrong(name, _("Write a time with its zone as in 2026-03-01T12:00:00Z, and a plus sign as %2B."))
            return None

    def _wrong(self, name: str, message: str) -> None:
        self._errors.append(FieldError(name, message))


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError
    return moment.astimezone(UTC)
