"""Questions as arguments of the ask tool, and the same in words where no card can be shown."""

from collections.abc import Sequence
from typing import Any

from apps.providers.builtin.settling import Choice
from apps.providers.builtin.wording import has_words, say

MOST_REPHRASED = 3
"""How often the user is asked to word a problem anew before the solver gives up."""
_LONGEST_TITLE, _LONGEST_LABEL = 200, 500


def choice_card(choice: Choice, language: str) -> dict[str, Any]:
    """Return the arguments of a question with options."""
    return {
        "title": _cut(say(f"{choice.kind}.title", language, **choice.values), _LONGEST_TITLE),
        "description": say(
            f"{choice.kind}.description", language, **{name: code(value) for name, value in choice.values.items()}
        ),
        "mode": "single",
        "options": [
            {"id": ident, "label": _cut(label or say(ident, language), _LONGEST_LABEL)} for ident, label in choice.options
        ],
    }


def rephrase_card(parts: Sequence[str], hint: str, attempts: int, language: str) -> dict[str, Any]:
    """Return the arguments of the question for other words; no two of one run read the same."""
    key = "rephrase.formula" if hint == "formula" else "rephrase.description"
    description = say(key, language, parts=quoted(parts, language))
    if has_words(f"hint.{hint}"):
        description = f"{say(f'hint.{hint}', language)} {description}"
    if attempts:
        description += " " + say("rephrase.again", language, count=str(attempts + 1), most=str(MOST_REPHRASED))
    return {"title": say("rephrase.title", language), "description": description, "mode": "text"}


def in_words(card: dict[str, Any], key: str, language: str) -> str:
    """Say what a card would ask: `key` is need (it cannot be shown) or not_answered."""
    text = say(key, language, title=card["title"], description=card["description"])
    if "options" in card:
        text += "\n\n" + say("need.options", language, options=" / ".join(option["label"] for option in card["options"]))
    return text


def quoted(parts: Sequence[str], language: str) -> str:
    """Quote pieces of the user's text as code: at most eight of them, none longer than 80 characters."""
    pieces = [code(_cut(part, 80)) for part in parts[:8]]
    return ("、" if language == "zh" else ", ").join(pieces) + ("…" if len(parts) > 8 else "")


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def code(text: str) -> str:
    """Write a text as Markdown code, so that none of its signs is taken for Markdown."""
    return f"`{' '.join(text.replace('`', chr(39)).split())}`"
