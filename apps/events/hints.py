"""Hints that something is new, by topic. A hint may get lost; the rows are the truth and the net (net.py) finds them.

Topics: ``session:<key>`` (events), ``text:<key>`` (the running text), ``user:<key>`` (what waits for a user), ``queue``.
"""

import asyncio
import threading
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

from django.db import transaction

QUEUE = "queue"


def session_topic(session_id: int) -> str:
    """Return the topic of a session's events."""
    return f"session:{session_id}"


def text_topic(session_id: int) -> str:
    """Return the topic of the text that is being written in a session."""
    return f"text:{session_id}"


def user_topic(user_id: int) -> str:
    """Return the topic of what waits for a user."""
    return f"user:{user_id}"


@dataclass(frozen=True, slots=True)
class Hint:
    """News of a topic. `note` is a public id: of the session that the news is in, if the teller knew it.

    `mark` is what the net read there (None: the teller did not say); who knows it already may ignore the hint.
    """

    topic: str
    note: str = ""
    mark: Hashable = None


@dataclass(frozen=True, slots=True, eq=False)
class Subscription:
    """Who wants hints of a topic: a function that is called on the event loop that it was given on."""

    topic: str
    callback: Callable[[Hint], None]
    loop: asyncio.AbstractEventLoop

    def tell(self, hint: Hint) -> None:
        """Call the function soon, on its own loop; from any thread."""
        try:
            self.loop.call_soon_threadsafe(self.callback, hint)
        except RuntimeError:
            # The loop is closed: its process is about to end.
            self.cancel()

    def cancel(self) -> None:
        """Want no more hints. A call that is already under way may still come."""
        with _lock:
            others = [each for each in _subscriptions.get(self.topic, ()) if each is not self]
            if others:
                _subscriptions[self.topic] = others
            else:
                _subscriptions.pop(self.topic, None)


_lock = threading.Lock()
_subscriptions: dict[str, list[Subscription]] = {}


def subscribe(topic: str, callback: Callable[[Hint], None]) -> Subscription:
    """Have `callback` called on the running loop at each hint of `topic`. Subscribe first, read the rows then."""
    from apps.events import net, relay

    subscription = Subscription(topic, callback, asyncio.get_running_loop())
    with _lock:
        _subscriptions.setdefault(topic, []).append(subscription)
    net.start()
    relay.start()
    return subscription


def topics() -> list[str]:
    """Return the topics that somebody in this process wants hints of."""
    with _lock:
        return list(_subscriptions)


def announce(topic: str, note: str = "") -> None:
    """Give a hint when the running transaction commits: in this process at once, in others through Redis."""
    # Robust: what goes wrong after the commit must not make a stored change look refused.
    transaction.on_commit(partial(_publish, Hint(topic, note)), robust=True)


def deliver(hint: Hint) -> None:
    """Tell those in this process who want to know; from any thread."""
    with _lock:
        wanted = tuple(_subscriptions.get(hint.topic, ()))
    for subscription in wanted:
        subscription.tell(hint)


def _publish(hint: Hint) -> None:
    from apps.events import relay

    deliver(hint)
    relay.send(hint)
