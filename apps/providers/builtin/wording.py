"""The solver's sentences in English and Chinese, by key. Values are filled in by name; formulas come ready for Markdown."""

from apps.providers.builtin.wording_asks import ASKS
from apps.providers.builtin.wording_plans import PLANS
from apps.providers.builtin.wording_results import RESULTS

_SENTENCES: dict[str, tuple[str, str]] = {**ASKS, **PLANS, **RESULTS}


def say(key: str, language: str, **values: str) -> str:
    """Return a sentence; `language` is "en" or "zh"."""
    english, chinese = _SENTENCES[key]
    return (chinese if language == "zh" else english).format_map(values)


def has_words(key: str) -> bool:
    """Say whether there is a sentence under this key."""
    return key in _SENTENCES


def in_every_language(key: str) -> tuple[str, str]:
    """Return a sentence without values in English and in Chinese."""
    return _SENTENCES[key]
