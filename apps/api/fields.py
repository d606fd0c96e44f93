"""Fields that take exactly one kind of JSON value: no text for a number, no number for a truth value."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from apps.runs.capabilities import all_capabilities
from apps.runs.config import SCHEMA
from apps.runs.policies import SETTINGS

STORABLE = "^[^\\u0000]*$"
"""What every text must match: a NUL is taken by no database."""
SAYS_SOMETHING = "^[^\\u0000]*[^\\s\\u0000][^\\u0000]*$"
"""The same, and something stands in it. (Invisible characters are nothing either; a pattern cannot say that shortly.)"""


def capability_names() -> list[str]:
    """Return the names and aliases by which capabilities are called."""
    return [name for each in all_capabilities() for name in (each.name, *getattr(each, "aliases", ()))]


class Text(serializers.Field[str, Any, str, Any]):
    """A JSON string, kept as it is; a blank one is a string too."""

    default_error_messages = {
        "invalid": _("This must be a text."),
        "max_length": _("This is longer than {max_length} characters."),
    }

    def __init__(self, *, max_length: int | None = None, pattern: str = STORABLE, **options: Any) -> None:
        super().__init__(**options)
        self.max_length, self.pattern = max_length, pattern

    def to_internal_value(self, given: Any) -> str:
        """Return the text."""
        if not isinstance(given, str):
            self.fail("invalid")
        if self.max_length is not None and len(given) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        return given

    def to_representation(self, value: str) -> str:
        """Return the text."""
        return value


class CapabilityField(Text):
    """The name or alias of a capability."""

    default_error_messages = {"unknown": _("There is no such capability.")}

    def to_internal_value(self, given: Any) -> str:
        """Return the name."""
        name = super().to_internal_value(given)
        if name not in capability_names():
            raise ValidationError(self.error_messages["unknown"], "unusable")
        return name


class Flag(serializers.BooleanField):
    """A JSON true or false."""

    default_error_messages = {"invalid": _("This must be true or false.")}

    def to_internal_value(self, given: Any) -> bool:
        """Return the truth value."""
        if not isinstance(given, bool):
            self.fail("invalid", input=given)
        return given


@extend_schema_field({"oneOf": [{"type": "boolean"}, {"type": "string", "enum": list(SETTINGS)}]})
class ToolSetting(serializers.Field[bool | str, Any, bool | str, Any]):
    """How a session uses a tool: a switch, or whether it asks first."""

    default_error_messages = {"unknown": _("Send true, false, or one of: {choices}.")}

    def to_internal_value(self, given: Any) -> bool | str:
        """Return the switch or the setting."""
        if not isinstance(given, bool | str):
            self.fail("unknown", choices=", ".join(SETTINGS))
        if isinstance(given, str) and given not in SETTINGS:
            raise ValidationError(self.error_messages["unknown"].format(choices=", ".join(SETTINGS)), "unusable")
        return given

    def to_representation(self, value: bool | str) -> bool | str:
        """Return it."""
        return value


class Whole(serializers.IntegerField):
    """A JSON number without a fraction."""

    default_error_messages = {"invalid": _("This must be a whole number.")}

    def to_internal_value(self, given: Any) -> int:
        """Return the number; to JSON Schema 60.0 is a whole number too."""
        if isinstance(given, bool) or not (isinstance(given, int) or (isinstance(given, float) and given.is_integer())):
            self.fail("invalid")
        return int(given)


@extend_schema_field({"type": "object", "properties": SCHEMA, "additionalProperties": False})
class ConfigField(serializers.JSONField):
    """The `config` of a run: an object whose keys and values the coordinator checks."""

    default_error_messages = {"not_object": _("This must be an object.")}

    def to_internal_value(self, given: Any) -> dict[str, Any]:
        """Return the settings."""
        if not isinstance(given, dict):
            self.fail("not_object")
        return given
