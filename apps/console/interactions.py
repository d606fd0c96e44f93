"""Interactions: the list, and the page with the question, the masked answer and the course of events."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib import admin
from django.db.models import FloatField, Func, Q, QuerySet
from django.db.models.functions import Coalesce
from django.db.models.lookups import GreaterThan
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.audit.models import AuditRecord
from apps.audit.words import value_in_words
from apps.chat.models import ToolResult
from apps.common.clock import DatabaseClock
from apps.console import recovery, revealing, words
from apps.console.answers import asked, briefly, received
from apps.console.drawing import link, moment, short, status
from apps.console.exporting import export_view, stamp
from apps.console.filters import Chosen, DayFilter, PersonFilter, chosen
from apps.console.history import HistoryAdmin
from apps.console.paging import Narrowing
from apps.console.rights import Right, may
from apps.console.runs import capabilities
from apps.console.search import BY_PERSON, interactions_found
from apps.console.timeline import steps_of
from apps.interactions.approvals import DENIED, KIND
from apps.interactions.models import Interaction


def _is_ours(row: Interaction, result: ToolResult) -> bool:
    """Say whether the result is that of the question itself: the result of an allowed call is its tool's own."""
    return row.kind != KIND or result.code == DENIED


class _Days(Func):
    """A moment as a number of days, computed by the database: Django's own difference calls Python for every row on SQLite."""

    function = "julianday"
    output_field = FloatField()

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        """Compile for PostgreSQL."""
        return self.as_sql(compiler, connection, template="(EXTRACT(EPOCH FROM %(expressions)s) / 86400.0)", **extra)


WAITED_SECONDS = (_Days(Coalesce("resolved_at", DatabaseClock())) - _Days("created_at")) * 86400.0
"""From the question to its end, or to now."""


class WaitedFilter(Chosen):
    """Questions that waited, or have been waiting, longer than a time."""

    title = gettext_lazy("waited longer than")
    parameter = "waited"

    def options(self) -> Sequence[tuple[str, str]]:
        """Return the times, in seconds."""
        return [("60", _("1 minute")), ("600", _("10 minutes")), ("3600", _("1 hour")), ("86400", _("1 day"))]

    def condition(self, value: str) -> Q:
        """Return the condition for so many seconds."""
        return Q(GreaterThan(WAITED_SECONDS, float(value)))


class AnsweredByFilter(PersonFilter):
    """Questions that a user answered. Only whom it was put to can answer a question, so that user's index leads."""

    title = gettext_lazy("answered by")
    parameter = "answered_by"

    def of(self, user: Any) -> Narrowing:
        """Return the condition for a user."""
        return Narrowing(Q(user=user, resolved_by=user, status=Interaction.Status.ANSWERED), BY_PERSON)


