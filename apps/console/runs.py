"""Runs: the list, and the page with what the audit tells of one."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.audit.models import AuditRecord
from apps.audit.words import value_in_words
from apps.chat.models import Run, Segment
from apps.console import recovery, words
from apps.console.drawing import link, moment, short, status
from apps.console.exporting import export_view, stamp
from apps.console.filters import Chosen, DayFilter, chosen
from apps.console.history import HistoryAdmin
from apps.console.paging import Narrowing
from apps.console.rights import Right, may
from apps.console.search import runs_found
from apps.console.timeline import LONGEST, steps, with_gaps
from apps.interactions.models import Interaction
from apps.runs.capabilities import all_capabilities


def capabilities() -> list[tuple[str, str]]:
    """Return the capabilities of this installation."""
    return [(each.name, words.say(words.capabilities, each.name)) for each in all_capabilities()]


class RunStatusFilter(Chosen):
    """Runs by status. Ended runs have an index of their own, those at work another."""

    title = gettext_lazy("status")
    parameter = "status"
    leads = 3

    def options(self) -> Sequence[tuple[str, str]]:
        """Return the statuses."""
        return list(words.run_statuses().items())

    def condition(self, value: str) -> Q:
        """Return the condition for a status; it repeats that of the partial index."""
        return Q(status=value, ended_at__isnull=value in Run.ACTIVE)


class RunAdmin(HistoryAdmin[Run]):
    """What the agent worked at."""

    list_display = ("ident", "person", "state", "how", "door", "made_at", "ended")
    list_filter = (
        DayFilter,
        RunStatusFilter,
        chosen("capability", gettext_lazy("capability"), capabilities),
        chosen("channel", gettext_lazy("channel"), words.channels),
    )
    search_help_text = gettext_lazy("The id of a run, session or interaction, or the name of a user.")
    detail_template = "admin/console/run.html"
    export_columns = (
        "runId", "sessionId", "user", "status", "capability", "channel", "model", "outcome", "reason", "errorCode",
        "createdAt", "endedAt",
    )  # fmt: skip

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        """Return the rows without the words of their errors."""
        return Run.objects.select_related("session__user").defer("error_message", "config", "session__title", "session__tools")

    def get_queryset_of_one(self) -> QuerySet[Run]:
        """Return the rows with session and user."""
        return Run.objects.select_related("session__user")

    def searched(self, query: str) -> Narrowing:
        """Search by ids and user."""
        return runs_found(query)

    def line(self, row: Run) -> dict[str, Any]:
        """Return one line of an export."""
        return {
            "runId": row.public_id,
            "sessionId": row.session.public_id,
            "user": row.session.user.get_username(),
            "status": row.status,
            "capability": row.capability,
            "channel": row.channel,
            "model": row.model,
            "outcome": row.outcome,
            "reason": row.reason,
            "errorCode": row.error_code,
            "createdAt": stamp(row.created_at),
            "endedAt": stamp(row.ended_at),
        }

    # --- columns ----------------------------------------------------------------------------------
    @admin.display(description=gettext_lazy("run"))
    def ident(self, row: Run) -> str:
        """The id."""
        return short(row.public_id)

    @admin.display(description=gettext_lazy("user"))
    def person(self, row: Run) -> str:
        """Whose it is."""
        return row.session.user.get_username()

    @admin.display(description=gettext_lazy("status"))
    def state(self, row: Run) -> str:
        """Where it stands."""
        return status(row.status, words.say(words.run_statuses, row.status))

    @admin.display(description=gettext_lazy("capability and outcome"))
    def how(self, row: Run) -> str:
        """The capability, and how it ended."""
        return " · ".join(filter(None, (self.capability(row), *_ending(row), row.error_code)))

    def capability(self, row: Run) -> str:
        """The title of the capability."""
        return words.say(words.capabilities, row.capability)

    @admin.display(description=gettext_lazy("channel"))
    def door(self, row: Run) -> str:
        """Through which door it was started."""
        return words.say(words.channels, row.channel)

    @admin.display(description=gettext_lazy("started (UTC)"))
    def made_at(self, row: Run) -> str:
        """When it was started."""
        return moment(row.created_at)

    @admin.display(description=gettext_lazy("ended (UTC)"))
    def ended(self, row: Run) -> str:
        """When it ended."""
        return moment(row.ended_at)

    # --- pages ------------------------------------------------------------------------------------
    def pages(self) -> Sequence[tuple[Any, ...]]:
        """Return the further pages."""
        return (("recover", self.recover_view), ("export", export_view(self), True))

    def detail(self, request: HttpRequest, row: Run) -> dict[str, Any]:
        """Return its facts, its interactions, and its course."""
        trail = AuditRecord.objects.filter(session=row.session.public_id, run=row.public_id).order_by("number")
        interactions = Interaction.objects.filter(run=row).defer("payload", "submission").order_by("id")
        return {
            "facts": self.facts(row),
            "interactions": list(interactions[:LONGEST]),
            "steps": with_gaps(steps(list(trail[:LONGEST]))),
            "acts": recovery.acts_on_run(row) if may(request, Right.RECOVER) else (),
        }

    def facts(self, row: Run) -> list[tuple[str, Any]]:
        """Return what is known of a run besides its words."""
        segments = Segment.objects.filter(run=row)
        return [
            (_("status"), self.state(row)),
            (_("user"), link("user", row.session.user.public_id, row.session.user.get_username())),
            (_("session"), link("session", row.session.public_id)),
            (_("capability"), self.capability(row)),
            (_("model"), row.model),
            (_("language"), row.language),
            (_("channel"), self.door(row)),
            *zip((_("outcome"), _("reason")), _ending(row), strict=True),
            (_("error"), row.error_code),
            (_("can be tried again"), _("yes") if row.retryable else _("no")),
            (_("attempts"), row.attempts),
            (_("segments"), segments.count()),
            (_("started (UTC)"), moment(row.created_at)),
            (_("ended (UTC)"), moment(row.ended_at)),
        ]

    def recover_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Queue again, end or stop a run that is stuck."""
        return recovery.recover(self, request, object_id, recovery.acts_on_run)


def _ending(row: Run) -> tuple[str, str]:
    """Return outcome and reason in words."""
    return value_in_words("outcome", row.outcome), value_in_words("reason", row.reason)
