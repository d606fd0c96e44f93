"""Check the chains: name the first altered, missing or re-ordered record of each, a cut end, a dropped trigger."""

from collections.abc import Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext_noop as _

from apps.audit.chain import Row, as_bytes, own_value
from apps.audit.keys import INSTALLATION, UnknownAuditKey
from apps.audit.models import AuditChain, AuditRecord
from apps.audit.triggers import missing_triggers

Problem = Literal[
    "altered",
    "missing",
    "reordered",
    "unknown_key",
    "cut",
    "beyond_head",
    "head_altered",
    "no_head",
    "no_trigger",
    "anchor_altered",
    "anchor_missing",
    "not_as_anchored",
    "unbound",
    "untold",
    "untold_erasure",
    "gone",
    "asked",
    "end",
    "owner",
    "unreadable",
]
_ROWS_A_CHUNK = 2000


class Fault(NamedTuple):
    """What is wrong, and where: the chain (a session's id or "installation") and the number of the record.

    Of an anchor `chain` is "anchor" and its day, and there is no number.
    """

    problem: Problem
    chain: str = ""
    number: int = 0
    trigger: str = ""

    @property
    def sentence(self) -> str:
        """Return what is wrong, in English; marked for translation."""
        return _SENTENCES[self.problem]

    @property
    def where(self) -> str:
        """Return where."""
        return self.trigger or (f"{self.chain} record {self.number}" if self.number else self.chain)

    def __str__(self) -> str:
        return f"{self.sentence}: {self.where}"


_SENTENCES: dict[Problem, str] = {
    "altered": _("altered"),
    "missing": _("missing"),
    "reordered": _("re-ordered"),
    "unknown_key": _("signed with a key that is not here"),
    "cut": _("removed from the end"),
    "beyond_head": _("not known to the head of its chain"),
    "head_altered": _("not the value that the head of its chain names"),
    "no_head": _("the chain has no head"),
    "no_trigger": _("trigger missing or changed"),
    "anchor_altered": _("altered"),
    "anchor_missing": _("missing"),
    "not_as_anchored": _("not there as it was anchored"),
    "unbound": _("words that are not those the record is bound to"),
    "untold": _("a question, its end or a tool result of which no record tells"),
    "untold_erasure": _("erased, and no record tells of an erasure"),
    "gone": _("a record tells of a question or a tool result that is not there"),
    "asked": _("a question is not of the kind that its record tells"),
    "end": _("a question did not end as its record tells: by whom, why, when or through which door"),
    "owner": _("a session or a question is not whose its record tells"),
    "unreadable": _("altered so that it cannot be read"),
}


class _Head(NamedTuple):
    number: int
    value: bytes


def verify_chains(session: str | None = None) -> list[Fault]:
    """Check one chain ("" is the installation's) or all, and the triggers; return the first fault of each chain.

    Records are read in order, a chunk at a time, so memory stays flat. What cannot be seen here: a whole end removed
    together with an older head put back. The daily anchors are for that: `apps.audit.verdict` looks at both.
    """
    faults = [Fault("no_trigger", trigger=trigger.name) for trigger in missing_triggers(connection)]
    records, heads = AuditRecord.objects.all(), AuditChain.objects.all()
    if session is not None:
        records, heads = records.filter(session=session), heads.filter(session=session)
    # A record and its head are read by one statement, so they are of one moment even while records are being written.
    for name, rows in groupby(_with_heads(records), key=lambda pair: pair[0].session):
        if fault := _first_fault(rows):
            faults.append(fault._replace(chain=name or INSTALLATION))
    return faults + [Fault("cut", name or INSTALLATION, 1) for name in _emptied(heads)]


def _with_heads(records: "QuerySet[AuditRecord]") -> Iterator[tuple[Row, _Head]]:
    """Read records in the order of their chains, each with the head of its chain."""
    head = AuditChain.objects.filter(session=OuterRef("session"))
    columns = records.order_by("session", "number", "pk").values_list(
        *Row._fields, Subquery(head.values("number")), Subquery(head.values("value"))
    )
    split = len(Row._fields)
    for line in columns.iterator(chunk_size=_ROWS_A_CHUNK):
        number, value = line[split:]
        yield Row._make(line[:split]), _Head(number or 0, as_bytes(value))


def _emptied(heads: "QuerySet[AuditChain]") -> Iterator[str]:
    """Return the sessions whose chain has a head, and not one record left."""
    records = AuditRecord.objects.filter(session=OuterRef("session"))
    return heads.filter(~Exists(records), number__gt=0).values_list("session", flat=True).iterator()


def _first_fault(rows: Iterator[tuple[Row, _Head]]) -> Fault | None:
    """Follow one chain to its first fault, or to its head."""
    number, previous = 0, b""
    for row, head in rows:
        number += 1
        problem = _problem(row, head, number, previous)
        if problem:
            return Fault(problem, number=number)
        previous = as_bytes(row.value)
    if number < head.number:
        return Fault("cut", number=number + 1)
    return None if previous == head.value else Fault("head_altered", number=number)


def _problem(row: Row, head: _Head, number: int, previous: bytes) -> Problem | None:
    """Say what is wrong with the record that stands where `number` should stand."""
    if row.number != number:
        return "missing" if row.number > number else "reordered"
    if head.number == 0:
        return "no_head"
    if number > head.number:
        return "beyond_head"
    if as_bytes(row.previous) != previous:
        return "reordered"
    try:
        return None if own_value(row) == as_bytes(row.value) else "altered"
    except UnknownAuditKey:
        return "unknown_key"
