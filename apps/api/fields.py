"""Fields that take exactly one kind of JSON value: no text for a number, no number for a truth value."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError

from apps.common.text import clean_shown
from apps.runs.config import READERS, SCHEMA


class Text(serializers.CharField):
    """A JSON string, kept as it is; a blank one is a string too."""

    default_error_messages = {"invalid": _("This must be a text.")}

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, allow_blank=True, **options)

    def to_internal_value(self, given: Any) -> str:
        """Return the text."""
        if not isinstance(given, str):
            self.fail("invalid")
        return super().to_internal_value(given)


class Flag(serializers.BooleanField):
    """A JSON true or false."""

    default_error_messages = {"invalid": _("This must be true or false.")}

    def to_internal_value(self, given: Any) -> bool:
        """Return the truth value."""
        if not isinstance(given, bool):
            self.fail("invalid", input=given)
        return given


class Whole(serializers.IntegerField):
    """A JSON number without a fraction."""

    default_error_messages = {"invalid": _("This must be a whole number.")}

    def to_internal_value(self, given: Any) -> int:
        """Return the number."""
        if isinstance(given, bool) or not isinstance(given, int):
            self.fail("invalid")
        return given


@extend_schema_field({"type": ["object", "null"], "properties": SCHEMA, "additionalProperties": False})
class ConfigField(serializers.JSONField):
    """The `config` of a run: its keys are checked here, its values by the coordinator, which clamps numbers."""

    default_error_messages = {"not_object": _("This must be an object.")}

    def to_internal_value(self, given: Any) -> dict[str, Any]:
        """Return the settings."""
        if not isinstance(given, dict):
            self.fail("not_object")
        fault = [ErrorDetail(str(_("This key is unknown.")), "unknown")]
        unknown = {clean_shown(key)[:100]: fault for key in given if key not in READERS}
        if unknown:
            raise ValidationError(unknown)
        return given
