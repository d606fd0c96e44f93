"""A card as templates draw it: what is asked, field by field, with what was filled in and what was wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from apps.agent.state import is_readable
from apps.interactions.contract import OPTION_MODES, AnyAsk, Approval, Ask, AskUser, Option, Question, QuestionSet, display_label
from apps.interactions.models import Draft, Interaction
from apps.interactions.payload import read_payload
from apps.web.approvals import ApprovalForm, approval_form, approval_title
from apps.web.forms import Body
from apps.web.plans import PlanForm, plan_form

NO_ERRORS: Mapping[str, Sequence[str]] = {}


@dataclass(frozen=True, slots=True)
class Choice:
    """One option; its position is the value that the form sends."""

    position: int
    label: str
    description: str
    recommended: bool
    chosen: bool

    @property
    def number(self) -> int:
        """The digit that chooses it, counted from 1."""
        return self.position + 1


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a card. `key` is empty for ask_user, else ``q0`` and on; `mode` names the template."""

    key: str
    mode: str
    legend: str
    header: str = ""
    choices: tuple[Choice, ...] = ()
    takes_own_text: bool = False
    text: str = ""
    is_skippable: bool = False
    is_skipped: bool = False
    errors: Sequence[str] = ()

    @property
    def prefix(self) -> str:
        """What the names of its inputs begin with."""
        return f"{self.key}-" if self.key else ""

    @property
    def template(self) -> str:
        """The template that draws its inputs."""
        return f"cards/_{self.mode}.html"

    @property
    def is_own_chosen(self) -> bool:
        """Whether the own text is the answer."""
        return bool(self.text) and not any(choice.chosen for choice in self.choices)


@dataclass(frozen=True, slots=True)
class Card:
    """An open interaction, ready to be drawn."""

    row: Interaction
    fields: tuple[Field, ...]
    title: str
    description: str
    submit_label: str
    is_resumable: bool
    errors: Sequence[str] = ()
    plan: PlanForm | None = None
    approval: ApprovalForm | None = None

    @property
    def id(self) -> str:
        """The request id."""
        return self.row.public_id

    @property
    def revision(self) -> str:
        """What changes when the card in the page must be drawn anew."""
        return self.id if self.is_resumable else f"{self.id}-stale"

    @property
    def has_pages(self) -> bool:
        """Whether it has several questions, shown one at a time where scripts run."""
        return len(self.fields) > 1

    @property
    def stops_run(self) -> bool:
        """Whether closing the card ends the run."""
        return self.row.cancel_stops

    @property
    def has_errors(self) -> bool:
        """Whether it was refused."""
        return bool(self.errors or (self.plan and self.plan.faults)) or any(field.errors for field in self.fields)

    @property
    def expires_at(self) -> datetime | None:
        """When it expires."""
        return self.row.expires_at


def ask_of(row: Interaction) -> AnyAsk | None:
    """Return what is asked; None if the words were erased."""
    return read_payload(row.payload) if row.payload else None


def draft_of(row: Interaction) -> Body:
    """Return what was filled in so far."""
    body = Draft.objects.filter(pk=row.pk).values_list("body", flat=True).first()
    return body if isinstance(body, dict) else {}


def card_of(row: Interaction, body: Body | None = None, errors: Mapping[str, Sequence[str]] = NO_ERRORS) -> Card:
    """Return the card of an open interaction, filled in with `body` (None: with its draft)."""
    ask, filled = ask_of(row), draft_of(row) if body is None else body
    plan = plan_form(ask, row.call, filled, errors) if isinstance(ask, QuestionSet) and ask.is_plan_card else None
    return Card(
        row=row,
        fields=() if plan or ask is None or isinstance(ask, Approval) else tuple(_fields(ask, filled, errors)),
        title=title_of(row, ask),
        description=description_of(ask),
        plan=plan,
        approval=approval_form(row, filled) if isinstance(ask, Approval) else None,
        submit_label=_submit_label(ask),
        is_resumable=is_readable(row.run.state_version),
        errors=errors.get("card", ()),
    )


def description_of(ask: AnyAsk | None) -> str:
    """Return what stands below the heading of a card, as Markdown."""
    return "" if ask is None else ask.detail if isinstance(ask, QuestionSet) else ask.description


def title_of(row: Interaction, ask: AnyAsk | None) -> str:
    """Return the heading of a card: the question itself, or how many there are."""
    if ask is None:
        return _("The words of this question were erased.")
    if isinstance(ask, AskUser):
        return ask.title
    if isinstance(ask, Approval):
        return approval_title(ask.tool)
    if len(ask.questions) == 1:
        return ask.questions[0].question
    return _("%(count)d questions") % {"count": len(ask.questions)}


def _submit_label(ask: AnyAsk | None) -> str:
    label = ask.submit_label if isinstance(ask, AskUser) else ""
    return f"{label[:39]}…" if len(label) > 40 else label


def _fields(ask: Ask, body: Body, errors: Mapping[str, Sequence[str]]) -> list[Field]:
    if isinstance(ask, AskUser):
        return [_ask_user_field(ask, body, errors.get("", ()))]
    given = {answer["id"]: answer for answer in _answers(body)}
    return [
        _question_field(f"q{place}", question, given.get(question.id), errors.get(f"q{place}", ()))
        for place, question in enumerate(ask.questions)
    ]


def _answers(body: Body) -> list[dict[str, Any]]:
    return [each for each in _list(body.get("answers")) if isinstance(each, dict) and isinstance(each.get("id"), str)]


def _list(value: object) -> list[Any]:
    """Return a list of a draft; another door may have written anything."""
    return value if isinstance(value, list) else []


def _ask_user_field(ask: AskUser, body: Body, errors: Sequence[str]) -> Field:
    selections = _list(body.get("selections"))
    is_choice = ask.mode in OPTION_MODES
    return Field(
        key="",
        mode=ask.mode,
        legend=ask.title,
        choices=tuple(_choice(place, o, o.label, o.recommended, o.id in selections) for place, o in enumerate(ask.options)),
        takes_own_text=is_choice and ask.allow_custom,
        text=str(body.get("customInput") or ""),
        errors=errors,
    )


def _question_field(key: str, question: Question, answer: Mapping[str, Any] | None, errors: Sequence[str]) -> Field:
    selected, own_text = _list((answer or {}).get("selected")), str((answer or {}).get("custom") or "")
    choices = tuple(_labelled(place, option, option.label in selected) for place, option in enumerate(question.options))
    return Field(
        key=key,
        mode=("multiple" if question.multi_select else "single") if choices else "text",
        legend=question.question,
        header=question.header,
        choices=choices,
        takes_own_text=bool(choices),
        text=own_text,
        is_skippable=True,
        is_skipped=answer is not None and not selected and not own_text,
        errors=errors,
    )


def _labelled(place: int, option: Option, chosen: bool) -> Choice:
    label, is_marked = display_label(option.label)
    return _choice(place, option, label, option.recommended or is_marked, chosen)


def _choice(place: int, option: Option, label: str, recommended: bool, chosen: bool) -> Choice:
    return Choice(place, label, option.description, recommended, chosen)
