"""What all streams share: the HTTP side of one request whose answer stays open."""

import logging
from http import HTTPStatus
from io import BytesIO
from typing import Any

from channels.generic.http import AsyncHttpConsumer
from django.core.exceptions import DisallowedHost
from django.core.handlers.asgi import ASGIRequest
from django.utils import translation
from django.utils.translation import gettext as _

from apps.api.errors import Problem
from apps.api.stream.answers import Answer, Headers, refusal
from apps.api.stream.doors import Caller, Credentials, caller_of
from apps.api.stream.limits import MAX_BODY_BYTES, streams_per_user
from apps.api.stream.pulse import pulse
from apps.api.stream.slots import slots
from apps.api.stream.threads import threads
from apps.events.frames import HEARTBEAT

logger = logging.getLogger(__name__)

STREAM_HEADERS: Headers = [
    (b"Content-Type", b"text/event-stream; charset=utf-8"),
    (b"Cache-Control", b"no-cache, no-transform"),
    (b"X-Accel-Buffering", b"no"),
    (b"X-Content-Type-Options", b"nosniff"),
]


class Refused(Exception):
    """The request is not served."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


class StreamConsumer(AsyncHttpConsumer):
    """One stream. The request's handler sends the head and returns; events are pushed later, by whoever has them.

    So an idle stream is a waiting task of the server: no thread, no database connection. What it holds is given
    back when the task ends, however it ends.
    """

    channel_layer_alias = "none"  # one subscription a process (apps.events.relay), never one a stream
    scope_needed = "read"
    credentials: Credentials
    caller: Caller

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._body, self._is_answered = bytearray(), False
        self._is_open = self._has_slot = False

    async def serve(self, request: ASGIRequest, body: bytes) -> None:
        """Answer the request: open the stream or raise Refused."""
        raise NotImplementedError

    def let_go(self) -> None:
        """Give back what the stream holds; may be called twice."""
        pulse.leave(self)
        if self._has_slot:
            self._has_slot = False
            slots.give_back(self.caller.user_id)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the consumer; whatever ends it (the client, the server, a fault), nothing stays held."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._is_open = False
            self.let_go()

    async def http_request(self, message: dict[str, Any]) -> None:
        """Collect the body, answer, return. The base class would end the consumer here."""
        if self._is_answered:
            return
        self._body += message.get("body", b"")
        if message.get("more_body") and len(self._body) <= MAX_BODY_BYTES:
            return
        self._is_answered = True
        body, self._body = bytes(self._body), bytearray()
        try:
            await self._serve(ASGIRequest(self.scope, BytesIO(b"")), body)
        except Refused as refused:
            await self.send_answer(refusal(refused.problem))
        except Exception as error:
            # The edge: a fault of ours is answered as everywhere in the API, never with the server's own page. Its text
            # may hold what people wrote, so only its type is logged.
            logger.error("A stream could not be opened: %s", type(error).__name__)
            await self._fail()

    async def _serve(self, request: ASGIRequest, body: bytes) -> None:
        with translation.override(translation.get_language_from_request(request)):
            if len(body) > MAX_BODY_BYTES:
                raise Refused(Problem("too_large", _("The body is too large.")))
            try:
                request.get_host()
            except DisallowedHost:
                raise Refused(Problem("bad_host", _("This host is not served here."))) from None
            await self.serve(request, body)

    async def _fail(self) -> None:
        if self._is_open:
            await self.finish()
        else:
            await self.send_answer(refusal(Problem("internal", _("Something went wrong on our side."))))

    async def look_at_caller(self, request: ASGIRequest) -> Caller | None:
        """Find out who sends the request, and answer in the language that they have chosen."""
        self.credentials = Credentials.of(request)
        caller = await threads(caller_of, self.credentials)
        if caller is not None:
            self.caller = caller
            if caller.language:
                translation.activate(caller.language)
        return caller

    async def require_caller(self, request: ASGIRequest) -> Caller:
        """Return who sends the request. Raises Refused if that is nobody, or a token without the scope."""
        caller = await self.look_at_caller(request)
        if caller is None:
            raise Refused(Problem("not_authenticated", _("Sign in, or send a valid token.")))
        if not caller.may(self.scope_needed):
            raise Refused(Problem("insufficient_scope", _("The token lacks the scope for this.")))
        return caller

    def take_slot(self) -> None:
        """Take one of the caller's streams. Raises Refused if all are in use."""
        if not slots.take(self.caller.user_id, streams_per_user()):
            text = _("You have too many streams open at once. Close some and try again.")
            raise Refused(Problem("too_many_streams", text, headers={"Retry-After": "5"}))
        self._has_slot = True

    async def open(self, headers: Headers) -> None:
        """Send the head and a first comment, so that the client and every proxy see at once that the stream stands."""
        await self.send_headers(status=HTTPStatus.OK, headers=STREAM_HEADERS + headers)
        self._is_open = True
        await self.beat()
        pulse.join(self)

    async def write(self, frames: bytes) -> None:
        """Send bytes of the stream; nothing once it has ended."""
        if not self._is_open or not frames:
            return
        try:
            await self.send_body(frames, more_body=True)
        except OSError:
            # Servers say so that the client has gone (ASGI 2.4); daphne keeps silent.
            self._is_open = False
            self.let_go()

    async def beat(self) -> None:
        """Send a comment."""
        await self.write(HEARTBEAT)

    async def finish(self) -> None:
        """End the stream; the server then tells the consumer that the client is gone."""
        if not self._is_open:
            return
        self._is_open = False
        self.let_go()
        await self.send_body(b"")

    async def send_answer(self, answer: Answer) -> None:
        """Send a whole answer that is no stream."""
        await self.send_response(answer.status, answer.body, headers=answer.headers)
