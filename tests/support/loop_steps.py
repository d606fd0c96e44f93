"""What a coroutine does on the thread of its event loop: how much in one go, and whether it waits there."""

import asyncio
import sys
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

FILES = frozenset({"stat", "lstat", "listdir", "scandir", "mkdir", "rmdir", "rename", "replace", "unlink", "link", "symlink"})
WAITING = {"posix": FILES, "time": {"sleep"}, "_io": {"open"}, "_socket": {"getaddrinfo", "gethostbyname"}}
"""By module, the calls that nothing on an event loop may make."""
DATABASES = ("_sqlite3", "sqlite3", "psycopg", "psycopg_binary")


@dataclass
class Steps:
    """What was seen. A step is what runs between two looks of the loop at what is ready."""

    longest: int = 0
    """Calls of functions in the longest step."""
    waited: set[str] = field(default_factory=set)
    """Calls that waited for a file, a name, a database, the clock."""
    _now: int = 0

    def see(self, frame: Any, event: str, called: Any) -> None:
        """Take what the interpreter tells of each call."""
        if event in ("call", "c_call"):
            self._now += 1
        if event == "c_call":
            self._see_inner(called)

    def _see_inner(self, called: Any) -> None:
        owner = getattr(called, "__module__", None) or type(getattr(called, "__self__", None)).__module__
        if called.__qualname__ == "epoll.poll":
            self.longest, self._now = max(self.longest, self._now), 0
        elif called.__name__ in WAITING.get(owner, ()) or owner.startswith(DATABASES):
            self.waited.add(f"{owner}.{called.__qualname__}")


async def watched[T](work: Coroutine[Any, Any, T]) -> tuple[Steps, T]:
    """Do the work; return what was seen of it, and what it came to."""
    steps = Steps()
    sys.setprofile(steps.see)
    try:
        result = await work
        await asyncio.sleep(0)  # one more look: the last step counts, too
    finally:
        sys.setprofile(None)
    return steps, result
