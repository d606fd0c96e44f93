"""What a method gives back: result, steps, checks. Sentences are keys with values; the server puts them into words."""

from dataclasses import dataclass, field
from typing import Any

from apps.providers.builtin.maths.printing import Written


class CannotSolve(Exception):
    """The method has no answer that it can stand for. `reason` is the key of a sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NeedsDomain(Exception):
    """The real and the complex solutions differ, and nobody said which are wanted."""


@dataclass(slots=True)
class Outcome:
    """A result.

    `parts` are its members (solutions, intervals, one value), joined by `join`; `words` is the key of a sentence where no
    formula says it ("no solution"), with `values`. `short` is a second way to write it (±). Steps, checks and notes are pairs
    of a key and its values.
    """

    parts: list[Written] = field(default_factory=list)
    join: str = "comma"
    words: str = ""
    values: dict[str, str] = field(default_factory=dict)
    short: Written | None = None
    steps: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    checks: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    notes: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    def step(self, key: str, **values: str) -> None:
        """Add a step of the way."""
        self.steps.append((key, values))

    def check(self, key: str, **values: str) -> None:
        """Add how the result was verified."""
        self.checks.append((key, values))

    def note(self, key: str, **values: str) -> None:
        """Add a restriction or a convention that the reader must know."""
        self.notes.append((key, values))

    def to_json(self) -> dict[str, Any]:
        """Return the outcome for the server."""
        return {
            "status": "solved",
            "parts": [part.to_json() for part in self.parts],
            "join": self.join,
            "words": self.words,
            "values": self.values,
            "short": self.short.to_json() if self.short else None,
            "steps": self.steps,
            "checks": self.checks,
            "notes": self.notes,
        }
