"""What a session holds: messages, events, evidence."""

from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.request import Request
from rest_framework.response import Response

from apps.api import shapes
from apps.api.describing import cursor_parameters, describe, parameter
from apps.api.errors import StreamOnly
from apps.api.pages import Asked, slice_by_id
from apps.api.queries import Query
from apps.api.views.base import ApiView, caller
from apps.api.wire import Json, message_json
from apps.events.read import PAGE, WireEvent, read_page
from apps.runs import selectors, services
from apps.runs.errors import NotFound
from apps.runs.records import export_evidence

MAX_SEQ = 10**18 - 1


class MessagesView(ApiView):
    """The transcript."""

    @describe(
        "The messages of a session",
        answers={200: shapes.MessagesPage},
        parameters=cursor_parameters(),
        refusals=("not_found", "invalid_query"),
    )
    def get(self, request: Request, session_id: str) -> Response:
        """List the messages, oldest first, with the calls that they made and what came of them."""
        query = Query(request.query_params)
        asked = Asked.read(query)
        query.check()
        messages = selectors.messages_of(services.session_of(caller(request), session_id))
        page = slice_by_id(messages, messages, asked, newest_first=False)
        calls = selectors.calls_of(page.rows)
        request_ids = selectors.request_ids_of(call for of_message in calls.values() for call in of_message)
        return Response(page.as_json(lambda message: message_json(message, calls.get(message.pk, []), request_ids)))


class EventsView(ApiView):
    """The stored events as a page. The stream at the same address is in apps.api.stream."""

    @describe(
        "The events of a session",
        answers={200: shapes.EventsPage},
        parameters=[
            parameter("after", "Only events with a higher number.", type=int, minimum=0, maximum=MAX_SEQ),
            parameter("limit", f"Events of a page; {PAGE} if not given.", type=int, minimum=1, maximum=PAGE),
        ],
        refusals=("not_found", "invalid_query"),
        streams=True,
    )
    def get(self, request: Request, session_id: str) -> Response:
        """With `Accept: application/json`: a page of stored events. Else the session's stream, open over runs."""
        query = Query(request.query_params)
        after, limit = query.number("after", 0, 0, MAX_SEQ), query.number("limit", PAGE, 1, PAGE)
        query.check()
        session = services.session_of(caller(request), session_id)
        page = read_page(session.pk, after, limit)
        if page is None:
            raise NotFound(_("There is no such session."))  # deleted in this moment
        events = page.events
        has_more = bool(events) and events[-1].seq < page.last_seq
        return Response({"results": [_event(each) for each in events], "next": str(events[-1].seq) if has_more else None})


def _event(event: WireEvent) -> Json:
    return {"type": event.kind, **event.data}


class InboxEventsView(ApiView):
    """Hints for badges: always a stream, so that here only what is no GET is answered, and other servers' requests."""

    @describe("Hints of what waits", answers={}, refusals=(), streams=True)
    def get(self, request: Request) -> Response:
        """Stream unnumbered `{pending, sessionId}` hints: how many questions wait, and where there is news."""
        raise StreamOnly(_("This address answers with an event stream only."))


class EvidenceView(ApiView):
    """The evidence of a session."""

    @describe("The evidence of a session", answers={200: OpenApiTypes.OBJECT}, refusals=("not_found", "altered"))
    def get(self, request: Request, session_id: str) -> Response:
        """Return one document with all that is stored of the session. The export is recorded in the audit."""
        return Response(export_evidence(caller(request), session_id))
