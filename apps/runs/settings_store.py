"""The settings of capabilities: the installation's, a user's own over them, and what a run gets of both at its start.

A run keeps what it was started with: a change of settings meets the runs that start after it.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.db.models import BigIntegerField, Q
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.agent.capabilities import Capability
from apps.audit.write import Entry, record
from apps.chat.models import CapabilitySettings, Run
from apps.common.errors import FieldError
from apps.common.prepared import Prepared, bound
from apps.common.text import is_blank
from apps.runs.capabilities import all_capabilities, capability_named
from apps.runs.config import READERS, read_values
from apps.runs.errors import InvalidRequest
from apps.runs.policies import MAX_TOOLS, changes_of_tools, held, read_settings

MAX_PROMPT = 20_000
PROMPT_LANGUAGES = ("en", "zh")
_NUMBERS = ("temperature", "max_tokens", "max_rounds")
_MAXIMA = ("max_tokens", "max_rounds", "max_replans")
"""What the installation sets of these, no user and no run goes beyond."""

Values = dict[str, Any]


def settings_name(capability: Capability) -> str:
    """Return the key under which a capability's settings stand on the wire: its alias, if it has one."""
    return next(iter(capability.aliases), capability.name)


def settings_of(user: User | None) -> dict[str, Values]:
    """Return every setting of every capability as it holds for the user; None: for the installation."""
    stored = _stored(user)
    return {settings_name(each): _defaults(each) | _merged(stored, each) | _tools(stored, each) for each in all_capabilities()}


def change_settings(user: User | None, given: Mapping[str, Any]) -> dict[str, Values]:
    """Change a part of the settings of the user (None: of the installation); return them all as they hold then.

    `tools` beside the capabilities stands for the same in each of them. Numbers out of range are clamped, unknown keys
    dropped; null takes a setting back. Raises InvalidRequest, naming every value that cannot be used, and then nothing is
    changed.
    """
    errors: list[FieldError] = []
    given = _spread(given)
    changes = {each: _read(settings_name(each), each, given[settings_name(each)], errors) for each in _named(given)}
    if errors:
        raise InvalidRequest(_("The settings cannot be used."), errors=errors)
    with transaction.atomic():
        for capability, values in changes.items():
            _write(user, capability, values)
    return settings_of(user)


def config_of_run(user: User, capability: Capability, given: Values, language: str, can_ask: str) -> Values:
    """Return what a new run is to keep: the settings that are not default, and over them what it was given itself."""
    stored = _stored(user)
    settings = _merged(stored, capability)
    prompt = _prompt_owner(stored, capability, language)
    settings.pop("prompt", None)
    settings.pop("tools", None)  # what holds of tools is looked up each time that a worker takes the run up
    if can_ask and "plan_review" in capability.own_settings:
        settings["plan_review"] = "off"  # nobody is there who could approve; what the run itself was given counts
    config = _capped(settings | given, _values(stored, capability, is_own=False))
    return config | ({"prompt": prompt} if prompt else {})


def prompt_of(run: Run) -> str:
    """Return the block that stands in the place of the packaged one, as the run's settings had one; else empty."""
    owner = run.config.get("prompt")
    if not owner:
        return ""
    user = run.session.user_id if owner == "user" else None
    values = CapabilitySettings.objects.filter(user=user, capability=run.capability).values_list("values", flat=True).first()
    return str(_readable(capability_named(run.capability), values or {}).get("prompt", {}).get(run.language, ""))


# --- reading -----------------------------------------------------------------------------------------------

Stored = Mapping[tuple[bool, str], Values]
"""By whether they are a user's own, and capability."""


_STORED = Prepared(
    lambda: CapabilitySettings.objects.filter(Q(user__isnull=True) | Q(user=bound("user", BigIntegerField()))).values_list(
        "user_id", "capability", "values"
    )
)


def _stored(user: User | None) -> Stored:
    return {(owner is not None, name): values for owner, name, values in _STORED(user=user.pk if user else None)}


def _defaults(capability: Capability) -> Values:
    numbers = {key: getattr(capability, key) for key in _NUMBERS}
    return {**numbers, **capability.own_settings, "prompt": dict.fromkeys(PROMPT_LANGUAGES, "")}


def _values(stored: Stored, capability: Capability, *, is_own: bool) -> Values:
    return _readable(capability, stored.get((is_own, capability.name), {}))


def _readable(capability: Capability, values: Any) -> Values:
    """Return the stored values that can be used: a bad one falls back to the default and fails nothing."""
    given = {key: value for key, value in values.items() if key in _keys(capability)} if isinstance(values, dict) else {}
    return _read_given(given, "", [])


