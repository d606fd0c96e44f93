"""The rows of a session's timeline, read in a number of queries that does not grow with what there is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.chat.models import ChatSession, Message, Run, ToolCall
from apps.interactions.models import Interaction
from apps.runs.artifacts import artifacts_by_call
from apps.runs.selectors import calls_of, interactions_of, last_run, messages_of
from apps.toolkit.models import Artifact
from apps.web.at_work import at_work
from apps.web.cards import ask_of, title_of
from apps.web.citations import Citable, citable
from apps.web.delegations import Delegated, delegated_by
from apps.web.drafts import cut_turns, final_texts, is_sent_back
from apps.web.figures import Figure, figure_of
from apps.web.files import FileCard, card_of
from apps.web.plan_rows import PlanRow, plan_rows_of
from apps.web.receipts import Receipt, receipt_of
from apps.web.tool_rows import row_kind, state_with
from apps.web.words import error_words, outcome_words, reason_words, spell_duration

PAGE = 60
"""Messages of one page; the rows of their calls come with them."""

TAIL = 400
"""Messages that a live update draws anew at most: those of the run at work."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `id` is stable; the row in the page is replaced only if `revision` differs."""

    id: str
    kind: str
    subject: Any
    revision: str = "1"

    @property
    def template(self) -> str:
        """The template that draws it."""
        return f"rows/_{self.kind}.html"


@dataclass(frozen=True, slots=True)
class Timeline:
    """Rows, oldest first; `older` is the public id before which there are more (empty: none), `tail` the last run's."""

    rows: Sequence[Row]
    older: str
    tail: str
    cited: Citable = field(default_factory=dict)
    """The sources that its messages may cite."""


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A call that is no question: its state (``queued running done failed cancelled interrupted``), its texts."""

    call: ToolCall
    message_id: str
    number: int
    state: str
    duration: str
    content: str
    delegated: Delegated | None = None
    figure: Figure | None = None
    files: Sequence[FileCard] = ()

    @property
    def revision(self) -> str:
        """What changes when it is to be drawn anew."""
        return self.state + ("-erased" if self.call.erased else "") + (self.delegated.revision if self.delegated else "")

    @property
    def result(self) -> Any:
        """What the result says, for the row of one tool; None while there is none."""
        return json.loads(self.content) if self.content else None


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits, with its words: its card stands in the dock."""

    row: Interaction
    title: str


@dataclass(frozen=True, slots=True)
class RunRow:
    """Where a run stands or how it ended: its row closes the rows of the run."""

    run: Run
    words: str
    error: str
    duration: str
    is_last: bool

    @property
    def can_retry(self) -> bool:
        """Whether trying again makes sense."""
        return self.is_last and self.run.status == Run.Status.FAILED and self.run.retryable


def latest(session: ChatSession) -> Timeline:
    """Return the newest page."""
    return _page(session, _messages(session))


def before(session: ChatSession, message_id: str) -> Timeline:
    """Return the page before a message; the newest one if there is no such message."""
    found = _messages(session).filter(public_id=message_id).first()
    if found is None:
        return latest(session)
    return _page(session, _messages(session).filter(pk__lt=found.pk), newer_run=found.run_id)


def since(session: ChatSession, run_id: str) -> Timeline:
    """Return the rows from a run on: what a page that knows this run as the last one needs to be up to date."""
    run = Run.objects.filter(session=session, public_id=run_id).first()
    messages = _messages(session).filter(run_id__gte=run.pk) if run else _messages(session)
    return _page(session, messages, TAIL if run else PAGE)


def _messages(session: ChatSession) -> QuerySet[Message]:
    return messages_of(session).filter(run__parent_call=None)


def _page(session: ChatSession, messages: QuerySet[Message], size: int = PAGE, newer_run: int | None = None) -> Timeline:
    newest_first = list(messages.order_by("-id")[: size + 1])
    has_more, page = len(newest_first) > size, newest_first[:size][::-1]
    last = last_run(session)
    rows = _rows(session, page, last, newer_run)
    cited = citable(session, (row.subject.text for row in rows if row.kind == "agent"))
    return Timeline(rows, page[0].public_id if has_more else "", last.public_id if last else "", cited)