class InteractionAdmin(HistoryAdmin[Interaction]):
    """What was put to people."""

    list_display = ("ident", "person", "what", "state", "asked_at", "waited", "closed", "given")
    list_filter = (
        DayFilter,
        chosen("status", gettext_lazy("status"), words.interaction_statuses, leads=3),
        chosen("kind", gettext_lazy("kind"), words.interaction_kinds, leads=2),
        chosen("mode", gettext_lazy("mode"), words.modes),
        chosen("capability", gettext_lazy("capability"), capabilities, field="run__capability"),
        chosen("channel", gettext_lazy("channel"), words.channels),
        AnsweredByFilter,
        WaitedFilter,
    )
    search_help_text = gettext_lazy("The id of an interaction, run or session, or the name of a user.")
    detail_template = "admin/console/interaction.html"
    export_columns = (
        "requestId", "sessionId", "runId", "user", "kind", "mode", "capability", "status", "reason", "channel",
        "answeredBy", "createdAt", "expiresAt", "resolvedAt",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Interaction]:
        """Return the rows without a word of their texts."""
        return _with_owners().defer("payload", "submission", "salt", "repairs", "fingerprint")

    def get_queryset_of_one(self) -> QuerySet[Interaction]:
        """Return the rows with what their page needs."""
        return _with_owners().select_related("call")

    def searched(self, query: str) -> Narrowing:
        """Search by ids and user."""
        return interactions_found(query)

    def prepared(self, request: HttpRequest, rows: list[Interaction]) -> list[Interaction]:
        """Look up at once what the audit says of the answers: places and lengths, no word of them."""
        told = _summaries_of(row.public_id for row in rows if row.status == Interaction.Status.ANSWERED)
        for row in rows:
            row.told = told.get(row.public_id, {})  # type: ignore[attr-defined]
        return rows

    def line(self, row: Interaction) -> dict[str, Any]:
        """Return one line of an export."""
        return {
            "requestId": row.public_id,
            "sessionId": row.session.public_id,
            "runId": row.run.public_id,
            "user": row.user.get_username(),
            "kind": row.kind,
            "mode": row.mode,
            "capability": row.run.capability,
            "status": row.status,
            "reason": row.reason,
            "channel": row.channel,
            "answeredBy": self.by(row),
            "createdAt": stamp(row.created_at),
            "expiresAt": stamp(row.expires_at),
            "resolvedAt": stamp(row.resolved_at),
        }

    # --- columns ----------------------------------------------------------------------------------
    @admin.display(description=gettext_lazy("interaction"))
    def ident(self, row: Interaction) -> str:
        """The id."""
        return short(row.public_id)

    @admin.display(description=gettext_lazy("user"))
    def person(self, row: Interaction) -> str:
        """Whom it was put to."""
        return row.user.get_username()

    @admin.display(description=gettext_lazy("kind"))
    def what(self, row: Interaction) -> str:
        """Kind, mode and capability; an approval is both kind and mode."""
        said = (
            words.say(words.interaction_kinds, row.kind),
            words.say(words.modes, row.mode),
            words.say(words.capabilities, row.run.capability),
        )
        return " · ".join(dict.fromkeys(said))

    @admin.display(description=gettext_lazy("status"))
    def state(self, row: Interaction) -> str:
        """What has become of it."""
        return status(row.status, words.say(words.interaction_statuses, row.status))

    @admin.display(description=gettext_lazy("asked (UTC)"))
    def asked_at(self, row: Interaction) -> str:
        """When it was put to the user."""
        return moment(row.created_at)

    @admin.display(description=gettext_lazy("waited"))
    def waited(self, row: Interaction) -> str:
        """How long."""
        return words.seconds_between(row.created_at, row.resolved_at or timezone.now())

    @admin.display(description=gettext_lazy("channel"))
    def door(self, row: Interaction) -> str:
        """Through which door it was closed."""
        return words.say(words.channels, row.channel)

    @admin.display(description=gettext_lazy("channel"))
    def closed(self, row: Interaction) -> str:
        """Through which door it was closed, and by whom if that was not whom it was put to."""
        other = row.resolved_by if row.resolved_by_id != row.user_id else None
        return " · ".join(filter(None, [self.door(row), other.get_username() if other else ""]))

    @admin.display(description=gettext_lazy("closed by"))
    def by(self, row: Interaction) -> str:
        """Who closed it."""
        return row.resolved_by.get_username() if row.resolved_by else ""

    @admin.display(description=gettext_lazy("answer"))
    def given(self, row: Interaction) -> str:
        """What was decided or chosen, masked."""
        return briefly(row.told)  # type: ignore[attr-defined]

    # --- the page ---------------------------------------------------------------------------------
    def pages(self) -> Sequence[tuple[Any, ...]]:
        """Return the further pages."""
        return (
            ("reveal", self.reveal_view),
            ("recover", self.recover_view),
            ("export", export_view(self), True),
        )

    def detail(self, request: HttpRequest, row: Interaction) -> dict[str, Any]:
        """Return the question as asked, the answer masked, and the course of events."""
        summary = _summary_of(row)
        result = ToolResult.objects.filter(call=row.call_id).first()
        return {
            "facts": self.facts(row),
            "asked": asked(revealing.words_of(row), summary),
            "result": result,
            "received": received(result.content) if result and not result.erased and _is_ours(row, result) else "",
            "steps": steps_of(row),
            "may_reveal": may(request, Right.REVEAL) and revealing.can_be_revealed(row, result),
            "acts": recovery.acts_on_interaction(row) if may(request, Right.RECOVER) else (),
        }

    def facts(self, row: Interaction) -> list[tuple[str, Any]]:
        """Return what is known of an interaction besides its words."""
        return [
            (_("status"), self.state(row)),
            (_("reason"), value_in_words("reason", row.reason)),
            (_("kind"), self.what(row)),
            (_("user"), link("user", row.user.public_id, row.user.get_username())),
            (_("session"), link("session", row.session.public_id)),
            (_("run"), link("run", row.run.public_id)),
            (_("tool call"), row.call.call_id),
            (_("asked (UTC)"), moment(row.created_at)),
            (_("expires (UTC)"), moment(row.expires_at) or _("never")),
            (_("closed (UTC)"), moment(row.resolved_at)),
            (_("waited"), self.waited(row)),
            (_("shown in"), ", ".join(words.say(words.channels, channel) for channel in row.shown.split())),
            (_("closed by"), self.by(row)),
            (_("channel"), self.door(row)),
            (_("when time is up"), value_in_words("on_timeout", row.on_timeout)),
            (_("repairs of the call"), len(row.repairs)),
        ]

    def reveal_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Reveal the answer to who gives a reason: shown once, in the answer to this form, and on record."""
        return revealing.reveal(self, request, object_id)

    def recover_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Close or extend a question that is stuck."""
        return recovery.recover(self, request, object_id, recovery.acts_on_interaction)


def _with_owners() -> QuerySet[Interaction]:
    return Interaction.objects.select_related("session", "run", "user", "resolved_by")


def _summary_of(row: Interaction) -> dict[str, Any]:
    """Return what the audit says of the answer."""
    return _summaries_of([row.public_id]).get(row.public_id, {})


def _summaries_of(ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """Return what the audit says of the answers to these questions, in one query."""
    # A condition on the kind would lead SQLite through all records of that kind.
    records = AuditRecord.objects.filter(request__gt="", request__in=list(ids)).values_list("kind", "request", "summary")
    return {request: summary for kind, request, summary in records if kind == "interaction_answered"}
