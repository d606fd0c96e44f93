"""Solve one problem by a plan: ``solve "PROBLEM" [--user NAME] [--json]``.

The run is driven by this very process. At a terminal the plan and the agent's questions are put to the person there;
without one, and with ``--json``, no plan is reviewed and nobody can be asked. ``--json`` prints the stored events, one
JSON object a line. Exit codes: 0 completed, 1 not completed, 2 wrong command line or environment, 3 a question could
not be asked.
"""

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from apps.common.text import clean_shown
from apps.runs.management.conversing import conversing, terminal_on
from apps.runs.showing import EventLines, Shown
from apps.runs.terminal import Terminal
from apps.solve.capability import DeepSolve


class _Notes(Terminal):
    """Keeps the output for events: what is said to people goes to standard error."""

    def say(self, text: str = "") -> None:
        """Write text."""
        sys.stderr.write(clean_shown(text) + "\n")


class Command(BaseCommand):
    """Exits with the code of the run; see the module's text."""

    help = "Solve one problem by a plan."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what is to be solved, and for whom."""
        parser.add_argument("problem", metavar="PROBLEM", help="what is to be solved")
        parser.add_argument("--user", metavar="NAME", default="", help="who asks; may be left out if there is one user only")
        parser.add_argument("--json", action="store_true", help="print the stored events, one JSON object a line")

    def handle(self, *args: Any, problem: str, user: str, json: bool, **options: Any) -> None:
        """Check, find the user, solve."""
        terminal = terminal_on(self.stdout, _Notes if json else Terminal)
        with conversing(terminal, user, show=EventLines if json else Shown, is_asked=not json) as conversation:
            code = conversation.send(problem, DeepSolve.name)
        sys.exit(code)
