"""One root for the errors that people and programs are told about."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class FieldError(NamedTuple):
    """One wrong field: its path in the body, and a sentence for the person who filled it in."""

    field: str
    message: str


class HandraiseError(Exception):
    """Something was refused. `code` is stable and for programs; the text is for people."""

    code = "error"

    def __init__(self, message: str, *, errors: Sequence[FieldError] = (), facts: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.errors = tuple(errors)
        self.facts = dict(facts or {})
