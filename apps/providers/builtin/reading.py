"""From a text to a problem, or to the reason why not."""

from dataclasses import dataclass

from apps.providers.builtin.choosing import problem_of
from apps.providers.builtin.frame import frame_of
from apps.providers.builtin.limits import LONGEST_TEXT
from apps.providers.builtin.problem import Problem
from apps.providers.builtin.readings import Fork
from apps.providers.builtin.refusals import NotUnderstood, TooLarge
from apps.providers.builtin.vocabulary import GREETINGS
from apps.providers.builtin.words import has_formula, items_of


@dataclass(frozen=True, slots=True)
class Reading:
    """A text that was understood: the problem, or first a notation with two readings."""

    problem: Problem | None
    fork: Fork | None = None


def read(text: str, chosen: frozenset[str]) -> Reading:
    """Read a problem under the choices made so far. Raises NotUnderstood, TooLarge, OutOfReach."""
    if len(text) > LONGEST_TEXT:
        raise TooLarge("text")
    items = items_of(text)
    if not has_formula(items):
        raise NotUnderstood(text.strip(), hint="formula")
    frame = frame_of(items, chosen)
    if frame.fork is not None:
        return Reading(None, frame.fork)
    return Reading(problem_of(frame, chosen))


def is_small_talk(text: str) -> bool:
    """Say whether the text is a greeting, a call for help, or nothing at all."""
    plain = "".join(char for char in text.lower() if char.isalnum() or char.isspace())
    return " ".join(plain.split()) in GREETINGS or not plain.strip()
