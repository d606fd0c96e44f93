"""Arguments: reads what a model sent, field by field, notes each repair, and names what cannot be repaired.

A repair is noted as ``field: what was done`` and holds no word of the model's: labels and ids are people's text too.
"""

import json
import math
from collections.abc import Collection, Mapping
from typing import Any

from apps.agent.messages import ToolCall
from apps.agent.tools import Refusal
from apps.common.text import clean_shown, is_blank, is_storable
from apps.interactions.contract import MODES
from apps.interactions.guidance import say


class Unusable(Exception):
    """The call cannot be repaired."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class Reader:
    """Reads the arguments of one call and notes what it repaired."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.repairs: list[str] = []

    def unusable(self, key: str, field: str, *, code: str = "BAD_QUESTION", form: str = "", **parts: object) -> Unusable:
        """Return the exception to raise: what is wrong with `field`, and its right form."""
        right_form = say(form, self.language, modes=", ".join(MODES)) if form else ""
        message = say(key, self.language, field=field, form=right_form, **parts)
        return Unusable(Refusal(code, message, field))

    def repaired(self, field: str, what: str) -> None:
        """Note a repair."""
        self.repairs.append(f"{field}: {what}")

    def arguments(self, call: ToolCall, form: str) -> dict[str, Any]:
        """Return the call's arguments as an object; a JSON text inside the JSON is decoded."""
        value = None if call.extras.get("invalidArguments") else parsed(call.arguments)
        if isinstance(value, str):
            value = parsed(value)
            self.repaired("arguments", "decoded")
        if not isinstance(value, dict):
            raise self.unusable("not_an_object", "arguments", form=form)
        return value

    def known(self, source: Mapping[str, Any], keys: Collection[str], path: str) -> dict[str, Any]:
        """Return the known keys that are given; null is not given."""
        given = {key: value for key, value in source.items() if value is not None}
        if given.keys() - set(keys):
            self.repaired(path, "unknown keys dropped")
        return {key: value for key, value in given.items() if key in keys}

    def text(self, source: Mapping[str, Any], key: str, path: str, limit: int | None = None) -> str:
        """Return a text that is shown, without characters that deceive or break it; blank is empty."""
        raw = source.get(key, "")
        if not isinstance(raw, str):
            raise self.unusable("wrong_type", path, form="form.text")
        shown = clean_shown(raw)
        if shown != raw:
            self.repaired(path, "hidden characters removed")
        if limit is not None and len(shown) > limit:
            raise self.unusable("too_long", path, count=len(shown), limit=limit)
        return "" if is_blank(shown) else shown

    def required_text(self, source: Mapping[str, Any], key: str, path: str, limit: int) -> str:
        """Return a text that must not be blank."""
        text = self.text(source, key, path, limit)
        if not text:
            raise self.unusable("blank", path, form="form.text")
        return text

    def flag(self, source: Mapping[str, Any], key: str, path: str) -> bool:
        """Return a truth value; not given is False."""
        value = source.get(key, False)
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            self.repaired(path, "text became true or false")
            return value.strip().lower() == "true"
        if not isinstance(value, bool):
            raise self.unusable("wrong_type", path, form="form.flag")
        return value

    def identifier(self, source: Mapping[str, Any], path: str) -> str:
        """Return an id unchanged, or empty where none is given. Ids are values: nothing is cleaned away in them."""
        value = self.with_number_as_text(source, "id", path).get("id", "")
        if not isinstance(value, str) or not is_storable(value):
            raise self.unusable("wrong_type", path, form="form.id")
        return "" if is_blank(value) else value

    def with_number_as_text(self, source: Mapping[str, Any], key: str, path: str) -> Mapping[str, Any]:
        """Write a number that stands where an id or a label belongs as its text."""
        value = source.get(key)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or (isinstance(value, float) and not math.isfinite(value)):
            return source
        self.repaired(path, "number became text")
        return {**source, key: str(value)}

    def list_of(self, value: Any, path: str, form: str) -> list[Any]:
        """Return a list, decoded where it came as JSON text; null, a blank text and an empty object are no entries."""
        if value in (None, {}) or (isinstance(value, str) and is_blank(value)):
            return []
        listed = parsed(value) if isinstance(value, str) else value
        if isinstance(listed, list):
            if listed is not value:
                self.repaired(path, "decoded")
            return listed
        raise self.unusable("wrong_type", path, form=form)


def parsed(text: str) -> Any:
    """Return the value of a JSON text, or None. Raw control characters inside strings are let pass: models send them."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
