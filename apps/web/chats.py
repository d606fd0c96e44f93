"""What the chat page shows besides its timeline: the state of the session and the card that waits in the dock."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.accounts.models import User
from apps.chat.models import ChatSession, Message, Run
from apps.interactions.models import Interaction
from apps.runs.selectors import last_run, pending_of
from apps.web.cards import Card, card_of
from apps.web.words import state_words


@dataclass(frozen=True, slots=True)
class State:
    """Where the session stands: the status of its last run (empty: it has none)."""

    run: Run | None

    @property
    def name(self) -> str:
        """The status."""
        return self.run.status if self.run else ""

    @property
    def words(self) -> str:
        """The status in words."""
        return state_words(self.name)

    @property
    def is_working(self) -> bool:
        """Whether the agent is at work."""
        return self.name in (Run.Status.QUEUED, Run.Status.RUNNING)

    @property
    def is_active(self) -> bool:
        """Whether there is something to stop."""
        return self.name in Run.ACTIVE

    @property
    def capability(self) -> str:
        """The capability of the last run: the next message is sent with it unless that is switched."""
        return self.run.capability if self.run else ""

    @property
    def tail(self) -> str:
        """The public id of the last run."""
        return self.run.public_id if self.run else ""


@dataclass(frozen=True, slots=True)
class Dock:
    """What stands at the foot of the chat: a card if one waits, and its neighbours, oldest first."""

    card: Card | None
    waiting: Sequence[Interaction]

    @property
    def revision(self) -> str:
        """What changes when the card in the page must be drawn anew."""
        return self.card.revision if self.card else ""

    @property
    def position(self) -> int:
        """The card's place among those that wait, from 1."""
        return next((place for place, row in enumerate(self.waiting, 1) if self.card and row.pk == self.card.row.pk), 0)

    @property
    def next(self) -> Interaction | None:
        """The card that the switch brings."""
        return self.waiting[self.position % len(self.waiting)] if len(self.waiting) > 1 else None


def erased_in(session: ChatSession) -> int:
    """Return how many of the user's messages were erased: a page that knows another number shows words that are no more."""
    return Message.objects.filter(run__session=session, role=Message.Role.USER, erased=True).count()


def state_of(session: ChatSession) -> State:
    """Return where the session stands."""
    return State(last_run(session))


def dock_of(user: User, session: ChatSession, wanted: str = "", card: Card | None = None) -> Dock:
    """Return the dock with the card wanted, if it waits, else the oldest one; `card` is one that was refused."""
    waiting = list(pending_of(user, session))
    if not waiting:
        return Dock(None, ())
    if card is None or all(row.pk != card.row.pk for row in waiting):
        card = card_of(next((row for row in waiting if row.public_id == wanted), waiting[0]))
    return Dock(card, waiting)