def _merged(stored: Stored, capability: Capability) -> Values:
    installation, own = (_values(stored, capability, is_own=is_own) for is_own in (False, True))
    prompts = dict.fromkeys(PROMPT_LANGUAGES, "") | installation.get("prompt", {}) | own.get("prompt", {})
    merged = _capped(installation | own, installation)
    return merged | ({"prompt": prompts} if any(prompts.values()) else {})


def _tools(stored: Stored, capability: Capability) -> Values:
    installation, own = (_values(stored, capability, is_own=is_own).get("tools", {}) for is_own in (False, True))
    return {"tools": held(capability, installation, own)}


def _capped(values: Values, installation: Values) -> Values:
    caps = {key: min(values[key], installation[key]) for key in _MAXIMA if key in values and key in installation}
    return values | caps


def _prompt_owner(stored: Stored, capability: Capability, language: str) -> str:
    for owner, is_own in (("user", True), ("installation", False)):
        if _values(stored, capability, is_own=is_own).get("prompt", {}).get(language):
            return owner
    return ""


# --- writing -----------------------------------------------------------------------------------------------


def _keys(capability: Capability) -> tuple[str, ...]:
    return (*_NUMBERS, *capability.own_settings, "prompt", "tools")


def _named(given: Mapping[str, Any]) -> Iterable[Capability]:
    return [each for each in all_capabilities() if settings_name(each) in given]


def _spread(given: Mapping[str, Any]) -> Mapping[str, Any]:
    if "tools" not in given:
        return given
    parts = {settings_name(each): given.get(settings_name(each)) or {} for each in all_capabilities()}
    return {name: {"tools": given["tools"]} | part if isinstance(part, dict) else part for name, part in parts.items()}


def _read(name: str, capability: Capability, given: Any, errors: list[FieldError]) -> Values:
    if not isinstance(given, dict):
        errors.append(FieldError(name, _("Send an object.")))
        return {}
    known = {key: value for key, value in given.items() if key in _keys(capability)}
    taken_back = {key: None for key, value in known.items() if value is None}
    return taken_back | _read_given({key: value for key, value in known.items() if value is not None}, name, errors)


def _read_given(given: Values, path: str, errors: list[FieldError]) -> Values:
    read = read_values({key: value for key, value in given.items() if key in READERS and key != "tools"}, path, errors)
    if "tools" in given:
        read["tools"] = read_settings(given["tools"], f"{path}.tools", errors)
    return read | (_read_prompt(given["prompt"], path, errors) if "prompt" in given else {})


def _read_prompt(given: Any, path: str, errors: list[FieldError]) -> Values:
    if not isinstance(given, dict):
        errors.append(FieldError(f"{path}.prompt", _("Send an object with en and zh.")))
        return {}
    read = {}
    for language in PROMPT_LANGUAGES:
        text = given.get(language)
        if text is not None and (not isinstance(text, str) or len(text) > MAX_PROMPT):
            message = _("This must be a text of at most %(limit)d characters.") % {"limit": MAX_PROMPT}
            errors.append(FieldError(f"{path}.prompt.{language}", message))
        elif text is not None:
            read[language] = "" if is_blank(text) else text
    return {"prompt": read}


def _write(user: User | None, capability: Capability, changes: Values) -> None:
    if not changes:
        return
    row, _made = CapabilitySettings.objects.select_for_update().get_or_create(user=user, capability=capability.name)
    before = row.values if isinstance(row.values, dict) else {}
    values = {key: value for key, value in (before | changes).items() if value is not None}
    if isinstance(changes.get("prompt"), dict):
        values["prompt"] = before.get("prompt", {}) | changes["prompt"]
    if isinstance(changes.get("tools"), dict):
        merged = before.get("tools", {}) | changes["tools"]
        values["tools"] = {name: setting for name, setting in merged.items() if setting}
        if len(values["tools"]) > MAX_TOOLS:
            message = _("At most %(limit)d tools can be set.") % {"limit": MAX_TOOLS}
            raise InvalidRequest(message, errors=[FieldError("tools", message)])
    names = sorted(key for key in before.keys() | values.keys() if before.get(key) != values.get(key))
    if not names:
        return
    row.values = values
    row.save()
    subject = "user" if user else "installation"
    whose = {"subject": subject, "capability": settings_name(capability)}
    told = Entry("settings_changed", summary={**whose, "names": names})
    record([told, *changes_of_tools(whose, before.get("tools"), values.get("tools"))])
