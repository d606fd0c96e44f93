"""Talk to the agent at the command line: ``chat [--user NAME] [--session ID]``.

Messages are lines, typed or from a pipe. The runs are driven by this very process. Without a terminal nobody can be
asked: the agent is told so and goes on. Exit codes: 0 every run completed (or the terminal was left), 1 a run did not
complete, 2 wrong command line or environment, 3 a question could not be asked.
"""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import translation
from django.utils.translation import gettext as _

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.audit.context import acting
from apps.chat.models import ChatSession
from apps.providers.registry import current_model
from apps.runs import interfaces, services
from apps.runs.conversation import Conversation
from apps.runs.dispatch.own import OwnWorker
from apps.runs.errors import NotFound
from apps.runs.management.setup import check_database, check_migrated, check_settings
from apps.runs.terminal import Terminal


class Command(BaseCommand):
    """Exits with the code of the worst run; see the module's text."""

    help = "Talk to the agent at the command line."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare who speaks, and where."""
        parser.add_argument("--user", metavar="NAME", default="", help="who speaks; may be left out if there is one user only")
        parser.add_argument("--session", metavar="ID", default="", help="go on in this session")

    def handle(self, *args: Any, user: str, session: str, **options: Any) -> None:
        """Check, find user and session, talk."""
        check_database()
        check_settings()
        check_migrated()
        speaker = _user(user)
        language = _language()
        with ExitStack() as stack:
            stack.enter_context(translation.override("zh-hans" if language == "zh" else "en"))
            stack.enter_context(acting(actor_of(speaker), "cli"))
            if sys.stdin.isatty():
                stack.enter_context(interfaces.registered("terminal"))
            worker = stack.enter_context(OwnWorker())
            code = self._talk(Conversation(speaker, self._terminal(), worker, language, _session(speaker, session)))
        sys.exit(code)

    def _terminal(self) -> Terminal:
        def write(text: str) -> None:
            self.stdout.write(text, ending="")
            self.stdout.flush()

        return Terminal(input, write)

    def _talk(self, conversation: Conversation) -> int:
        if sys.stdin.isatty():
            self._greet()
            conversation.go_on()
            for line in _typed_lines():
                conversation.send(line)
            return 0
        return max([conversation.go_on(), *(conversation.send(line) for line in sys.stdin if line.strip())])

    def _greet(self) -> None:
        self.stdout.write(f"Handraise · {current_model().name}")
        self.stdout.write(_("Write to the agent. Ctrl-C stops a run or cancels a question, Ctrl-D leaves."))


def _typed_lines() -> Iterator[str]:
    """Yield the lines that are typed until Ctrl-C or Ctrl-D at the prompt; blank ones are left out."""
    while True:
        try:
            line = input("> ")
        except (EOFError, KeyboardInterrupt):
            return
        if line.strip():
            yield line


def _user(name: str) -> User:
    active = User.objects.filter(is_active=True)
    found = list(active.filter(username=name) if name else active[:2])
    if len(found) == 1:
        return found[0]
    if name:
        raise CommandError(f"There is no active user named {name}.")
    raise CommandError("Name the user with --user." if found else "There is no user yet: start manage.py serve once.")


def _session(user: User, public_id: str) -> ChatSession | None:
    if not public_id:
        return None
    try:
        return services.session_of(user, public_id)
    except NotFound as error:
        raise CommandError(error.message) from None


def _language() -> str:
    """Return the language of the person at the terminal: "en" or "zh"."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next((name for name in names if name), "").lower().startswith("zh") else "en"
