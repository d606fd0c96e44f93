"""What the commands that talk have in common: who speaks, where, in which language, and whether anybody can be asked."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from django.core.management.base import CommandError, OutputWrapper
from django.utils import translation

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.audit.context import acting
from apps.chat.models import ChatSession
from apps.common.setup import check_database, check_migrated, check_settings
from apps.runs import interfaces, services
from apps.runs.conversation import Conversation
from apps.runs.dispatch.own import OwnWorker
from apps.runs.errors import NotFound
from apps.runs.showing import Shown
from apps.runs.terminal import Terminal


@contextmanager
def conversing(
    terminal: Terminal, user: str, session: str = "", *, show: type[Shown] = Shown, is_asked: bool = True
) -> Iterator[Conversation]:
    """Check the installation, find user and session, and yield their conversation, driven by this very process.

    Questions are asked if there is a terminal, unless `is_asked` is False. Raises CommandError.
    """
    check_database()
    check_settings()
    check_migrated()
    speaker, language = user_named(user), language_of_environment()
    with ExitStack() as stack:
        stack.enter_context(translation.override("zh-hans" if language == "zh" else "en"))
        stack.enter_context(acting(actor_of(speaker), "cli"))
        if is_asked and sys.stdin.isatty():
            stack.enter_context(interfaces.registered("terminal"))
        worker = stack.enter_context(OwnWorker())
        yield Conversation(speaker, terminal, worker, language, session_named(speaker, session), show)


def terminal_on(stream: OutputWrapper, kind: type[Terminal] = Terminal) -> Terminal:
    """Return a terminal that reads what is typed and writes to the stream at once."""

    def write(text: str) -> None:
        stream.write(text, ending="")
        stream.flush()

    return kind(input, write)


def user_named(name: str) -> User:
    """Return the active user of this name, or the only one if no name is given. Raises CommandError."""
    active = User.objects.filter(is_active=True)
    found = list(active.filter(username=name) if name else active[:2])
    if len(found) == 1:
        return found[0]
    if name:
        raise CommandError(f"There is no active user named {name}.")
    raise CommandError("Name the user with --user." if found else "There is no user yet: start manage.py serve once.")


def session_named(user: User, public_id: str) -> ChatSession | None:
    """Return the user's session; None if no id is given. Raises CommandError."""
    if not public_id:
        return None
    try:
        return services.session_of(user, public_id)
    except NotFound as error:
        raise CommandError(error.message) from None


def language_of_environment() -> str:
    """Return the language of the person at the terminal: "en" or "zh"."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next((name for name in names if name), "").lower().startswith("zh") else "en"
