"""A person's settings of the capabilities as a form: every field with its range in words, and what was sent of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.errors import FieldError
from apps.runs.capabilities import capability_named
from apps.runs.config import SCHEMA
from apps.runs.policies import SETTINGS
from apps.runs.settings_store import MAX_PROMPT, change_settings, settings_of

_PROMPT, _TOOLS = "prompt", "tools"
Settings = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class SettingField:
    """One setting. `path` is its name in the form and in refusals, ``solve.max_rounds``; `choices` are values with words."""

    path: str
    kind: str
    label: str
    about: str
    value: str
    choices: Sequence[tuple[str, str]] = ()
    error: str = ""
    is_limited: bool = False

    @property
    def id(self) -> str:
        """Its id in the page."""
        return self.path.replace(".", "-")


@dataclass(frozen=True, slots=True)
class SettingSection:
    """The settings of one capability."""

    name: str
    title: str
    fields: Sequence[SettingField]


def sections(user: User, form: QueryDict, errors: Sequence[FieldError] = (), limited: Sequence[str] = ()) -> list[SettingSection]:
    """Return the form as it holds, or as it was sent, with its errors and what was brought into its range."""
    wrong = {error.field: _fault(error) for error in errors}
    return [
        SettingSection(
            name,
            capability_named(name).title(get_language() or ""),
            [_field(path, value, form, wrong, limited) for path, value in _values(name, settings)],
        )
        for name, settings in sorted(settings_of(user).items(), reverse=True)
    ]


def save(user: User, form: QueryDict) -> list[str]:
    """Change what was sent otherwise than it holds; return the paths of what was brought into its limits.

    An empty field takes the setting back to its default. Raises InvalidRequest.
    """
    sent = changes(settings_of(user), form)
    kept = {path: value for name, part in change_settings(user, sent).items() for path, value in _values(name, part)}
    wishes = [(path, value) for name, part in sent.items() for path, value in _values(name, part) if value is not None]
    return [path for path, value in wishes if _is_other(path.split(".")[1], value, kept.get(path))]


def _is_other(key: str, wish: str, kept: Any) -> bool:
    """Say whether something else was kept than what was wished: a limit or a stricter rule of the installation holds."""
    return float(wish) != float(kept) if key in _NUMBERS else key == _TOOLS and wish != kept


def take_back(user: User, name: str) -> None:
    """Take all settings of a capability back; an unknown one changes nothing."""
    known = settings_of(user).get(name, {})
    change_settings(user, {name: dict.fromkeys(known)} if known else {})


def changes(held: Settings, form: QueryDict) -> dict[str, dict[str, Any]]:
    """Return the settings that were sent with another value than they have."""
    found: dict[str, dict[str, Any]] = {}
    for name, settings in held.items():
        for path, value in _values(name, settings):
            sent = form.get(path, str(value)).replace("\r\n", "\n")
            if sent == str(value):
                continue
            (_name, key, *inner), part = path.split(".", 2), found.setdefault(name, {})
            if inner:
                part.setdefault(key, {})[inner[0]] = sent
            else:
                part[key] = sent.strip() or None
    return found


def paths(user: User) -> set[str]:
    """Return the path of every setting."""
    return {path for name, settings in settings_of(user).items() for path, _value in _values(name, settings)}


def _values(name: str, settings: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in settings.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{key}.{inner}", each) for inner, each in value.items())
        else:
            yield f"{name}.{key}", value


def _field(path: str, value: Any, form: QueryDict, wrong: Mapping[str, str], limited: Sequence[str]) -> SettingField:
    key, options = path.split(".")[1], _options(path.split(".")[1])
    return SettingField(
        path=path,
        kind="text" if key == _PROMPT else "choice" if options else "number",
        label=_tool_label(path) if key == _TOOLS else _labels().get(path.partition(".")[2], key),
        about=_about(key),
        value=form.get(path, str(value)),
        choices=[(option, _choices(key)[option]) for option in options],
        error=wrong.get(path, ""),
        is_limited=path in limited,
    )


# --- in words ----------------------------------------------------------------------------------------------

_NUMBERS = {key for key, schema in SCHEMA.items() if schema["type"] in ("number", "integer")}


def _labels() -> dict[str, str]:
    return {
        "temperature": _("Temperature"),
        "max_tokens": _("Longest response of the model, in tokens"),
        "max_rounds": _("Model requests of one run"),
        "max_replans": _("Replans of one run"),
        "plan_review": _("Plans that are shown to you before a step is started"),
        "enforcement": _("How the plan is held"),
        "prompt.en": _("Your own instructions, in English"),
        "prompt.zh": _("Your own instructions, in Chinese"),
    }


def _tool_label(path: str) -> str:
    return _("The tool %(name)s") % {"name": path.split(".", 2)[2]}


def _options(key: str) -> Sequence[str]:
    return SETTINGS if key == _TOOLS else SCHEMA.get(key, {}).get("enum", ())


def _choices(key: str) -> dict[str, str]:
    if key == _TOOLS:
        return {"never": _("Works without asking"), "ask": _("Asks you before each call"), "off": _("Is not there")}
    return {
        "off": _("None"),
        "first": _("The first one of each run"),
        "every": _("Every one"),
        "strict": _("Strictly: no work without a plan, no answer before its end"),
        "advisory": _("As advice: the agent may leave it"),
    }


def _about(key: str) -> str:
    if key == _PROMPT:
        return _("They take the place of the built-in ones; empty: the built-in ones. Up to %(limit)d characters.") % {
            "limit": MAX_PROMPT
        }
    return _range(key) if key in _NUMBERS else ""


def _range(key: str) -> str:
    words = {"low": SCHEMA[key]["minimum"], "high": SCHEMA[key]["maximum"]}
    if SCHEMA[key]["type"] == "integer":
        return _("A whole number from %(low)d to %(high)d.") % words
    return _("A number from %(low)d to %(high)d, with a dot: 0.7.") % words


def _fault(error: FieldError) -> str:
    """Return what is wrong in words: a number says what it may be."""
    key = error.field.partition(".")[2]
    return _range(key) if key in _NUMBERS else error.message
