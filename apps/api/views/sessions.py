"""Sessions: list, make, read, change, delete."""

from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.idempotency import Stored
from apps.api import shapes
from apps.api.bodies import NewSessionBody, SessionChangesBody
from apps.api.describing import cursor_parameters, describe, parameter
from apps.api.pages import Asked, slice_of_sessions
from apps.api.queries import Query
from apps.api.views.base import ApiView, caller
from apps.api.wire import Json, session_json
from apps.chat.models import ChatSession
from apps.runs import selectors, services


class SessionsView(ApiView):
    """The sessions of the user."""

    scopes = {"POST": "run"}

    @describe(
        "List sessions",
        answers={200: shapes.SessionsPage},
        parameters=[parameter("archived", "Only archived ones, or only others.", type=bool), *cursor_parameters()],
        refusals=("not_found", "invalid_query"),
    )
    def get(self, request: Request) -> Response:
        """List the sessions, the latest change first."""
        query = Query(request.query_params)
        asked, archived = Asked.read(query), query.flag("archived")
        query.check()
        page = slice_of_sessions(caller(request), archived, asked)
        runs = selectors.last_runs(page.rows)
        return Response(page.as_json(lambda session: session_json(session, runs.get(session.pk))))

    @describe("Make a session", body=NewSessionBody, answers={201: shapes.Session}, refusals=("not_found",))
    def post(self, request: Request) -> Response:
        """Make an empty session. (A message without a session makes one too.)"""
        title = NewSessionBody.read(request.data).get("title", "")

        def make() -> Stored:
            return Stored(201, {"session": services.make_session(caller(request), title).public_id})

        done = self.once(make)
        return Response(_as_json(services.session_of(caller(request), done.ids["session"])), done.status)


class SessionView(ApiView):
    """One session."""

    scopes = {"PATCH": "run", "DELETE": "run"}

    @describe("One session", answers={200: shapes.Session}, refusals=("not_found",))
    def get(self, request: Request, session_id: str) -> Response:
        """Show a session and its latest run."""
        return Response(_as_json(services.session_of(caller(request), session_id)))

    @describe("Change a session", body=SessionChangesBody, answers={200: shapes.Session}, refusals=("not_found",))
    def patch(self, request: Request, session_id: str) -> Response:
        """Change title, archived or tools."""
        changes = SessionChangesBody.read(request.data)
        return Response(_as_json(services.change_session(caller(request), session_id, changes)))

    @describe("Delete a session", answers={204: None}, refusals=("not_found",))
    def delete(self, request: Request, session_id: str) -> Response:
        """Abort the run, end the streams, delete everything but the audit trail."""
        services.delete_session(caller(request), session_id)
        return Response(status=204)


def _as_json(session: ChatSession) -> Json:
    return session_json(session, selectors.last_run(session))
