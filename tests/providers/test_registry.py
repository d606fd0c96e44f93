"""The settings choose the model, and are told in words what is wrong with them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import Warning

from apps.agent.model import ModelError
from apps.providers.openai_compatible import OpenAICompatibleModel
from apps.providers.registry import _made, check_model_settings, current_model, model_is_configured, override_model
from apps.providers.scripted import ScriptedModel


@pytest.fixture(autouse=True)
def _fresh_models() -> Iterator[None]:
    _made.cache_clear()
    yield
    _made.cache_clear()


def use(settings: Any, model: str, base_url: str = "", api_key: str = "") -> None:
    settings.MODEL, settings.MODEL_BASE_URL, settings.MODEL_API_KEY = model, base_url, api_key


def test_openai_names_a_compatible_model(settings: Any) -> None:
    use(settings, "openai:qwen3:8b", "http://127.0.0.1:11434/v1")
    model = current_model()
    assert isinstance(model, OpenAICompatibleModel)
    assert model.name == "openai:qwen3:8b"
    assert current_model() is model


def test_other_settings_give_another_model(settings: Any) -> None:
    use(settings, "openai:a", "http://127.0.0.1:1/v1")
    model = current_model()
    settings.MODEL_API_KEY = "another"
    assert current_model() is not model


def test_builtin_names_the_symbolic_solver(settings: Any) -> None:
    use(settings, "builtin")
    assert current_model().name == "built-in symbolic solver (no language model)"


def test_scripted_names_a_file(settings: Any, tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps([{"text": "Hi."}]))
    use(settings, f"scripted:{path}")
    assert isinstance(current_model(), ScriptedModel)


def test_override_lasts_as_long_as_its_block(settings: Any) -> None:
    use(settings, "openai:a", "http://127.0.0.1:1/v1")
    outer, inner = ScriptedModel({}), ScriptedModel({})
    with override_model(outer):
        with override_model(inner) as model:
            assert current_model() is model is inner
        assert current_model() is outer
    assert isinstance(current_model(), OpenAICompatibleModel)


@pytest.mark.parametrize(
    ("model", "base_url", "api_key", "fault"),
    [
        ("gpt", "", "", "providers.E001"),
        ("openai:m", "", "", "providers.E002"),
        ("openai:m", "ftp://host/v1", "", "providers.E003"),
        ("openai:m", "http://", "", "providers.E003"),
        ("openai:m", "http://[::1/v1", "", "providers.E003"),
        ("openai:m", "http://host:99999/v1", "", "providers.E003"),
        ("openai:m", "http://me:secret@host/v1", "", "providers.E004"),
        ("openai:m", "http://host/v1?key=secret", "", "providers.E004"),
        ("openai:m", "http://host/v1/chat/completions", "", "providers.E005"),
        ("openai:m", "http://host/v1", "two words", "providers.E006"),
        ("openai:m", "http://host/v1", "schlüssel", "providers.E006"),
        ("scripted:/no/such/file", "", "", "providers.E007"),
    ],
)
def test_wrong_settings_are_named_and_never_repeated(settings: Any, model: str, base_url: str, api_key: str, fault: str) -> None:
    use(settings, model, base_url, api_key)
    (message,) = check_model_settings()
    assert message.id == fault
    assert "secret" not in message.msg
    assert not model_is_configured()
    with pytest.raises(ModelError) as error:
        current_model()
    assert (error.value.code, error.value.retryable) == ("model_not_configured", True)


def test_missing_key_is_a_warning_only_on_the_internet(settings: Any) -> None:
    use(settings, "openai:m", "http://127.0.0.1:11434/v1")
    assert check_model_settings() == []
    settings.MODEL_BASE_URL = "https://models.example/v1"
    (message,) = check_model_settings()
    assert isinstance(message, Warning)
    assert model_is_configured()
