"""A conversation at the command line: its runs are driven by this process, its questions asked in the terminal."""

import asyncio

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.chat.models import ChatSession, Run, ToolResult
from apps.common.errors import HandraiseError
from apps.common.text import compact_json
from apps.interactions.answers import InvalidAnswer
from apps.interactions.events import card
from apps.interactions.submissions import MalformedBody, parse_submission
from apps.runs import interfaces, segments, selectors, services
from apps.runs.dispatch.own import OwnWorker
from apps.runs.errors import InteractionPending
from apps.runs.segments import Claimed
from apps.runs.showing import Shown
from apps.runs.terminal import Terminal

COMPLETED, FAILED, NOT_ASKED = 0, 1, 3
"""Exit codes of a command that ran a conversation; 2 is that of a wrong command line or environment."""
OTHERS_SECONDS = 0.2


class Conversation:
    """The runs of one user in one session, one after the other. `session` None: the first message makes one.

    `show` makes what shows the session's events.
    """

    def __init__(
        self,
        user: User,
        terminal: Terminal,
        worker: OwnWorker,
        language: str,
        session: ChatSession | None,
        show: type[Shown] = Shown,
    ) -> None:
        self._user, self._terminal, self._worker, self._language = user, terminal, worker, language
        self.session, self._show = session, show
        self._shown = show(terminal, session.pk, services.last_seq(session)) if session else None

    def send(self, message: str, capability: str = "chat") -> int:
        """Start a run with a message and see it through; return COMPLETED, FAILED or NOT_ASKED."""
        new = services.NewRun(
            message,
            session_id=self.session.public_id if self.session else "",
            capability=capability,
            language=self._language,
            can_ask=interfaces.can_ask(),
            owner=self._worker.name,
        )
        try:
            started = services.start_run(self._user, new)
        except HandraiseError as refusal:
            self._terminal.refusal(refusal)
            return NOT_ASKED if isinstance(refusal, InteractionPending) else FAILED
        self.session = started.session
        self._shown = self._shown or self._show(self._terminal, started.session.pk)
        return self._see_through(started.run, Claimed(started.run, started.run.fence))

    def go_on(self) -> int:
        """See the session's last run through, if it rests on a question or is at work."""
        run = selectors.last_run(self.session) if self.session else None
        return self._see_through(run) if run and run.status in Run.ACTIVE else COMPLETED

    def _see_through(self, run: Run, claimed: Claimed | None = None) -> int:
        while True:
            try:
                self._work(run, claimed)
            except KeyboardInterrupt:
                services.abort(self._user, run.session.public_id)
            claimed = None
            run.refresh_from_db()
            self._catch_up()
            if run.status != Run.Status.WAITING:
                return self._code(run)
            if interfaces.can_ask():
                self._terminal.say(_("A question is open in this session. It is answered in the web interface."))
                return NOT_ASKED
            self._ask_all(run)

    def _work(self, run: Run, claimed: Claimed | None) -> None:
        """Drive the run until it rests; what another worker has taken is waited for."""
        with asyncio.Runner() as loop:
            while claimed or run.status in (Run.Status.QUEUED, Run.Status.RUNNING):
                claimed = claimed or segments.claim(run.pk, self._worker.name)
                loop.run(self._drive(claimed) if claimed else asyncio.sleep(OTHERS_SECONDS))
                claimed = None
                run.refresh_from_db()

    async def _drive(self, claimed: Claimed) -> None:
        assert self._shown is not None
        follower = asyncio.create_task(self._shown.follow(self._worker.threads), name="follower")
        try:
            await self._worker.drive(claimed)
        finally:
            follower.cancel()
            await asyncio.wait([follower])

    def _ask_all(self, run: Run) -> None:
        """Ask the open questions of the run, the oldest first, until one closes the others or none is left."""
        while (row := selectors.pending_of(self._user, run.session).filter(run=run).first()) is not None:
            services.mark_shown(row, "cli")
            body = self._terminal.answer(card(row))
            try:
                services.answer(self._user, run.session.public_id, row.public_id, parse_submission(body), compact_json(body))
            except (InvalidAnswer, MalformedBody) as refusal:
                self._terminal.refusal(refusal)  # and the question is put again
            except HandraiseError as refusal:
                self._terminal.refusal(refusal)  # answered elsewhere, or expired: the rows say how it goes on
        services.expire_due()
        run.refresh_from_db()

    def _catch_up(self) -> None:
        assert self._shown is not None
        self._shown.catch_up()

    @staticmethod
    def _code(run: Run) -> int:
        if ToolResult.objects.filter(call__run=run, code="NO_PROVIDER").exists():
            return NOT_ASKED
        return COMPLETED if run.status == Run.Status.COMPLETED else FAILED
