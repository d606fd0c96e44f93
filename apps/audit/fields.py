"""What may stand in a summary: codes, counts, flags and positions. A sentence of somebody's cannot get in."""

import re
from collections.abc import Callable, Mapping
from typing import Any

_CODE = re.compile(r"[A-Za-z0-9_.:/@+-]{0,80}")
_MODEL_NAME = re.compile(r"[A-Za-z0-9_.:/@+() -]{0,200}")


def is_code(value: Any) -> bool:
    """Say whether the value is a short code such as ``ASK_CANCELLED`` or ``openai:scripted``."""
    return isinstance(value, str) and _CODE.fullmatch(value) is not None


def is_model_name(value: Any) -> bool:
    """Say whether the value is what a provider calls itself: a code, perhaps with words and brackets."""
    return isinstance(value, str) and _MODEL_NAME.fullmatch(value) is not None


def as_code(text: str) -> str:
    """Return the text if it is a code, else ``other``: for names that a model or a person made up."""
    return text if is_code(text) else "other"


def as_model_name(text: str) -> str:
    """Return the text if it is a model's name, else ``other``."""
    return text if is_model_name(text) else "other"


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _is_code_list(value: Any) -> bool:
    return isinstance(value, list) and all(map(is_code, value))


def _is_count_list(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_count, value))


def _is_positions(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_count_list, value))


FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "answered_by": is_code,
    "attempt": _is_count,
    "bytes": _is_count,
    "capability": is_code,
    "closed_at": is_code,
    "closed_by": is_code,
    "closed_through": is_code,
    "code": is_code,
    "decision": is_code,
    "effect": is_code,
    "events": _is_count,
    "fields": _is_count,
    "input_tokens": _is_count,
    "is_error": _is_flag,
    "kind": is_code,
    "lifetime_seconds": _is_count,
    "messages": _is_count,
    "method": is_code,
    "mode": is_code,
    "model": is_model_name,
    "names": _is_code_list,
    "on_timeout": is_code,
    "options": _is_count,
    "outcome": is_code,
    "output_tokens": _is_count,
    "owner": is_code,
    # Length in characters of the person's own text, a number for each question.
    "own_text": _is_count_list,
    "parts": _is_count,
    "pending": _is_count,
    "policy": is_code,
    # Positions of the chosen options, counted from 0, a list for each question. Ids and labels are text too.
    "positions": _is_positions,
    "questions": _is_count,
    "reason": is_code,
    "reason_length": _is_count,
    "records": _is_count,
    "repairs": _is_code_list,
    "retryable": _is_flag,
    "review": is_code,
    "revision": _is_count,
    "rounds": _is_count,
    "rows": _is_count,
    "runs": _is_count,
    "scopes": _is_code_list,
    "seconds": _is_count,
    "segment": _is_count,
    "size": _is_count,
    "skipped": _is_count,
    "steps": _is_count,
    "subject": is_code,
    "token": is_code,
    "tool": is_code,
}
"""Every name a summary may use, and the test its value must pass."""
