"""Bodies as JSON, read strictly: what two readers could read differently, or a database cannot hold, is refused."""

import json
import math
from collections.abc import Iterator, Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from apps.common.errors import FieldError
from apps.common.text import clean_shown, is_storable
from apps.interactions.submissions import MAX_ERRORS, MalformedBody

MAX_DEPTH = 32


class JSON(BaseParser):
    """JSON as RFC 8259 has it: UTF-8, no NaN or Infinity, no key twice, not nested without end."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Return the value. Raises MalformedBody."""
        value = _loads(stream.read())
        errors = [FieldError(*wrong) for wrong, _count in zip(_wrong_texts(value, "", 0), range(MAX_ERRORS), strict=False)]
        if errors:
            raise MalformedBody(_("The body is malformed."), errors=errors)
        return value


def _loads(body: bytes) -> Any:
    try:
        return json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_without_twins,
            parse_float=_finite,
            parse_constant=_refuse_constant,
        )
    except RecursionError:
        raise MalformedBody(_("The body is nested too deeply.")) from None
    except ValueError:
        # The error's own text quotes the body.
        raise MalformedBody(_("The body is not valid JSON.")) from None


def _without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedBody(_("The body has a key twice."))
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError
    return number


def _refuse_constant(name: str) -> None:
    raise ValueError


def _wrong_texts(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield the path and the fault of each text that cannot be stored, keys included."""
    if depth > MAX_DEPTH:
        raise MalformedBody(_("The body is nested too deeply."))
    if isinstance(value, str) and not is_storable(value):
        yield path, _("This text holds a NUL or a broken character.")
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _wrong_texts(item, f"{path}[{number}]", depth + 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            named = f"{path}.{clean_shown(key)[:100]}" if path else clean_shown(key)[:100]
            yield from _wrong_texts(key, named, depth + 1)
            yield from _wrong_texts(item, named, depth + 1)
