"""Who acts, through which door, under which request: said once by a face, read by every record."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from apps.audit.channels import Channel

ActorKind = Literal["user", "token", "system", "agent"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who did it: the kind and the public id (empty for the system and for somebody not signed in)."""

    kind: ActorKind
    id: str = ""


SYSTEM = Actor("system")
AGENT = Actor("agent")
ANONYMOUS = Actor("user")


@dataclass(frozen=True, slots=True)
class Acting:
    """What is known about the present doer. The actor may be a function: who is signed in costs a query."""

    actor: Actor | Callable[[], Actor] = SYSTEM
    channel: Channel = "system"
    http_request: str = ""

    def resolved_actor(self) -> Actor:
        """Return the actor; asks the function if it is one."""
        return self.actor if isinstance(self.actor, Actor) else self.actor()


# No face around the call means that nobody but the product itself acts: a sweep, a worker, a migration.
BY_ITSELF = Acting()
_acting: ContextVar[Acting] = ContextVar("audit_acting", default=BY_ITSELF)


def current() -> Acting:
    """Return what was said by the innermost `acting`."""
    return _acting.get()


@contextmanager
def acting(actor: Actor | Callable[[], Actor], channel: Channel, http_request: str | None = None) -> Iterator[Acting]:
    """Let every record inside the block name this actor and channel; the HTTP request's id stays unless given.

    A task or thread started inside the block inherits it: a worker that is woken by a request says anew who acts.
    """
    said = Acting(actor, channel, current().http_request if http_request is None else http_request)
    token = _acting.set(said)
    try:
        yield said
    finally:
        _acting.reset(token)
