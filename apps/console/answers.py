"""A question as it was asked, with what was chosen; own text is a number of characters until somebody reveals it.

What was chosen comes from the audit record, which holds positions and lengths: masked pages never read the text.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.audit.words import value_in_words
from apps.console.words import agents_text, counted, own_text


@dataclass(frozen=True, slots=True)
class Offer:
    """One option."""

    label: str
    description: str
    recommended: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One question with its answer; `own` is what stands for the person's own text, or, revealed, the text."""

    title: str
    description: str
    offers: Sequence[Offer]
    own: str = ""
    skipped: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A whole card. Without parts its words were erased; `chosen` then says which positions were chosen."""

    parts: Sequence[Part]
    detail: str = ""
    decision: str = ""
    chosen: str = ""


def asked(payload: Mapping[str, Any], summary: Mapping[str, Any], texts: Sequence[str] | None = None) -> Asked:
    """Return a card. `summary` is that of its audit record (empty: no answer), `texts` the own texts if revealed."""
    decision = value_in_words("decision", summary.get("decision", ""))
    if not payload:
        return Asked((), decision=decision, chosen="; ".join(_places(summary)))
    shown = [_part(words, number, summary, texts) for number, words in enumerate(payload.get("questions") or [payload])]
    return Asked(shown, payload.get("detail") or "", decision)


def briefly(summary: Mapping[str, Any]) -> str:
    """Return an answer in one line: the decision, the places that were chosen, the lengths of own texts."""
    decision = str(value_in_words("decision", summary.get("decision", "")))
    return "; ".join(filter(None, [decision, *_places(summary)]))


def _places(summary: Mapping[str, Any]) -> list[str]:
    lengths = [own_text(length) for length in summary.get("own_text", ()) if length]
    return [counted(summary["positions"]), *lengths] if any(summary.get("positions", ())) else lengths


def _part(words: Mapping[str, Any], number: int, summary: Mapping[str, Any], texts: Sequence[str] | None) -> Part:
    chosen = _at(summary.get("positions", ()), number, ())
    length = _at(summary.get("own_text", ()), number, 0)
    offers = [
        Offer(option["label"], option.get("description", ""), bool(option.get("recommended")), place in chosen)
        for place, option in enumerate(words.get("options") or ())
    ]
    title = words.get("question") or words.get("title") or ""
    own = _at(texts, number, "") if texts is not None else (own_text(length) if length else "")
    # Only a question of a set can be skipped: any other answer is one.
    skipped = "question" in words and "positions" in summary and not chosen and not length
    return Part(title, words.get("description") or "", offers, own, skipped)


def _at[T](listed: Sequence[T], place: int, default: T) -> T:
    return listed[place] if place < len(listed) else default


def own_texts(content: str) -> list[str]:
    """Return the own texts that a tool result holds, one for each question; an allowed tool's own result holds none."""
    try:
        result = json.loads(content)
    except ValueError:
        return []
    if not isinstance(result, dict):
        return []
    if isinstance(result.get("answers"), list):
        return [str(answer.get("custom") or "") for answer in result["answers"]]
    return [str(result.get("customInput") or result.get("feedback") or "")]


_SHOWN = frozenset(
    ("status", "decision", "selections", "selected", "id", "cancelled", "answeredBy", "code", "reason", "planRevision")
)
"""Keys of the results of questions whose values are codes, or what stands beside them on the page: the options."""


def received(content: str) -> str:
    """Return the result of a question as the model received it, with a length for every text; empty if it is no object.

    Only for tools of ours that ask: the keys of any other result may be text themselves.
    """
    try:
        result = json.loads(content)
    except ValueError:
        return ""
    return json.dumps(_masked(result), ensure_ascii=False, indent=2) if isinstance(result, dict) else ""


def _masked(value: Any, key: str = "") -> Any:
    if isinstance(value, dict):
        return {name: _masked(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_masked(each, key) for each in value]
    if key in _SHOWN or value is None or isinstance(value, bool) or value == "":
        return value
    return agents_text(len(str(value)))
