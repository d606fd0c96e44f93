"""The `config` of one run: what may be set, in which range."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from apps.common.errors import FieldError
from apps.runs.errors import InvalidRequest

MAX_LIFETIME = 30 * 24 * 3600


def _clamped(low: float, high: float, *, whole: bool) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise ValueError
        number = float(value)
        if not math.isfinite(number) or (whole and number != int(number)):
            raise ValueError
        clamped = min(max(number, low), high)
        return int(clamped) if whole else clamped

    return read


def _on_timeout(value: Any) -> str:
    if value not in ("stop", "continue"):
        raise ValueError
    return str(value)


def _tools(value: Any) -> dict[str, bool]:
    if not isinstance(value, dict) or not all(isinstance(on, bool) for on in value.values()):
        raise ValueError
    return value


READERS: Mapping[str, Callable[[Any], Any]] = {
    "temperature": _clamped(0.0, 2.0, whole=False),
    "max_tokens": _clamped(1, 200_000, whole=True),
    "max_rounds": _clamped(1, 50, whole=True),
    "ask_lifetime": _clamped(0, MAX_LIFETIME, whole=True),
    "on_timeout": _on_timeout,
    "tools": _tools,
}

SCHEMA: Mapping[str, Mapping[str, Any]] = {
    "temperature": {"type": "number", "minimum": 0, "maximum": 2, "description": "Sampling temperature."},
    "max_tokens": {"type": "integer", "minimum": 1, "maximum": 200_000, "description": "Tokens of one response."},
    "max_rounds": {"type": "integer", "minimum": 1, "maximum": 50, "description": "Model requests before the closing ones."},
    "ask_lifetime": {
        "type": "integer",
        "minimum": 0,
        "maximum": MAX_LIFETIME,
        "description": "Seconds that a question stays open; 0 is for ever.",
    },
    "on_timeout": {"type": "string", "enum": ["stop", "continue"], "description": "What an expired question does to the run."},
    "tools": {
        "type": "object",
        "additionalProperties": {"type": "boolean"},
        "description": "Tools by name, switched on or off for this run.",
    },
}


def read_config(given: Any) -> dict[str, Any]:
    """Check the `config` of one run; numbers out of range are clamped.

    Raises InvalidRequest that names each unknown key and each value that cannot be read by its path.
    """
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise InvalidRequest(_("config must be an object."), errors=[FieldError("config", _("Send an object."))])
    read, errors = {}, []
    for key, value in given.items():
        if key not in READERS:
            errors.append(FieldError(f"config.{key}", _("There is no such setting.")))
            continue
        try:
            read[key] = READERS[key](value)
        except (ValueError, OverflowError):
            errors.append(FieldError(f"config.{key}", _("This value cannot be used.")))
    if errors:
        raise InvalidRequest(_("The configuration cannot be used."), errors=errors)
    return read
