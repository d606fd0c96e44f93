"""The course of an interaction, read from the audit: asked, shown, refused, answered, given to the model, and what came next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from apps.accounts.models import ApiToken, User
from apps.audit.catalogue import KINDS, describe
from apps.audit.models import AuditRecord
from apps.audit.words import FACTS, value_in_words
from apps.chat.models import ToolCall
from apps.console.words import actor_kinds, capabilities, channels, counted, own_text, say, seconds_between
from apps.interactions.models import Draft, Interaction
from apps.runs.masking import own_tools

LONGEST = 300
"""Steps of one page, at most."""
_RESULT = "tool_result_written"
_RESTS = frozenset({"run_paused", "run_completed", "run_failed", "run_cancelled"})


@dataclass(frozen=True, slots=True)
class Step:
    """One step; `gap` is the time since the step before it, `record` stands for its record in addresses."""

    at: datetime
    gap: str
    words: str
    who: str
    channel: str
    notes: Sequence[str] = ()
    record: str = ""
    kind: str = ""


def reference_of(record: AuditRecord) -> str:
    """Return what stands for a record in an address: its chain and its number."""
    return f"{record.session or 'installation'}.{record.number}"


def steps_of(interaction: Interaction) -> list[Step]:
    """Return the course of an interaction, to the next rest of its run."""
    trail = AuditRecord.objects.filter(session=interaction.session.public_id).order_by("number")
    own = list(trail.filter(request=interaction.public_id)[:LONGEST])
    resolved = next((record for record in own if record.kind in _CLOSING), None)
    following: list[AuditRecord] = []
    if resolved is not None:
        later = trail.filter(run=interaction.run.public_id, number__gt=resolved.number).exclude(request=interaction.public_id)
        following = _to_the_next_rest(later[:LONGEST])
    records = sorted([*own, *following], key=lambda record: record.number)
    return with_gaps([*steps(records), *_draft(interaction)])


_CLOSING = frozenset(f"interaction_{end}" for end in ("answered", "cancelled", "expired", "aborted"))


def _to_the_next_rest(records: Iterable[AuditRecord]) -> list[AuditRecord]:
    found = []
    for record in records:
        found.append(record)
        if record.kind in _RESTS:
            break
    return found


def steps(records: Sequence[AuditRecord]) -> list[Step]:
    """Return records as steps, in three queries for the names of people and tools."""
    names, tools = names_of({record.actor_id for record in records if record.actor_id}), _tools_of(records)
    return [_step(record, names, tools.get((record.run, record.tool_call), "")) for record in records]


def _tools_of(records: Sequence[AuditRecord]) -> dict[tuple[str, str], str]:
    """Return the tools whose results were written beside the question, by run and call; a made-up name is text."""
    calls = {(record.run, record.tool_call) for record in records if record.kind == _RESULT and not record.request}
    if not calls:
        return {}
    runs, ids = ({call[place] for call in calls} for place in (0, 1))
    rows = ToolCall.objects.filter(run__public_id__in=runs, call_id__in=ids, name__in=own_tools())
    found = rows.values_list("run__public_id", "call_id", "name")
    return {(run, call): name for run, call, name in found if (run, call) in calls}


def names_of(ids: set[str]) -> dict[str, str]:
    """Return the user names behind the ids of actors; a token is named by its user."""
    if not ids:
        return {}
    users = dict(User.objects.filter(public_id__in=ids).values_list("public_id", "username"))
    tokens = ApiToken.objects.filter(public_id__in=ids).values_list("public_id", "user__username")
    return users | dict(tokens)


def who(record: AuditRecord, names: dict[str, str]) -> str:
    """Return who did it: kind of actor, and the user's name or the id."""
    kind = say(actor_kinds, record.actor_kind)
    return f"{kind} {names.get(record.actor_id, record.actor_id)}" if record.actor_id else kind


def _step(record: AuditRecord, names: dict[str, str], tool: str = "") -> Step:
    told = str(KINDS[record.kind].sentence)
    notes = [note(name, value) for name, value in record.summary.items() if _is_worth_a_note(name, value, told)]
    if tool and record.kind == _RESULT:
        notes.insert(0, note("tool", tool))
    words = describe(record.kind, record.summary)
    channel = say(channels, record.channel)
    return Step(record.at, "", words, who(record, names), channel, notes, reference_of(record), record.kind)


_ON_THE_PAGE = frozenset({"kind", "mode", "closed_at", "closed_by", "closed_through", "owner"})


def _is_worth_a_note(name: str, value: Any, told: str) -> bool:
    """Say whether a fact says more than the page and the sentence do: what is empty or zero does not."""
    said = name in _ON_THE_PAGE or f"%({name})s" in told
    return not said and bool(any(value) if isinstance(value, list) else value)


def note(name: str, value: Any) -> str:
    """Return one fact of a summary for people; lengths of own texts as what they are."""
    if name == "own_text":
        return ", ".join(own_text(length) for length in value if length)
    if name == "positions":
        return _("chosen: %(options)s") % {"options": counted(value)}
    return f"{FACTS[name]}: {fact(name, value)}"


def fact(name: str, value: Any) -> str:
    """Return the value of a fact for people."""
    if name == "own_text":
        return ", ".join(own_text(length) for length in value)
    if name == "positions":
        return counted(value)
    if name == "closed_through":
        return say(channels, value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return say(capabilities, value) if name == "capability" else str(value_in_words(name, value))


def _draft(interaction: Interaction) -> list[Step]:
    """Return when a draft was kept last: drafts are not recorded one by one."""
    draft = Draft.objects.filter(interaction=interaction).only("updated_at").first()
    if draft is None:
        return []
    return [Step(draft.updated_at, "", _("A draft was kept."), say(actor_kinds, "user"), "", kind="draft")]


def with_gaps(course: Sequence[Step]) -> list[Step]:
    """Return the steps in the order of time, each with the gap before it."""
    ordered = sorted(course, key=lambda step: step.at)
    before = [None, *(step.at for step in ordered)]
    return [
        Step(s.at, seconds_between(earlier, s.at) if earlier else "", s.words, s.who, s.channel, s.notes, s.record, s.kind)
        for s, earlier in zip(ordered, before[:-1], strict=True)
    ]
