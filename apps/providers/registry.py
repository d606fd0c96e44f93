"""Which model answers: chosen by the settings, replaceable in tests, checked at the start."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.utils.translation import gettext

from apps.agent.model import Model, ModelError

_overrides: list[Model] = []


def current_model() -> Model:
    """Return the model that the settings choose; the same object as long as they stay the same.

    Raises ModelError ``model_not_configured`` if they are wrong; `check_model_settings` says in which way.
    """
    if _overrides:
        return _overrides[-1]
    return _made(settings.MODEL, settings.MODEL_BASE_URL, settings.MODEL_API_KEY)


def model_name() -> str:
    """Return what people, audit and API are told of the model; what is set, if it cannot be made from that."""
    try:
        return current_model().name
    except ModelError:
        return str(settings.MODEL)


def has_language_model() -> bool:
    """Say whether what answers can think about any text: the built-in solver reads formulas only."""
    try:
        return getattr(current_model(), "is_language_model", True)
    except ModelError:
        return False


@contextmanager
def override_model[M: Model](model: M) -> Iterator[M]:
    """Let `model` answer in the whole process, all threads, until the block ends. For tests."""
    _overrides.append(model)
    try:
        yield model
    finally:
        _overrides.remove(model)


def model_is_configured() -> bool:
    """Say whether the settings of the model can work; nothing is asked of the model itself."""
    return not any(isinstance(message, Error) for message in check_model_settings())


def check_model_settings(app_configs: Any = None, **options: Any) -> list[CheckMessage]:
    """Say in words what is wrong with the settings of the model. They are never repeated: an address may hold a secret."""
    kind, _, rest = settings.MODEL.partition(":")
    if kind == "openai":
        return _check_address(settings.MODEL_BASE_URL) + _check_key(settings.MODEL_API_KEY)
    if kind == "scripted":
        return _check_script(rest)
    if settings.MODEL != "builtin":
        return [Error("HANDRAISE_MODEL must be 'builtin' or 'openai:<name>'.", id="providers.E001")]
    return []


@lru_cache(maxsize=4)
def _made(name: str, base_url: str, api_key: str) -> Model:
    """Make the model; each kind is imported only when it is chosen."""
    if not model_is_configured():
        raise ModelError("model_not_configured", gettext("The model is not set up. An administrator must do so."), retryable=True)
    kind, _, rest = name.partition(":")
    if kind == "builtin":
        return cast(Model, import_module("apps.providers.builtin").BuiltinModel())
    if kind == "scripted":
        return cast(Model, import_module("apps.providers.scripted").ScriptedModel.from_file(Path(rest)))
    return cast(Model, import_module("apps.providers.openai_compatible").OpenAICompatibleModel(rest, base_url, api_key))


def _check_address(base_url: str) -> list[CheckMessage]:
    if not base_url:
        hint = "Set it to the address before /chat/completions, such as http://127.0.0.1:11434/v1."
        return [Error("HANDRAISE_MODEL_BASE_URL is missing.", hint=hint, id="providers.E002")]
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        return [Error("HANDRAISE_MODEL_BASE_URL must be an address that begins with http:// or https://.", id="providers.E003")]
    if parts.username or parts.password or parts.query or parts.fragment:
        message = "HANDRAISE_MODEL_BASE_URL must hold no name, password, query or fragment; the key has its own variable."
        return [Error(message, id="providers.E004")]
    if parts.path.rstrip("/").endswith("/chat/completions"):
        return [Error("HANDRAISE_MODEL_BASE_URL must end before /chat/completions.", id="providers.E005")]
    return []


def _check_key(api_key: str) -> list[CheckMessage]:
    if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        return [Error("HANDRAISE_MODEL_API_KEY must be visible ASCII characters.", id="providers.E006")]
    if not api_key and settings.MODEL_BASE_URL.startswith("https://"):
        return [Warning("HANDRAISE_MODEL_API_KEY is empty; most servers on the internet want one.", id="providers.W001")]
    return []


def _check_script(path: str) -> list[CheckMessage]:
    from apps.providers.scripted import ScriptError, read_scenarios

    try:
        read_scenarios(Path(path))
    except ScriptError as error:
        return [Error(f"The script of HANDRAISE_MODEL cannot be used: {error}", id="providers.E007")]
    return []
