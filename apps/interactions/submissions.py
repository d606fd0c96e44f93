"""Submissions: the body that a face hands over, read into a value; what it means is answers.py's matter."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from apps.common.errors import FieldError, HandraiseError
from apps.common.text import clean_shown, is_storable

MAX_ERRORS = 50
"""A refusal names so many fields at most: a hostile body would else be answered with one many times its size."""


class MalformedBody(HandraiseError):
    """The body has not the form of a submission."""

    code = "malformed_body"


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """The answer to one question: labels chosen, own text. Neither: the question was skipped."""

    id: str
    selected: tuple[str, ...] = ()
    custom: str | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """What a person handed in, read but not yet checked. None means not given; `plan` as goals or as Markdown."""

    selections: tuple[str, ...] | None = None
    custom_input: str | None = None
    answers: tuple[QuestionAnswer, ...] | None = None
    decision: str | None = None
    feedback: str | None = None
    plan: tuple[str, ...] | str | None = None
    plan_revision: int | None = None
    cancelled: bool = False


def parse_submission(body: object) -> Submission:
    """Read the body of a submission, without the `sessionId` and `requestId` that address it.

    Raises MalformedBody, naming every field: unknown keys, wrong JSON types, NUL and unpaired surrogates.
    """
    if not isinstance(body, Mapping):
        raise MalformedBody(_("The body must be a JSON object."))
    form = _Form()
    form.refuse_unknown(body, _BODY_KEYS)
    submission = Submission(
        selections=form.texts(body.get("selections"), "selections"),
        custom_input=form.text(body.get("customInput"), "customInput"),
        answers=form.answers(body.get("answers")),
        decision=form.text(body.get("decision"), "decision"),
        feedback=form.text(body.get("feedback"), "feedback"),
        plan=form.plan(body.get("plan")),
        plan_revision=form.number(body.get("planRevision"), "planRevision"),
        cancelled=form.flag(body.get("cancelled"), "cancelled"),
    )
    if form.errors:
        raise MalformedBody(_("The body is malformed."), errors=form.errors[:MAX_ERRORS])
    return submission


_BODY_KEYS = ("selections", "customInput", "answers", "decision", "feedback", "plan", "planRevision", "cancelled")


class _Form:
    """Reads the shapes of a body and collects what is malformed. What is missing or null is not given."""

    def __init__(self) -> None:
        self.errors: list[FieldError] = []

    def wrong(self, field: str, message: str) -> None:
        """Note a malformed field."""
        self.errors.append(FieldError(field, message))

    def refuse_unknown(self, source: Mapping[Any, Any], known: Collection[str], under: str = "") -> None:
        """Name the keys that a body does not have; what they are called is repeated cleaned and cut."""
        for key in source:
            if key not in known:
                self.wrong(under + clean_shown(str(key))[:100], _("This key is unknown."))

    def text(self, value: Any, field: str) -> str | None:
        """Return a text, or None where none is given."""
        return None if value is None else self.given_text(value, field)

    def given_text(self, value: Any, field: str) -> str:
        """Return a text that a database can hold."""
        if not isinstance(value, str):
            self.wrong(field, _("This must be a text."))
            return ""
        if not is_storable(value):
            self.wrong(field, _("This text holds a NUL or a broken character."))
        return value

    def texts(self, value: Any, field: str) -> tuple[str, ...] | None:
        """Return a list of texts."""
        if value is None or isinstance(value, list):
            return None if value is None else tuple(self.given_text(item, f"{field}[{n}]") for n, item in enumerate(value))
        self.wrong(field, _("This must be a list of texts."))
        return None

    def number(self, value: Any, field: str) -> int | None:
        """Return a whole number."""
        if value is None or (isinstance(value, int) and not isinstance(value, bool)):
            return value
        self.wrong(field, _("This must be a whole number."))
        return None

    def flag(self, value: Any, field: str) -> bool:
        """Return a truth value."""
        if value is None or isinstance(value, bool):
            return bool(value)
        self.wrong(field, _("This must be true or false."))
        return False

    def objects(self, value: list[Any], field: str, known: Collection[str]) -> Iterator[tuple[Mapping[str, Any], str]]:
        """Yield the objects of a list with their paths; keys that they do not have are refused."""
        for number, item in enumerate(value):
            path = f"{field}[{number}]"
            if isinstance(item, Mapping):
                self.refuse_unknown(item, known, f"{path}.")
                yield item, path
            else:
                self.wrong(path, _("This must be an object."))

    def answers(self, value: Any) -> tuple[QuestionAnswer, ...] | None:
        """Return the answers to the questions of a card."""
        if value is None or isinstance(value, list):
            listed = self.objects(value or [], "answers", ("id", "selected", "custom"))
            return None if value is None else tuple(self.answer(item, path) for item, path in listed)
        self.wrong("answers", _("This must be a list of answers."))
        return None

    def answer(self, item: Mapping[str, Any], path: str) -> QuestionAnswer:
        """Return one answer; that a question is skipped is said by an empty list, not by leaving the list out."""
        for key in ("id", "selected"):
            if item.get(key) is None:
                self.wrong(f"{path}.{key}", _("This is missing."))
        return QuestionAnswer(
            id=self.text(item.get("id"), f"{path}.id") or "",
            selected=self.texts(item.get("selected"), f"{path}.selected") or (),
            custom=self.text(item.get("custom"), f"{path}.custom"),
        )

    def plan(self, value: Any) -> tuple[str, ...] | str | None:
        """Return an edited plan: Markdown, or the goals of its steps."""
        if not isinstance(value, list):
            return self.text(value, "plan")
        steps = self.objects(value, "plan", ("goal",))
        return tuple(self.given_text(step.get("goal"), f"{path}.goal") for step, path in steps)
