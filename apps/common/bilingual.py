"""Words by key in English and Chinese: what models are told, in the language of the run."""

from collections.abc import Mapping
from typing import Protocol


class Say(Protocol):
    """Says the words of a key."""

    def __call__(self, key: str, language: str, **parts: object) -> str:
        """Return the words of `key` with its parts put in: Chinese for every ``zh*``, else English."""
        ...


def speaker(words: Mapping[str, Mapping[str, str]]) -> Say:
    """Return the function that says these words; each key has them as "en" and "zh"."""

    def say(key: str, language: str, **parts: object) -> str:
        return words[key]["zh" if language.startswith("zh") else "en"].format(**parts)

    return say
