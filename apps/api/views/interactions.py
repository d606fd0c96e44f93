"""What was put to the user: what waits, the history, drafts, more time."""

import logging
from collections.abc import Sequence
from functools import partial

import django.db
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.idempotency import Stored
from apps.api import shapes
from apps.api.bodies import ExtendBody, read_object
from apps.api.describing import cursor_parameters, describe, parameter
from apps.api.pages import Asked, slice_by_id
from apps.api.queries import Query
from apps.api.views.base import KIBIBYTE, AfterwardsResponse, ApiView, caller
from apps.api.wire import Json, interaction_json
from apps.audit.context import Acting, acting, current
from apps.common.clock import database_now
from apps.interactions.events import card
from apps.interactions.models import Draft, Interaction, InteractionQuerySet
from apps.runs import selectors, services

logger = logging.getLogger(__name__)
CHANNEL = "api"


class PendingView(ApiView):
    """What waits for the user."""

    @describe(
        "What waits for an answer",
        answers={200: shapes.Pending},
        parameters=[parameter("sessionId", "Only what waits in this session.")],
        refusals=("not_found", "invalid_query"),
    )
    def get(self, request: Request) -> Response:
        """List the open questions, oldest first, each as in the event `user_input_required`."""
        query, user = Query(request.query_params), caller(request)
        session_id = query.text("sessionId")
        query.check()
        session = None if session_id is None else services.session_of(user, session_id)
        rows = list(selectors.pending_of(user, session))
        content = {"sessionId": session_id, "pending": [card(row) for row in rows]}
        return shown(content, rows)


class InteractionsView(ApiView):
    """The history."""

    @describe(
        "The history of questions",
        answers={200: shapes.InteractionsPage},
        parameters=[
            parameter("status", "Only with this status.", enum=Interaction.Status.values),
            parameter("kind", "Only of this kind.", enum=shapes.KINDS),
            parameter("sessionId", "Only of this session."),
            parameter("since", "Asked at this time or later.", format="date-time"),
            parameter("until", "Asked before this time.", format="date-time"),
            *cursor_parameters(),
        ],
        refusals=("not_found", "invalid_query"),
    )
    def get(self, request: Request) -> Response:
        """List what was ever asked, the newest first, with the receipts of what is closed."""
        query = Query(request.query_params)
        asked, among = Asked.read(query), selectors.all_interactions_of(caller(request))
        rows = self._filtered(among, query)
        now = database_now()
        return Response(slice_by_id(rows, among, asked, newest_first=True).as_json(partial(interaction_json, now=now)))

    def _filtered(self, rows: InteractionQuerySet, query: Query) -> InteractionQuerySet:
        status, kind = query.choice("status", Interaction.Status.values), query.choice("kind", shapes.KINDS)
        session_id, since, until = query.text("sessionId"), query.moment("since"), query.moment("until")
        query.check()
        if status:
            rows = selectors.with_status(rows, status)
        if kind:
            rows = rows.filter(kind=kind)
        if session_id is not None:
            rows = rows.filter(session=services.session_of(caller(self.request), session_id))
        if since:
            rows = rows.filter(created_at__gte=since)
        if until:
            rows = rows.filter(created_at__lt=until)
        return rows


class InteractionView(ApiView):
    """One of them."""

    @describe("One question", answers={200: shapes.InteractionWithDraft}, refusals=("interaction_not_found",))
    def get(self, request: Request, request_id: str) -> Response:
        """Show a question, its receipt if it is closed, and the draft of its answer."""
        row = services.interaction_of(caller(request), request_id)
        content = _with_draft(row)
        return shown(content, [row] if content["status"] == Interaction.Status.PENDING else [])


class DraftView(ApiView):
    """The draft of an answer."""

    scopes = {"PUT": "answer"}
    max_body_bytes = 64 * KIBIBYTE

    @describe(
        "Keep a draft",
        body={"type": "object", "additionalProperties": True},
        answers={200: shapes.Draft},
        refusals=("interaction_not_found", "already_resolved", "expired"),
    )
    def put(self, request: Request, request_id: str) -> Response:
        """Keep what has been filled in so far, any JSON object. The last write wins; a draft is never an answer."""
        draft = read_object(request.data)
        services.save_draft(caller(request), request_id, draft)
        return Response({"requestId": request_id, "draft": draft})


class ExtendView(ApiView):
    """More time."""

    scopes = {"POST": "answer"}

    @describe(
        "Give a question more time",
        body=ExtendBody,
        answers={200: shapes.InteractionWithDraft},
        refusals=("interaction_not_found", "no_expiry", "already_resolved", "expired"),
    )
    def post(self, request: Request, request_id: str) -> Response:
        """Let the question expire `seconds` from now: never earlier than it would have, in 30 days at the latest."""
        seconds = ExtendBody.read(request.data)["seconds"]

        def extend() -> Stored:
            row = services.extend(caller(request), request_id, seconds)
            return Stored(200, {"request": row.public_id})

        done = self.once(extend)
        return Response(_with_draft(services.interaction_of(caller(request), done.ids["request"])), done.status)


def _with_draft(row: Interaction) -> Json:
    draft = Draft.objects.filter(pk=row.pk).values_list("body", flat=True).first()
    return interaction_json(row, database_now()) | {"draft": draft}


def shown(content: Json, rows: Sequence[Interaction]) -> Response:
    """Answer with cards, and record afterwards those that the API shows for the first time."""
    unseen = [row for row in rows if CHANNEL not in row.shown.split()]
    if not unseen:
        return Response(content)
    return AfterwardsResponse(content, partial(_record_shown, unseen, current()))


def _record_shown(rows: Sequence[Interaction], said: Acting) -> None:
    with acting(said.resolved_actor(), said.channel, said.http_request):
        try:
            for row in rows:
                services.mark_shown(row, CHANNEL)
        except django.db.Error as error:
            # The answer is sent; that it was seen will be recorded when it is seen again.
            logger.warning("What was shown could not be recorded: %s", type(error).__name__)
