"""The plans of a session: every version of every run."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api import plan_shapes
from apps.api.describing import cursor_parameters, describe
from apps.api.pages import Asked
from apps.api.queries import Query
from apps.api.views.base import ApiView, caller
from apps.api.wire import Json
from apps.chat.models import ChatSession
from apps.common.clock import wire_time
from apps.runs import services
from apps.runs.errors import NotFound
from apps.solve.models import SolvePlan
from apps.solve.selectors import as_json, plans_of

_CURSOR = re.compile(r"(\w{1,40})-([0-9]{1,9})", re.ASCII)


class PlansView(ApiView):
    """The plans."""

    @describe(
        "The plans of a session",
        answers={200: plan_shapes.PlansPage},
        parameters=cursor_parameters(),
        refusals=("not_found", "invalid_query"),
    )
    def get(self, request: Request, session_id: str) -> Response:
        """List every version of the plans, oldest first, with its steps as they stand now."""
        query = Query(request.query_params)
        asked = Asked.read(query)
        query.check()
        found = _page(services.session_of(caller(request), session_id), asked)
        shown = found[: asked.limit]
        last = shown[-1] if len(found) > asked.limit else None
        cursor = f"{last.run.public_id}-{last.version}" if last else None
        return Response({"results": _results(shown), "next": cursor})


def _page(session: ChatSession, asked: Asked) -> Sequence[SolvePlan]:
    """Return the plans of the page and one more. A cursor names a run and a version."""
    rows = plans_of(session)
    if asked.cursor:
        named = _CURSOR.fullmatch(asked.cursor)
        last = rows.filter(run__public_id=named[1], version=int(named[2])).first() if named else None
        if last is None:
            raise NotFound(_("This page is no longer there. Begin with the first one."))
        rows = rows.filter(pk__gt=last.pk)
    return list(rows[: asked.limit + 1])


def _results(plans: Sequence[SolvePlan]) -> list[Json]:
    return [
        {
            "runId": row.run.public_id,
            **told,
            "reason": None if row.erased else row.reason,
            "createdAt": wire_time(row.created_at),
        }
        for row, told in zip(plans, as_json(plans), strict=True)
    ]
