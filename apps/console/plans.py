"""Plans: the list of all versions, and the page with the steps; their words are masked."""

from collections.abc import Sequence
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.chat.models import Run
from apps.console import words
from apps.console.drawing import link, moment, short, short_link, status
from apps.console.exporting import export_view, stamp
from apps.console.filters import DayFilter, chosen
from apps.console.history import HistoryAdmin
from apps.console.paging import Narrowing
from apps.console.search import BY_ID, by_id_or_person
from apps.solve.models import SolvePlan, SolveStep


class PlanAdmin(HistoryAdmin[SolvePlan]):
    """What the agent set out to do."""

    list_display = ("ident", "person", "state", "of_run", "made_at")
    list_filter = (DayFilter, chosen("status", gettext_lazy("status"), words.plan_statuses))
    search_help_text = gettext_lazy("The id of a run or session, or the name of a user.")
    detail_template = "admin/console/plan.html"
    export_columns = ("runId", "sessionId", "user", "version", "status", "replansUsed", "replansMax", "createdAt")

    def get_queryset(self, request: HttpRequest) -> QuerySet[SolvePlan]:
        """Return the rows without their words."""
        return SolvePlan.objects.select_related("run__session__user").defer("analysis", "reason", "run__session__title")

    def get_queryset_of_one(self) -> QuerySet[SolvePlan]:
        """Return the rows with run, session and user."""
        return SolvePlan.objects.select_related("run__session__user")

    def reference(self, row: SolvePlan) -> str:
        """Return run and version: a plan has no public id of its own."""
        return f"{row.run.public_id}.{row.version}"

    def reference_of_key(self, key: int) -> str:
        """Return run and version, read without the rest of either."""
        return "{}.{}".format(*SolvePlan.objects.values_list("run__public_id", "version").get(pk=key))

    def row_of(self, reference: str) -> SolvePlan | None:
        """Return the plan with this run and version."""
        run, _dot, version = reference.rpartition(".")
        if not (version.isascii() and version.isdecimal() and len(version) < 10):
            return None
        return self.get_queryset_of_one().filter(run__public_id=run, version=int(version)).first()

    def chain_of(self, reference: str) -> str | None:
        """Return the session of the run that the reference names."""
        run = reference.rpartition(".")[0]
        return Run.objects.filter(public_id=run).values_list("session__public_id", flat=True).first()

    def searched(self, query: str) -> Narrowing:
        """Search by ids and user."""
        ids = {
            "run": lambda ident: Q(run__in=list(Run.objects.filter(public_id=ident).values_list("pk", flat=True))),
            "sess": lambda ident: Q(run__in=list(Run.objects.filter(session__public_id=ident).values_list("pk", flat=True))),
        }
        if query.startswith("ask_"):
            return Narrowing(Q(run__interactions__public_id=query), BY_ID)
        return by_id_or_person(query, ids, lambda users: Narrowing(Q(run__session__user__in=users)))

    def line(self, row: SolvePlan) -> dict[str, Any]:
        """Return one line of an export."""
        return {
            "runId": row.run.public_id,
            "sessionId": row.run.session.public_id,
            "user": row.run.session.user.get_username(),
            "version": row.version,
            "status": row.status,
            "replansUsed": row.replans_used,
            "replansMax": row.replans_max,
            "createdAt": stamp(row.created_at),
        }

    # --- columns ----------------------------------------------------------------------------------
    @admin.display(description=gettext_lazy("plan"))
    def ident(self, row: SolvePlan) -> str:
        """Run and version."""
        return f"{short(row.run.public_id)} v{row.version}"

    @admin.display(description=gettext_lazy("user"))
    def person(self, row: SolvePlan) -> str:
        """Whose run it is."""
        return row.run.session.user.get_username()

    @admin.display(description=gettext_lazy("status"))
    def state(self, row: SolvePlan) -> str:
        """What has become of it."""
        return status(row.status, words.say(words.plan_statuses, row.status))

    @admin.display(description=gettext_lazy("run"))
    def of_run(self, row: SolvePlan) -> str:
        """Its run."""
        return short_link("run", row.run.public_id)

    @admin.display(description=gettext_lazy("made (UTC)"))
    def made_at(self, row: SolvePlan) -> str:
        """When it was made."""
        return moment(row.created_at)

    # --- the page ---------------------------------------------------------------------------------
    def pages(self) -> Sequence[tuple[Any, ...]]:
        """Return the further pages."""
        return (("export", export_view(self), True),)

    def title_of(self, row: SolvePlan) -> str:
        """Return the title of a plan's page."""
        return _("Plan %(version)d of %(run)s") % {"version": row.version, "run": row.run.public_id}

    def detail(self, request: HttpRequest, row: SolvePlan) -> dict[str, Any]:
        """Return the plan and its steps, with lengths in the place of words."""
        steps = SolveStep.objects.filter(plan=row).order_by("place")
        return {
            "facts": [
                (_("status"), self.state(row)),
                (_("user"), link("user", row.run.session.user.public_id, self.person(row))),
                (_("session"), link("session", row.run.session.public_id)),
                (_("run"), link("run", row.run.public_id)),
                (_("analysis"), _masked(row.analysis)),
                (_("why the one before was given up"), _masked(row.reason)),
                (_("replans"), f"{row.replans_used} / {row.replans_max}"),
                (_("made (UTC)"), moment(row.created_at)),
            ],
            "erased": row.erased,
            "steps": [
                (
                    f"S{step.number}" if step.number else str(step.place + 1),
                    status(step.status, words.say(words.step_statuses, step.status)),
                    _masked(step.goal),
                    _masked(step.summary),
                )
                for step in steps
            ],
        }


def _masked(text: str) -> str:
    return words.agents_text(len(text)) if text else ""
