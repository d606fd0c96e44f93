"""The net under the hints: one thread a process looks for news that no hint told of.

On SQLite it asks twenty times a second whether any other connection has committed (`PRAGMA data_version`, 3 us): that is
the hint between two processes there. And every two seconds it looks in any case. One query serves all topics of a
kind, however many streams are open.
"""

import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import batched

from django.db import connection

from apps.events import hints

logger = logging.getLogger(__name__)

WATCH_SECONDS = 0.05
NET_SECONDS = 2.0
_TOPICS_A_QUERY = 1000

Look = Callable[[Sequence[int]], Mapping[int, Hashable]]
"""Keys of one kind of topic -> a mark for each, which differs once there is news."""

_looks: dict[str, Look | None] = {}


def register(prefix: str, look: Look | None) -> None:
    """Say how news of the topics ``<prefix>:<key>`` is seen; None: by nothing but asking, so each look of the net is a hint.

    Topics that are not registered are not in the net.
    """
    _looks[prefix] = look


class Net(threading.Thread):
    """The thread; it ends by itself when nobody in this process wants hints any more."""

    def __init__(self) -> None:
        super().__init__(name="handraise-net", daemon=True)
        self._stop_now = threading.Event()
        self._seen: dict[str, Hashable] = {}
        self._version: int | None = None
        self._due = 0.0

    def run(self) -> None:
        """Watch until nobody wants hints."""
        try:
            while not self._stop_now.wait(WATCH_SECONDS) and not _ended(self):
                self._look_once()
        finally:
            connection.close()

    def stop(self) -> None:
        """End the thread; return when it has ended."""
        self._stop_now.set()
        self.join()

    def _look_once(self) -> None:
        try:
            if self._others_committed() or time.monotonic() >= self._due:
                self._due = time.monotonic() + NET_SECONDS
                self.sweep(hints.topics())
        except Exception as error:
            # The worker's edge: the database may be away, a look of another app may fail. The next look finds what
            # this one missed; a net that has died would find nothing. The text of the error may hold text of people.
            logger.warning("The net could not look: %s", type(error).__name__)
            connection.close()
            self._version = None

    def _others_committed(self) -> bool:
        if connection.vendor != "sqlite":
            return False
        with connection.cursor() as cursor:
            version = cursor.execute("PRAGMA data_version").fetchone()[0]
        changed = self._version not in (None, version)
        self._version = version
        return changed

    def sweep(self, topics: Iterable[str]) -> None:
        """Give a hint of every topic whose mark is another one than at the last sweep."""
        marks: dict[str, Hashable] = {}
        for prefix, same_prefix in _by_prefix(topics).items():
            look = _looks[prefix]
            if look is None:
                for topic in same_prefix:
                    hints.deliver(hints.Hint(topic))
            else:
                marks |= _marks(prefix, look, same_prefix)
        for topic, mark in marks.items():
            if topic not in self._seen or self._seen[topic] != mark:
                hints.deliver(hints.Hint(topic, mark=mark))
        self._seen = marks


def _by_prefix(topics: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for topic in topics:
        prefix = topic.partition(":")[0]
        if prefix in _looks:
            found[prefix].append(topic)
    return found


def _marks(prefix: str, look: Look, topics: Sequence[str]) -> dict[str, Hashable]:
    found: dict[str, Hashable] = {}
    for some in batched(topics, _TOPICS_A_QUERY):
        keys = [int(topic.removeprefix(f"{prefix}:")) for topic in some]
        marks = look(keys)
        found |= {topic: marks.get(key) for topic, key in zip(some, keys, strict=True)}
    return found


_lock = threading.Lock()
_net: Net | None = None


def start() -> None:
    """Start the thread unless it runs."""
    global _net
    with _lock:
        if _net is None or not _net.is_alive():
            _net = Net()
            _net.start()


def stop() -> None:
    """End the thread, if it runs, and wait for its end."""
    if _net is not None:
        _net.stop()


def _ended(net: Net) -> bool:
    """Say whether nobody wants hints any more; if so, whoever wants some next starts another thread."""
    global _net
    with _lock:
        if hints.topics():
            return False
        _net = None
        return True
