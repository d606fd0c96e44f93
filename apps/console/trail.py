"""Audit records: the list, and the page of one; the chain "installation" and the anchors have their verdict here."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.audit.catalogue import KINDS, describe
from apps.audit.chain import Row, facts
from apps.audit.keys import INSTALLATION
from apps.audit.models import Anchor, AuditRecord
from apps.audit.reasons import reason_of
from apps.audit.verdict import audit_faults
from apps.audit.words import FACTS
from apps.console import words
from apps.console.drawing import link, moment, short_link
from apps.console.exporting import export_view
from apps.console.filters import DayFilter, chosen
from apps.console.history import HistoryAdmin
from apps.console.paging import Narrowing
from apps.console.rights import Right, may
from apps.console.search import records_found
from apps.console.timeline import fact, names_of, reference_of, who

ANCHORS_SHOWN = 30
BY_KIND = 4


def _kinds() -> list[tuple[str, str | Promise]]:
    return [(kind.name, kind.label) for kind in sorted(KINDS.values(), key=lambda kind: str(kind.label))]


class RecordAdmin(HistoryAdmin[AuditRecord]):
    """The trail of all that has happened."""

    list_display = ("at_moment", "sentence", "doer", "door", "in_session", "about", "ident")
    list_display_links = ("ident",)
    list_filter = (
        DayFilter,
        chosen("kind", gettext_lazy("kind"), _kinds, leads=BY_KIND),
        chosen("actor_kind", gettext_lazy("actor"), words.actor_kinds),
        chosen("channel", gettext_lazy("channel"), words.channels),
    )
    search_help_text = gettext_lazy(
        "The id of a session, run, interaction, user or token, or the name of a user; “installation”: records of no session."
    )
    detail_template = "admin/console/record.html"
    time_field = "at"
    named_by = ("session", "number")
    export_columns = (
        "sessionId", "number", "at", "kind", "actor", "channel", "runId", "requestId", "toolCallId", "resultId",
        "summary", "digest", "httpRequestId", "previous", "keyId", "value",
    )  # fmt: skip

    def searched(self, query: str) -> Narrowing:
        """Search by ids and user."""
        return records_found(query)

    def reference(self, row: AuditRecord) -> str:
        """Return chain and number: a record has no public id of its own."""
        return reference_of(row)

    def row_of(self, reference: str) -> AuditRecord | None:
        """Return the record with this chain and number."""
        chain, _dot, number = reference.rpartition(".")
        if not (number.isascii() and number.isdecimal() and len(number) <= 18):
            return None
        session = "" if chain == INSTALLATION else chain
        return AuditRecord.objects.filter(session=session, number=int(number)).first() if chain else None

    def chain_of(self, reference: str) -> str | None:
        """Return the chain: the reference names it."""
        chain = reference.rpartition(".")[0]
        return "" if chain == INSTALLATION else chain or None

    def prepared(self, request: HttpRequest, rows: list[AuditRecord]) -> list[AuditRecord]:
        """Look up the names of the actors at once."""
        names = names_of({row.actor_id for row in rows if row.actor_id})
        for row in rows:
            row.who = who(row, names)  # type: ignore[attr-defined]
        return rows

    def line(self, row: AuditRecord) -> dict[str, Any]:
        """Return one line of an export: the signed facts and the value, so that it can be checked with the key."""
        columns = Row._make(getattr(row, name) for name in Row._fields)
        return facts(columns) | {"value": bytes(row.value).hex()}

    # --- columns ----------------------------------------------------------------------------------
    @admin.display(description=gettext_lazy("time (UTC)"))
    def at_moment(self, row: AuditRecord) -> str:
        """When."""
        return moment(row.at)

    @admin.display(description=gettext_lazy("what"))
    def sentence(self, row: AuditRecord) -> str:
        """What, as a sentence."""
        return describe(row.kind, row.summary)

    @admin.display(description=gettext_lazy("who"))
    def doer(self, row: AuditRecord) -> str:
        """Who."""
        return row.who  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("channel"))
    def door(self, row: AuditRecord) -> str:
        """Through which door."""
        return words.say(words.channels, row.channel)

    @admin.display(description=gettext_lazy("session"))
    def in_session(self, row: AuditRecord) -> str:
        """In which session."""
        return short_link("session", row.session)

    @admin.display(description=gettext_lazy("interaction or run"))
    def about(self, row: AuditRecord) -> str:
        """About what."""
        return short_link("interaction", row.request) or short_link("run", row.run)

    @admin.display(description=gettext_lazy("record"))
    def ident(self, row: AuditRecord) -> str:
        """Its number in its chain."""
        return f"#{row.number}"

    # --- pages ------------------------------------------------------------------------------------
    def pages(self) -> Sequence[tuple[Any, ...]]:
        """Return the further pages."""
        return (
            ("verify", self.verify_view),
            ("anchors", self.anchors_view, True),
            ("export", export_view(self), True),
        )

    def detail(self, request: HttpRequest, row: AuditRecord) -> dict[str, Any]:
        """Return everything that a record holds; a reason of the staff only to who may reveal."""
        names = names_of({row.actor_id} if row.actor_id else set())
        reason = reason_of(bytes(row.digest)) if "reason_length" in row.summary else ""
        return {
            "sentence": describe(row.kind, row.summary),
            "facts": [
                (_("time (UTC)"), moment(row.at)),
                (_("kind"), KINDS[row.kind].label),
                (_("who"), f"{who(row, names)} {row.actor_id if row.actor_id in names else ''}".strip()),
                (_("channel"), self.door(row)),
                (_("session"), link("session", row.session) or _("none: the chain “installation”")),
                (_("run"), link("run", row.run)),
                (_("interaction"), link("interaction", row.request)),
                (_("tool call"), row.tool_call),
                (_("HTTP request"), row.http_request),
                *((FACTS[name], fact(name, value)) for name, value in sorted(row.summary.items())),
            ],
            "reason": (reason if may(request, Right.REVEAL) else words.own_text(len(reason))) if reason else "",
            "chain": [
                (_("number"), row.number),
                (_("digest of the payload"), bytes(row.digest).hex()),
                (_("previous value"), bytes(row.previous).hex()),
                (_("value"), bytes(row.value).hex()),
                (_("key"), row.key_id),
            ],
        }

    def title_of(self, row: AuditRecord) -> str:
        """Return the title of a record's page."""
        return _("Record %(number)d of %(chain)s") % {"number": row.number, "chain": row.session or INSTALLATION}

    def verify_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Say whether the record's chain is sound, checked now."""
        self.check_looking(request)
        row = self.found(request, object_id)
        context = {"faults": list(map(words.fault, audit_faults(row.session))), "chain": row.session or INSTALLATION}
        return self.shown(request, row, "admin/console/verdict.html", context)

    def anchors_view(self, request: HttpRequest) -> HttpResponse:
        """Show the latest anchors, and whether the chain "installation" and what they hold of it is sound."""
        self.check_looking(request)
        faults = audit_faults("")
        anchors = list(Anchor.objects.order_by("-day")[:ANCHORS_SHOWN])
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("Anchors"),
            "anchors": [(anchor, bytes(anchor.value).hex()) for anchor in anchors],
            "faults": list(map(words.fault, faults)),
            "chain": INSTALLATION,
        }
        return TemplateResponse(request, "admin/console/anchors.html", context)

    def get_queryset(self, request: HttpRequest) -> QuerySet[AuditRecord]:
        """Return the records."""
        return AuditRecord.objects.all()
