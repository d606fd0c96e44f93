"""Start, answer, abort and retry runs. The streamed form of these calls is in apps.api.stream."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.idempotency import Stored
from apps.accounts.models import User
from apps.api import shapes
from apps.api.bodies import ChatBody, ContinueBody, SessionBody
from apps.api.describing import describe
from apps.api.throttles import RequestRate, RunRate
from apps.api.views.base import KIBIBYTE, ApiView, caller
from apps.chat.models import Run
from apps.interactions.events import receipt
from apps.runs import services
from apps.runs.errors import NotFound
from apps.runs.selectors import run_of


def stream_headers(session_id: str, first_seq: int, last_seq: int | None = None) -> dict[str, str]:
    """Return the headers by which a stream finds the events of this call (see apps.api.stream.run)."""
    last = {} if last_seq is None else {"Handraise-Last-Seq": str(last_seq)}
    return {"Handraise-Session": session_id, "Handraise-First-Seq": str(first_seq), **last}


class StartingView(ApiView):
    """What the two calls that set a run going have in common."""

    scopes = {"POST": "run"}
    throttle_classes = (RequestRate, RunRate)

    def accepted(self, done: Stored) -> Response:
        """Say which run it is and where it stands now. Raises NotFound if it was deleted meanwhile."""
        run = _existing(caller(self.request), done.ids["run"])
        session_id = run.session.public_id
        content = {"sessionId": session_id, "runId": run.public_id, "status": run.status}
        return Response(content, done.status, headers=stream_headers(session_id, done.ids["first"]))


class ChatView(StartingView):
    """A message of the user."""

    @describe(
        "Start a run",
        body=ChatBody,
        answers={202: shapes.Started},
        refusals=("not_found", "run_active", "interaction_pending"),
        streams=True,
    )
    def post(self, request: Request) -> Response:
        """Say something: in a new session, or in one that has no run at work.

        With `Accept: text/event-stream` the run's events are streamed until it rests.
        """
        new = ChatBody.new_run(request.data)

        def start() -> Stored:
            started = services.start_run(caller(request), new)
            return Stored(202, {"run": started.run.public_id, "first": started.first_seq})

        return self.accepted(self.once(start))


class RetryView(StartingView):
    """A failed run that is to be tried again."""

    @describe(
        "Retry the last run",
        body=SessionBody,
        answers={202: shapes.Started},
        refusals=("not_found", "run_active", "not_retryable"),
        streams=True,
    )
    def post(self, request: Request) -> Response:
        """Let the session's last run, failed and retryable, go on from what is stored of it."""
        session_id = SessionBody.read(request.data)["sessionId"]

        def retry() -> Stored:
            started = services.retry(caller(request), session_id)
            return Stored(202, {"run": started.run.public_id, "first": started.first_seq})

        return self.accepted(self.once(retry))


class ContinueView(ApiView):
    """A submission."""

    scopes = {"POST": "answer"}
    max_body_bytes = 64 * KIBIBYTE

    @describe(
        "Answer or cancel a question",
        body=ContinueBody,
        answers={202: shapes.Answered},
        refusals=(
            "interaction_not_found",
            "wrong_session",
            "already_resolved",
            "expired",
            "not_resumable",
            "stale_revision",
            "invalid_answer",
        ),
        streams=True,
    )
    def post(self, request: Request) -> Response:
        """Answer the question, once. A refused submission changes nothing, and can be mended and sent again.

        With `Accept: text/event-stream` the run's events are streamed until it rests; while another question of the
        same turn is open, only those of this answer.
        """
        session_id, request_id, submission = ContinueBody.submission(request.data)
        raw = self.body.decode()

        def answer() -> Stored:
            done = services.answer(caller(request), session_id, request_id, submission, raw)
            last = None if done.is_last else done.last_seq
            return Stored(202, {"request": request_id, "first": done.first_seq, "last": last})

        return self._accepted(self.once(answer))

    def _accepted(self, done: Stored) -> Response:
        row = services.interaction_of(caller(self.request), done.ids["request"])
        content = {
            "requestId": row.public_id,
            "toolCallId": row.call.call_id,
            "runId": row.run.public_id,
            "status": row.status,
            "receipt": receipt(row),
        }
        headers = stream_headers(row.session.public_id, done.ids["first"], done.ids["last"])
        return Response(content, done.status, headers=headers)


class AbortView(ApiView):
    """A run that is to end."""

    scopes = {"POST": "run"}

    @describe(
        "Abort the active run",
        body=SessionBody,
        answers={202: shapes.Aborted, 200: shapes.Aborted},
        refusals=("not_found",),
    )
    def post(self, request: Request) -> Response:
        """Stop what the session is doing; its open questions close as aborted. Idle: 200 with `runId` null."""
        session_id = SessionBody.read(request.data)["sessionId"]

        def abort() -> Stored:
            aborted = services.abort(caller(request), session_id)
            run = aborted.run
            return Stored(202 if run else 200, {"session": aborted.session.public_id, "run": run and run.public_id})

        done = self.once(abort)
        return Response(self._stopped(done), done.status)

    def _stopped(self, done: Stored) -> dict[str, Any]:
        run_id = done.ids["run"]
        status = _existing(caller(self.request), run_id).status if run_id else "idle"
        return {"sessionId": done.ids["session"], "runId": run_id, "status": status}


def _existing(user: User, run_id: str) -> Run:
    """Return a run that was there a moment ago. Raises NotFound if its session was deleted since."""
    run = run_of(user, run_id)
    if run is None:
        raise NotFound(_("There is no such run."))
    return run