def _rows(session: ChatSession, page: Sequence[Message], last: Run | None, newer_run: int | None) -> list[Row]:
    calls = calls_of(page)
    interactions = interactions_of(call for found in calls.values() for call in found)
    delegated = delegated_by(call for found in calls.values() for call in found)
    busy = at_work(session, page, calls, interactions)
    plans = plan_rows_of(call for found in calls.values() for call in found)
    files = artifacts_by_call(call for found in calls.values() for call in found)
    sent_back = {message.pk: message.run_id for message in page if is_sent_back(message, has_calls=message.pk in calls)}
    answers, cut = final_texts(sent_back.values()), cut_turns(page, newer_run)
    rows: list[Row] = []
    for place, message in enumerate(page):
        if message.pk in sent_back:
            rows.append(_sent_back_row(message, answers.get(message.run_id)))
        elif message.pk not in cut:
            rows += _message_rows(message, has_calls=message.pk in calls)
        for number, call in enumerate(calls.get(message.pk, ())):
            tool = _tool(message, number, call, delegated.get(call.pk), files.get(call.pk, ()), is_at_work=call.pk in busy)
            rows += _call_rows(tool, interactions.get(call.pk, ()), plans.get(call.pk))
        following = page[place + 1].run_id if place + 1 < len(page) else newer_run
        if following != message.run_id:
            rows.append(_run_row(message.run, last))
    return rows


def _message_rows(message: Message, has_calls: bool) -> list[Row]:
    if message.role == Message.Role.NOTE:
        return []
    if message.erased:
        # A turn with calls may have had no text; that it was erased its calls say.
        return [] if has_calls else [Row(f"m-{message.public_id}", "erased", message, "erased")]
    if not message.text.strip():
        return []
    return [Row(f"m-{message.public_id}", "person" if message.role == Message.Role.USER else "agent", message)]


def _sent_back_row(message: Message, answer: str | None) -> Row:
    """Return a text that was not taken as the answer; if the answer is the same text, its words stand there alone."""
    is_repeated = answer is not None and answer.strip() == message.text.strip()
    return Row(f"m-{message.public_id}", "repeated" if is_repeated else "sent_back", message, f"sent-back-{is_repeated}")


def _call_rows(tool: ToolRow, interactions: Sequence[Interaction], plan: PlanRow | None) -> list[Row]:
    """Return the rows of a call: the questions that it put, or its tool; of one that was allowed both, or what it planned."""
    rows, ident = [*map(_interaction_row, interactions)], f"c-{tool.message_id}-{tool.number}"
    if plan:
        rows.append(Row(ident, "plan", plan, plan.face))
    elif not interactions or interactions[-1].decision:
        rows.append(Row(ident, row_kind(tool.call.name), tool, tool.revision))
    return rows


def _interaction_row(interaction: Interaction) -> Row:
    if interaction.status == Interaction.Status.PENDING:
        question = OpenQuestion(interaction, title_of(interaction, ask_of(interaction)))
        return Row(f"q-{interaction.public_id}", "question", question, "pending")
    receipt: Receipt = receipt_of(interaction)
    return Row(f"q-{interaction.public_id}", "receipt", receipt, f"{receipt.face}-{interaction.run.status}")


def _tool(
    message: Message, number: int, call: ToolCall, delegated: Delegated | None, files: Sequence[Artifact], *, is_at_work: bool
) -> ToolRow:
    result = getattr(call, "result", None)
    if result is None:
        state = "running" if call.started_at or delegated or is_at_work else "queued"
        return ToolRow(call, message.public_id, number, state, "", "", delegated)
    state = state_with(result)
    took = _duration(result.created_at - call.started_at) or _("under a second") if call.started_at else ""
    figure, cards = figure_of(result.details, result.content), list(map(card_of, files))
    return ToolRow(call, message.public_id, number, state, took, result.content, delegated, figure, cards)


def _duration(took: timedelta) -> str:
    return spell_duration(took) if took >= timedelta(seconds=1) else ""


def _run_row(run: Run, last: Run | None) -> Row:
    is_last = last is not None and run.pk == last.pk
    words = {Run.Status.COMPLETED: outcome_words(run.outcome), Run.Status.CANCELLED: reason_words(run.reason)}
    row = RunRow(
        run=run,
        words=words.get(Run.Status(run.status), ""),
        error=error_words(run.error_code, run.error_message) if run.status == Run.Status.FAILED else "",
        duration=_duration(run.ended_at - run.created_at) if run.ended_at else "",
        is_last=is_last,
    )
    return Row(f"e-{run.public_id}", "run", row, f"{run.status}-{run.attempts}-{is_last}")
