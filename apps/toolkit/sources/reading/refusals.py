"""Why a file cannot be read, and the limits that it is read within."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Reason = Literal["unsupported", "encrypted", "too_long", "unreadable", "empty"]


class CannotRead(Exception):
    """The file cannot be read; `reason` says why, without a word of it."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason: Reason = reason


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a file may hold at most."""

    pages: int
    characters: int

    @classmethod
    def of_job(cls, job: Mapping[str, Any]) -> "Bounds":
        """Return the bounds that a job names."""
        return cls(job["pages"], job["characters"])
