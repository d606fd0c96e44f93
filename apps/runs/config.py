"""What may be set of a run, in which range: by the `config` of one run, and by the settings of capabilities."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from apps.agent.capabilities import Capability
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


def _one_of(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError
        return str(value)

    return read


def _tools(value: Any) -> dict[str, bool]:
    if not isinstance(value, dict) or not all(isinstance(on, bool) for on in value.values()):
        raise ValueError
    return value


READERS: Mapping[str, Callable[[Any], Any]] = {
    "temperature": _clamped(0.0, 2.0, whole=False),
    "max_tokens": _clamped(1, 200_000, whole=True),
    "max_rounds": _clamped(1, 50, whole=True),
    "ask_lifetime": _clamped(0, MAX_LIFETIME, whole=True),
    "on_timeout": _one_of("stop", "continue"),
    "tools": _tools,
    "max_replans": _clamped(0, 10, whole=True),
    "plan_review": _one_of("off", "first", "every"),
    "enforcement": _one_of("strict", "advisory"),
}
"""How each value is read. Raises ValueError, TypeError or OverflowError for what cannot be used."""

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
    "max_replans": {
        "type": "integer",
        "minimum": 0,
        "maximum": 10,
        "description": "deep_solve: so often the plan may be replaced.",
    },
    "plan_review": {
        "type": "string",
        "enum": ["off", "first", "every"],
        "description": "deep_solve: which plans are put to the user before a step is started.",
    },
    "enforcement": {
        "type": "string",
        "enum": ["strict", "advisory"],
        "description": "deep_solve: whether the engine holds the model to its plan.",
    },
}
OF_EVERY_RUN = ("temperature", "max_tokens", "max_rounds", "ask_lifetime", "on_timeout", "tools")
"""What may be set whatever the capability; the rest is some capability's own."""


def schema_of(capability: Capability) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each setting that a run of this capability may be given, with its default."""
    defaults = {key: getattr(capability, key) for key in ("temperature", "max_tokens", "max_rounds")} | dict(
        capability.own_settings
    )
    return {
        key: {**SCHEMA[key], **({"default": defaults[key]} if key in defaults else {})}
        for key in (*OF_EVERY_RUN, *capability.own_settings)
    }


def read_config(given: Any, capability: Capability) -> dict[str, Any]:
    """Check the `config` of one run; numbers out of range are clamped.

    Raises InvalidRequest that names each unknown key and each value that cannot be read by its path.
    """
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise InvalidRequest(_("config must be an object."), errors=[FieldError("config", _("Send an object."))])
    errors: list[FieldError] = []
    known = (*OF_EVERY_RUN, *capability.own_settings)
    errors += [FieldError(f"config.{key}", _("There is no such setting.")) for key in given if key not in known]
    read = read_values({key: value for key, value in given.items() if key in known}, "config", errors)
    if errors:
        raise InvalidRequest(_("The configuration cannot be used."), errors=errors)
    return read


def read_values(given: Mapping[str, Any], path: str, errors: list[FieldError]) -> dict[str, Any]:
    """Return the values that can be used; name the others in `errors`."""
    read = {}
    for key, value in given.items():
        try:
            read[key] = READERS[key](value)
        except (ValueError, TypeError, OverflowError):
            errors.append(FieldError(f"{path}.{key}", _("This value cannot be used.")))
    return read
