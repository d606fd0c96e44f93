"""Talk to the agent at the command line: ``chat [--user NAME] [--session ID]``.

Messages are lines, typed or from a pipe. The runs are driven by this very process. Without a terminal nobody can be
asked: the agent is told so and goes on. Exit codes: 0 every run completed (or the terminal was left), 1 a run did not
complete, 2 wrong command line or environment, 3 a question could not be asked.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from apps.providers.registry import current_model
from apps.runs.conversation import Conversation
from apps.runs.management.conversing import conversing, terminal_on


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
        with conversing(terminal_on(self.stdout), user, session) as conversation:
            code = self._talk(conversation)
        sys.exit(code)

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
