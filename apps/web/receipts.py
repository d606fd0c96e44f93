"""A receipt as templates draw it: every question with all its options, what was chosen, by whom, where and when."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext as _

from apps.interactions.contract import AnyAsk, Approval, AskUser, QuestionSet, display_label
from apps.interactions.events import answer_of, is_answer_erased
from apps.interactions.models import Interaction
from apps.web.approvals import ApprovalForm, approval_form, approval_lines, decision_words
from apps.web.cards import ask_of, description_of, title_of
from apps.web.forms import EDITED
from apps.web.plans import as_markdown
from apps.web.words import channel_words, run_words, spell_duration


@dataclass(frozen=True, slots=True)
class Line:
    """One option as it was offered."""

    label: str
    description: str
    recommended: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Part:
    """One question with what became of it; `text` is the person's own, `value` what a number or path was read as."""

    question: str
    header: str
    lines: tuple[Line, ...]
    text: str
    is_skipped: bool = False
    value: str = ""
    plan: str = ""

    @property
    def in_short(self) -> str:
        """The answer in one line."""
        chosen = [line.label for line in self.lines if line.chosen]
        return ", ".join([*chosen, *([self.text] if self.text else [])])


@dataclass(frozen=True, slots=True)
class Receipt:
    """A closed interaction. `face` is its status, or ``replied`` for one that was closed by a reply in the chat."""

    row: Interaction
    title: str
    description: str
    parts: tuple[Part, ...]
    call: ApprovalForm | None = None
    decision: str = ""
    """What was decided on the call, if the card was one."""

    @property
    def face(self) -> str:
        """Which of the faces is drawn."""
        return "replied" if self.row.reason == "reply_in_chat" else self.row.status

    @property
    def words(self) -> str:
        """The face in words."""
        return decision_words(self.decision) if self.decision else _faces()[self.face]

    @property
    def who(self) -> str:
        """Who closed it; empty if that was the clock or the end of the run."""
        return self.row.resolved_by.get_username() if self.row.resolved_by else ""

    @property
    def channel(self) -> str:
        """Through which door, in words."""
        return channel_words(self.row.channel)

    @property
    def closed_at(self) -> datetime | None:
        """When."""
        return self.row.resolved_at

    @property
    def waited(self) -> str:
        """How long it waited, in words."""
        resolved = self.row.resolved_at or self.row.created_at
        return spell_duration(max(resolved - self.row.created_at, timedelta(0)))

    @property
    def run_words(self) -> str:
        """What has become of the run since, in words."""
        return run_words(self.row.run.status)

    @property
    def is_answered(self) -> bool:
        """Whether there is an answer."""
        return self.row.status == Interaction.Status.ANSWERED

    @property
    def is_erased(self) -> bool:
        """Whether the answer was erased; the question may still stand."""
        return is_answer_erased(self.row)

    @property
    def in_short(self) -> str:
        """The answer in one line, for the row and for who came too late."""
        return " · ".join(part.in_short for part in self.parts if part.in_short)

    @property
    def answered_count(self) -> int:
        """How many questions got a choice or own text."""
        return sum(bool(part.in_short) for part in self.parts)


def receipt_of(row: Interaction) -> Receipt:
    """Return the receipt of a closed interaction with its call's result."""
    ask, answer = ask_of(row), answer_of(row)
    given: Mapping[str, Any] = answer if row.status == Interaction.Status.ANSWERED and isinstance(answer, dict) else {}
    parts = tuple(_parts(ask, given)) if ask else ()
    call, decision = (approval_form(row, {}), str(given.get("decision", ""))) if isinstance(ask, Approval) else (None, "")
    return Receipt(row, title_of(row, ask), description_of(ask), parts, call, decision)


def _faces() -> dict[str, str]:
    return {
        "answered": _("Answered"),
        "cancelled": _("Closed without an answer"),
        "expired": _("Expired"),
        "aborted": _("Closed with its run"),
        "replied": _("Replied in chat"),
    }


def _parts(ask: AnyAsk, given: Mapping[str, Any]) -> list[Part]:
    if isinstance(ask, AskUser):
        selections: Sequence[str] = given.get("selections", ())
        offered = tuple(Line(o.label, o.description, o.recommended, o.id in selections) for o in ask.options)
        return [Part(ask.title, "", offered, str(given.get("customInput", "")), value=_value(given))]
    if isinstance(ask, Approval):
        lines = tuple(Line(label, "", False, is_chosen) for label, is_chosen in approval_lines(given))
        return [Part(ask.tool, "", lines, str(given.get("feedback", "")))]
    if ask.is_plan_card:
        return [_plan_part(ask, given)]
    answers = {answer["id"]: answer for answer in given.get("answers", ())}
    parts = []
    for question in ask.questions:
        answer = answers.get(question.id, {})
        selected, own_text = answer.get("selected", ()), answer.get("custom", "")
        lines = tuple(_line(option.label, option.description, option.label in selected) for option in question.options)
        is_skipped = bool(answer) and not selected and not own_text
        parts.append(Part(question.question, question.header, lines, own_text, is_skipped))
    return parts


def _plan_part(ask: QuestionSet, given: Mapping[str, Any]) -> Part:
    """Return the decision on a plan: its buttons as lines, and the plan that stands if it was edited."""
    decision, question = str(given.get("decision", "")), ask.questions[0]
    approves = ask.intent.approve if ask.intent else ""
    lines = tuple(
        Line(
            option.label,
            option.description,
            False,
            bool(decision) and (option.label == approves) == decision.startswith("approve"),
        )
        for option in question.options
    )
    # What the solve tools answer names the steps of the plan that stands.
    edited = as_markdown(given.get("plan") or given.get("steps")) if decision == EDITED else ""
    return Part(question.question, "", lines, str(given.get("feedback", "")), plan=edited)


def _line(label: str, description: str, chosen: bool) -> Line:
    shown, is_marked = display_label(label)
    return Line(shown, description, is_marked, chosen)


def _value(given: Mapping[str, Any]) -> str:
    """Return what was understood, where that is written otherwise than it was typed."""
    value = given.get("value")
    return "" if value is None or str(value) == given.get("customInput") else str(value)
