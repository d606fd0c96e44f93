"""The installation's settings of the capabilities: one form. A user's own stand in that user's settings, not here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.audit.words import VALUES, Words
from apps.chat.models import CapabilitySettings
from apps.common.errors import HandraiseError
from apps.console.oneform import Errors, OneFormAdmin
from apps.console.rights import Right, may
from apps.console.words import capabilities, own_text, say
from apps.runs.policies import SETTINGS
from apps.runs.settings_store import PROMPT_LANGUAGES, change_settings, settings_of

_CHOICES: Mapping[str, Sequence[str]] = {
    "plan_review": ("off", "first", "every"),
    "enforcement": ("strict", "advisory"),
    "tools": SETTINGS,
}
_PROMPT, _TOOLS = "prompt", "tools"
_LABELS: Words = {
    "temperature": _("temperature"),
    "max_tokens": _("tokens of one response, at most"),
    "max_rounds": _("rounds of a run, at most"),
    "max_replans": _("new plans of a run, at most"),
    "plan_review": _("plans that are shown for approval"),
    "enforcement": _("order of the steps"),
    "prompt.en": _("prompt (English)"),
    "prompt.zh": _("prompt (Chinese)"),
}
_CHOICE_WORDS: Mapping[str, Words] = {
    "plan_review": {**VALUES["review"], "off": _("none")},
    "enforcement": {"strict": _("held to"), "advisory": _("advised")},
    "tools": VALUES["policy"],
}


class CapabilitySettingsAdmin(OneFormAdmin[CapabilitySettings]):
    """What holds for everybody who has not set something else."""

    template = "admin/console/capability_settings.html"

    def shown(self, request: HttpRequest, errors: Errors) -> dict[str, Any]:
        """Return the fields of each capability; prompts are texts, and shown to who may change them."""
        sees_texts = may(request, Right.SETTINGS)
        sections = [
            (
                say(capabilities, name),
                [_field(request, errors, path, key, value, sees_texts) for path, key, value in _fields(name, values)],
            )
            for name, values in settings_of(None).items()
        ]
        return {"sections": sections, "other_errors": [text for path, text in errors.items() if path not in _paths()]}

    def save(self, request: HttpRequest) -> Errors:
        """Change what was sent otherwise than it holds."""
        try:
            change_settings(None, _changes(request))
        except HandraiseError as refusal:
            return {error.field: error.message for error in refusal.errors} or {"": refusal.message}
        return {}


def _fields(name: str, values: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """Yield path, key and value of each field of a capability: of prompts one for each language, of tools one for each."""
    for key, value in values.items():
        if key == _PROMPT:
            yield from ((f"{name}.{key}.{language}", key, value[language]) for language in PROMPT_LANGUAGES)
        elif key == _TOOLS:
            yield from ((f"{name}.{key}.{tool}", key, value[tool]) for tool in sorted(value))
        else:
            yield f"{name}.{key}", key, value


def _paths() -> set[str]:
    return {path for name, values in settings_of(None).items() for path, _key, _value in _fields(name, values)}


def _field(request: HttpRequest, errors: Errors, path: str, key: str, value: Any, sees_texts: bool) -> dict[str, Any]:
    shown = value if sees_texts or key != _PROMPT or not value else own_text(len(value))
    return {
        "name": path,
        "label": _label(path, key),
        "value": request.POST.get(path, shown),
        "choices": [(choice, _CHOICE_WORDS[key][choice]) for choice in _CHOICES.get(key, ())],
        "is_text": key == _PROMPT,
        "error": errors.get(path),
    }


def _label(path: str, key: str) -> str:
    within = path.partition(".")[2]
    if key == _TOOLS:
        return _("the tool %(name)s") % {"name": within.partition(".")[2]}
    return str(_LABELS[within])


def _changes(request: HttpRequest) -> dict[str, Any]:
    """Return the settings that were sent with another value."""
    changes: dict[str, Any] = {}
    for name, values in settings_of(None).items():
        for path, key, value in _fields(name, values):
            sent = request.POST.get(path)
            if sent is None or sent.replace("\r\n", "\n") == str(value):
                continue
            part = changes.setdefault(name, {})
            if key in (_PROMPT, _TOOLS):
                part.setdefault(key, {})[path.removeprefix(f"{name}.{key}.")] = sent.replace("\r\n", "\n")
            else:
                part[key] = sent.strip()
    return changes
