"""Sessions: the list, and the page with runs, interactions, raw events, evidence and the verdict on its chain."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from apps.accounts.actors import actor_of
from apps.audit.reasons import ReasonMissing, keep_reason
from apps.audit.verdict import audit_faults
from apps.audit.write import Entry, record
from apps.chat.models import ChatSession, Message, Run
from apps.common.text import compact_json
from apps.console import words
from apps.console.drawing import link, moment, short, status
from apps.console.events import events_after
from apps.console.exporting import export_view, stamp
from apps.console.filters import DayFilter, chosen
from apps.console.history import HistoryAdmin
from apps.console.paging import Narrowing
from apps.console.rights import Right, may
from apps.console.search import sessions_found
from apps.interactions.models import Interaction
from apps.runs.artifacts import artifacts_of
from apps.runs.masking import masked
from apps.runs.records import chain_keys, evidence_of
from apps.runs.selectors import last_runs
from apps.toolkit.models import Artifact

SHOWN = 200
"""Runs and interactions of one page, the newest ones."""


def _archived() -> list[tuple[str, str]]:
    return [("True", _("yes")), ("False", _("no"))]


class SessionAdmin(HistoryAdmin[ChatSession]):
    """People's chats."""

    list_display = ("ident", "person", "state", "made_at", "changed_at")
    list_filter = (DayFilter, chosen("archived", gettext_lazy("archived"), _archived))
    search_help_text = gettext_lazy("The id of a session, run or interaction, or the name of a user.")
    detail_template = "admin/console/session.html"
    path_to_chain = "public_id"
    export_columns = ("sessionId", "user", "archived", "createdAt", "updatedAt")

    def get_queryset(self, request: HttpRequest) -> QuerySet[ChatSession]:
        """Return the rows without their titles, which are the beginnings of messages."""
        return ChatSession.objects.select_related("user").defer("title", "tools")

    def get_queryset_of_one(self) -> QuerySet[ChatSession]:
        """Return the rows with their users."""
        return ChatSession.objects.select_related("user")

    def searched(self, query: str) -> Narrowing:
        """Search by ids and user."""
        return sessions_found(query)

    def prepared(self, request: HttpRequest, rows: list[ChatSession]) -> list[ChatSession]:
        """Look up the latest run of each session at once."""
        self._latest = last_runs(rows)
        for row in rows:
            row.latest_run = self._latest.get(row.pk)  # type: ignore[attr-defined]
        return rows

    def line(self, row: ChatSession) -> dict[str, Any]:
        """Return one line of an export."""
        return {
            "sessionId": row.public_id,
            "user": row.user.get_username(),
            "archived": row.archived,
            "createdAt": stamp(row.created_at),
            "updatedAt": stamp(row.updated_at),
        }

    # --- columns ----------------------------------------------------------------------------------
    @admin.display(description=gettext_lazy("session"))
    def ident(self, row: ChatSession) -> str:
        """The id."""
        return short(row.public_id)

    @admin.display(description=gettext_lazy("user"))
    def person(self, row: ChatSession) -> str:
        """Whose it is."""
        return row.user.get_username()

    @admin.display(description=gettext_lazy("last run"))
    def state(self, row: ChatSession) -> str:
        """Where its latest run stands."""
        run: Run | None = row.latest_run  # type: ignore[attr-defined]
        return "" if run is None else status(run.status, words.say(words.run_statuses, run.status))

    @admin.display(description=gettext_lazy("made (UTC)"))
    def made_at(self, row: ChatSession) -> str:
        """When it was made."""
        return moment(row.created_at)

    @admin.display(description=gettext_lazy("last message (UTC)"))
    def changed_at(self, row: ChatSession) -> str:
        """When its latest message came."""
        return moment(row.updated_at)

    # --- pages ------------------------------------------------------------------------------------
    def pages(self) -> Sequence[tuple[Any, ...]]:
        """Return the further pages."""
        return (
            ("events", self.events_view),
            ("verify", self.verify_view),
            ("evidence", self.evidence_view),
            ("chain-key", self.chain_key_view),
            ("export", export_view(self), True),
        )

    def detail(self, request: HttpRequest, row: ChatSession) -> dict[str, Any]:
        """Return its runs and interactions; the title only as a length."""
        messages = Message.objects.filter(run__session=row).values_list("role", flat=True)[: 10 * SHOWN]
        count = len(messages)
        interactions = Interaction.objects.filter(session=row).defer("payload", "submission").order_by("-id")
        return {
            "facts": [
                (_("user"), link("user", row.user.public_id, row.user.get_username())),
                (_("title"), words.own_text(len(row.title)) if row.title else ""),
                (_("made (UTC)"), moment(row.created_at)),
                (_("last message (UTC)"), moment(row.updated_at)),
                (_("archived"), _("yes") if row.archived else _("no")),
                (_("messages"), ngettext("%(count)d message", "%(count)d messages", count) % {"count": count}),
            ],
            "runs": list(Run.objects.filter(session=row).order_by("-id")[:SHOWN]),
            "interactions": list(interactions[:SHOWN]),
            "artifacts": [_without_name(each) for each in artifacts_of(row).order_by("-id")[:SHOWN]],
            "may_export_texts": may(request, Right.EVIDENCE),
        }

    def events_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Show the raw events, page by page, with null for every text."""
        self.check_looking(request)
        row = self.found(request, object_id)
        after = request.GET.get("after", "")
        is_number = after.isascii() and after.isdecimal() and len(after) < 18
        events, more = events_after(row.pk, int(after) if is_number else 0)
        return self.shown(request, row, "admin/console/events.html", {"events": events, "more": more})

    def verify_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Say whether the session's chain is sound, checked now."""
        self.check_looking(request)
        row = self.found(request, object_id)
        faults = list(map(words.fault, audit_faults(row.public_id)))
        return self.shown(request, row, "admin/console/verdict.html", {"faults": faults, "chain": row.public_id})

    def evidence_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Hand out the evidence: with all texts to who may export them, else without a word of them."""
        row = self._visible(request, object_id)
        if request.method != "POST":
            return HttpResponseRedirect(self.address_of(row))
        with transaction.atomic():
            evidence = evidence_of(row)
            counts = {"events": len(evidence["stream"]), "records": len(evidence["audit"])}
            record([Entry("evidence_exported", session=row.public_id, summary=counts)])
        whole = may(request, Right.EVIDENCE) and request.POST.get("masked") != "1"
        return _download(evidence if whole else masked(evidence), f"{row.public_id}.evidence.json")

    def chain_key_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Hand out the key that checks the session's chain, with a reason: its holder could forge that chain."""
        row = self._visible(request, object_id)
        if not may(request, Right.EVIDENCE):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseRedirect(self.address_of(row))
        try:
            with transaction.atomic():
                kept = keep_reason(request.POST.get("reason", ""), actor_of(request.user), row.public_id)
                summary = {"reason_length": kept.length}
                record([Entry("chain_key_exported", session=row.public_id, summary=summary, digest=kept.digest)])
                keys = chain_keys(row.public_id)
        except ReasonMissing as refusal:
            context = self.detail(request, row) | {"key_error": refusal.message}
            return self.shown(request, row, self.detail_template, context, status=422)
        return _download(keys, f"{row.public_id}.key.json")

    def _visible(self, request: HttpRequest, object_id: str) -> ChatSession:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return self.found(request, object_id)


def _without_name(row: Artifact) -> dict[str, Any]:
    """Return a file with its name as a length: people and models choose it."""
    return {"row": row, "name": words.own_text(len(row.name)) if row.name else ""}


def _download(document: Any, name: str) -> HttpResponse:
    response = HttpResponse(compact_json(document), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
