"""Answers: a submission is checked against the question and brought into its one form, or refused field by field."""

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, cast, get_args

from django.utils.translation import gettext as _

from apps.common.errors import FieldError, HandraiseError
from apps.common.text import is_blank
from apps.interactions.approvals import ApprovalAnswer, read_decision
from apps.interactions.contract import MAX_DETAIL, OPTION_MODES, AnyAsk, Approval, AskUser, Mode, Question, QuestionSet
from apps.interactions.submissions import MAX_ERRORS, QuestionAnswer, Submission


class InvalidAnswer(HandraiseError):
    """The submission does not answer the question. `errors` name the fields, `facts["missing"]` the questions left out."""

    code = "invalid_answer"


@dataclass(frozen=True, slots=True)
class AskUserAnswer:
    """The answer to `ask_user`: ids chosen, own text; `value` only for number, date and directory."""

    selections: tuple[str, ...] = ()
    custom_input: str = ""
    value: int | float | str | None = None


@dataclass(frozen=True, slots=True)
class QuestionsAnswer:
    """The answers to a card of questions: every question once, in the card's order."""

    answers: tuple[QuestionAnswer, ...]


Decision = Literal["approve", "approve_with_edits", "reject"]
REPLY = "chat"
DECISIONS: tuple[str, ...] = (*get_args(Decision), REPLY)
"""What may be decided on a plan. To reply in the chat is no answer: it closes the card, and the message follows."""


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """The decision on a plan; `plan` is the edited one: goals, or Markdown."""

    decision: Decision
    feedback: str = ""
    plan: tuple[str, ...] | str | None = None


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The person closed the card: no answer. `reason` is empty, or ``reply_in_chat`` with what they wrote beside it."""

    reason: str = ""
    feedback: str = ""


Answer = AskUserAnswer | QuestionsAnswer | PlanAnswer | ApprovalAnswer


def validate(ask: AnyAsk, submission: Submission) -> Answer | Cancelled:
    """Return the answer that the submission gives to the question. Raises InvalidAnswer."""
    if submission.cancelled:
        return Cancelled()
    if isinstance(ask, Approval):
        return _approval(submission)
    if isinstance(ask, QuestionSet):
        return _decision(submission) if ask.is_plan_card else _answers_to_questions(ask, submission)
    return _chosen(ask, submission) if ask.mode in OPTION_MODES else _typed(ask, submission)


def _chosen(ask: AskUser, submission: Submission) -> AskUserAnswer:
    selections, own_text = submission.selections or (), _own_text(submission.custom_input)
    errors = [
        *_of_another_kind(submission, ("selections", "customInput")),
        *_wrong_choices(selections, [option.id for option in ask.options], "selections", is_many=ask.mode != "single"),
        *_wrong_own_text(ask, selections, own_text),
    ]
    if not (selections or own_text):
        wish = _("Choose an option or write your own answer.") if ask.allow_custom else _("Choose an option.")
        errors.append(FieldError("selections", wish))
    if errors:
        raise _invalid(errors)
    return AskUserAnswer(selections, own_text or "")


def _wrong_own_text(ask: AskUser, selections: Sequence[str], own_text: str | None) -> Iterator[FieldError]:
    if own_text and not ask.allow_custom:
        yield FieldError("customInput", _("This question takes no answer of your own."))
    elif own_text and selections and ask.mode == "single":
        yield FieldError("customInput", _("Either choose an option or write your own answer, not both."))


def _typed(ask: AskUser, submission: Submission) -> AskUserAnswer:
    text = _own_text(submission.custom_input)
    answer = None if text is None else _TYPED[ask.mode](text)
    errors = list(_of_another_kind(submission, ("customInput",)))
    if answer is None:
        errors.append(FieldError("customInput", _expected(ask.mode)))
    if answer is None or errors:
        raise _invalid(errors)
    return answer


def _decision(submission: Submission) -> PlanAnswer | Cancelled:
    """Return what was decided. Only the decision decides: no text and no choice is ever read as an approval."""
    decision, feedback = submission.decision, _own_text(submission.feedback) or ""
    errors = list(_of_another_kind(submission, ("decision", "feedback", "plan", "planRevision")))
    if decision not in DECISIONS:
        errors.append(FieldError("decision", _("Decide: %(decisions)s.") % {"decisions": ", ".join(DECISIONS)}))
    elif decision.startswith("approve") and submission.plan_revision is None:
        errors.append(FieldError("planRevision", _("Say which revision of the plan you approve.")))
    errors += _wrong_plan(submission)
    if errors:
        raise _invalid(errors)
    if decision == REPLY:
        return Cancelled("reply_in_chat", feedback)
    return PlanAnswer(cast(Decision, decision), feedback, submission.plan)


def _approval(submission: Submission) -> ApprovalAnswer:
    decided, errors = read_decision(submission), list(_of_another_kind(submission, ("decision", "feedback")))
    if isinstance(decided, FieldError):
        raise _invalid([decided, *errors])
    if errors:
        raise _invalid(errors)
    return decided


def _wrong_plan(submission: Submission) -> Iterator[FieldError]:
    plan = submission.plan
    is_empty = not plan or (is_blank(plan) if isinstance(plan, str) else all(map(is_blank, plan)))
    if submission.decision == "approve_with_edits" and is_empty:
        yield FieldError("plan", _("Send the edited plan."))
    elif submission.decision != "approve_with_edits" and not is_empty:
        yield FieldError("plan", _("Only approve_with_edits takes a plan."))
    elif isinstance(plan, str) and len(plan) > MAX_DETAIL:
        yield FieldError("plan", _("The plan is longer than %(limit)d characters.") % {"limit": MAX_DETAIL})


def _answers_to_questions(ask: QuestionSet, submission: Submission) -> QuestionsAnswer:
    asked = {question.id: question for question in ask.questions}
    given: dict[str, QuestionAnswer] = {}
    errors = list(_of_another_kind(submission, ("answers",)))
    for number, answer in enumerate(submission.answers or ()):
        path = f"answers[{number}]"
        if answer.id not in asked:
            errors.append(FieldError(f"{path}.id", _("This question was not asked.")))
        elif answer.id in given:
            errors.append(FieldError(f"{path}.id", _("This question is answered twice.")))
        else:
            errors += _wrong_selected(asked[answer.id], answer, f"{path}.selected")
            given[answer.id] = _settled(asked[answer.id], answer)
    missing = [ident for ident in asked if ident not in given]
    errors += [
        FieldError("answers", _("Question “%(id)s” is neither answered nor skipped.") % {"id": ident}) for ident in missing
    ]
    if errors:
        raise _invalid(errors, missing)
    return QuestionsAnswer(tuple(given[ident] for ident in asked))


def _wrong_selected(question: Question, answer: QuestionAnswer, field: str) -> Iterator[FieldError]:
    if answer.selected and not question.options:
        yield FieldError(field, _("This question is answered in your own words; it has no options."))
        return
    yield from _wrong_choices(
        answer.selected, [option.label for option in question.options], field, is_many=question.multi_select
    )


def _settled(question: Question, answer: QuestionAnswer) -> QuestionAnswer:
    """Return the answer as it stands: where one option may be chosen, own text takes its place."""
    own_text = _own_text(answer.custom)
    replaces = own_text is not None and not question.multi_select
    return QuestionAnswer(question.id, () if replaces else answer.selected, own_text)


def _wrong_choices(chosen: Sequence[str], offered: Sequence[str], field: str, *, is_many: bool) -> Iterator[FieldError]:
    seen: set[str] = set()
    for number, choice in enumerate(chosen):
        if choice not in offered:
            yield FieldError(f"{field}[{number}]", _("This option was not offered."))
        elif choice in seen:
            yield FieldError(f"{field}[{number}]", _("This option is chosen twice."))
        seen.add(choice)
    if len(chosen) > 1 and not is_many:
        yield FieldError(field, _("Choose one option only."))


def _of_another_kind(submission: Submission, own: Collection[str]) -> Iterator[FieldError]:
    """Name the filled fields that the question does not have. Empty ones are let pass: forms send them."""
    given: dict[str, Any] = {
        "selections": submission.selections,
        "customInput": submission.custom_input,
        "answers": submission.answers,
        "decision": submission.decision,
        "feedback": submission.feedback,
        "plan": submission.plan,
        "planRevision": submission.plan_revision,
    }
    for field, value in given.items():
        is_empty = value is None or value == () or (isinstance(value, str) and is_blank(value))
        if field not in own and not is_empty:
            yield FieldError(field, _("This question has no such field."))


def _invalid(errors: Sequence[FieldError], missing: Sequence[str] = ()) -> InvalidAnswer:
    facts = {"missing": list(missing)} if missing else None
    return InvalidAnswer(_("This does not answer the question."), errors=errors[:MAX_ERRORS], facts=facts)


def _own_text(text: str | None) -> str | None:
    """Return own text verbatim; blank text is none. (The line ends that a browser's form makes are its reader's matter.)"""
    return None if text is None or is_blank(text) else text


# ASCII digits only, and neither grouping nor hexadecimal: what reads differently elsewhere is refused, not guessed.
_NUMBER = re.compile(r"[+-]?(?P<mantissa>[0-9]+|[0-9]*\.[0-9]+)(?P<exponent>[eE][+-]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DRIVE = re.compile(r"[A-Za-z]:")


def _text(text: str) -> AskUserAnswer:
    return AskUserAnswer(custom_input=text)


def _number(text: str) -> AskUserAnswer | None:
    """Return the number: whole if it is written so, else a double. What a double cannot hold is refused, not rounded away."""
    text = text.strip()
    found = _NUMBER.fullmatch(text)
    if found is None:
        return None
    value = float(text)
    is_lost = value == 0 and found["mantissa"].strip("0.") != ""
    if is_lost or not math.isfinite(value):
        return None
    is_whole = found["exponent"] is None and "." not in text
    return AskUserAnswer(custom_input=text, value=_whole(text) if is_whole else value)


def _whole(text: str) -> int:
    """Return a whole number; leading zeros go first, for Python reads 4,300 digits at most."""
    magnitude = int(text.lstrip("+-").lstrip("0") or "0")
    return -magnitude if text.startswith("-") else magnitude


def _date(text: str) -> AskUserAnswer | None:
    text = text.strip()
    return AskUserAnswer(custom_input=text, value=text) if _DATE.fullmatch(text) and _is_day(text) else None


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _directory(text: str) -> AskUserAnswer | None:
    """Return the folder as a POSIX path relative to the workspace. Only the text is looked at, never the disk.

    The path that comes out is its own normal form: read again, it names the same folder.
    """
    text = text.strip()
    if text.startswith("/") or "\\" in text or "\0" in text:
        return None
    kept: list[str] = []
    for component in text.split("/"):
        if component == ".." and not kept:
            return None
        if component == "..":
            kept.pop()
        elif component not in ("", "."):
            kept.append(component)
    if any(component.startswith("~") or _DRIVE.match(component) for component in kept):
        return None
    path = "/".join(kept) or "."
    return None if is_blank(path) or path != path.strip() else AskUserAnswer(custom_input=path, value=path)


_TYPED: dict[Mode, Callable[[str], AskUserAnswer | None]] = {
    "text": _text,
    "number": _number,
    "date": _date,
    "directory": _directory,
}


def _expected(mode: Mode) -> str:
    """Say what the field of a mode accepts; the same words whatever was wrong, and whether or not a folder exists."""
    if mode == "text":
        return _("Write an answer.")
    if mode == "number":
        return _("Write a plain number such as 3, -2.5 or 6.02e23, with “.” as the decimal sign and no separators.")
    if mode == "date":
        return _("Write a real day as YYYY-MM-DD, such as 2026-03-01.")
    return _("Write a path inside the workspace, relative to it, such as reports/2026.")
