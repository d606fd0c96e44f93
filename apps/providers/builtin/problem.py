"""What is to be computed."""

from dataclasses import dataclass
from typing import Any

from apps.providers.builtin.syntax import Node


@dataclass(frozen=True, slots=True)
class Problem:
    """One task, ready for the worker but for the choices that are still open.

    `task` is empty if only an expression is given. `variables` are the unknowns, or the variable of a function task; empty
    if they must be asked for. `low`, `high`: bounds of an integral. `interval`: where to look (an interval, or a relation
    in one letter). `point`: where to evaluate. `settings`: option ids that the words already chose.
    """

    task: str
    formulas: tuple[Node, ...]
    variables: tuple[str, ...] = ()
    order: int = 1
    low: Node | None = None
    high: Node | None = None
    interval: Node | None = None
    point: Node | None = None
    settings: frozenset[str] = frozenset()

    def to_job(self) -> dict[str, Any]:
        """Return the problem as JSON for the worker."""
        parts = {"low": self.low, "high": self.high, "interval": self.interval, "point": self.point}
        return {
            "task": self.task,
            "formulas": [formula.to_json() for formula in self.formulas],
            "variables": list(self.variables),
            "order": self.order,
            **{name: None if part is None else part.to_json() for name, part in parts.items()},
        }
