"""The text of the rounds that run in this process, in memory: streams in the same process read it from here.

The runner calls these on the event loop that serves the streams; one round a session at a time.
"""

from dataclasses import dataclass

from apps.events import hints


@dataclass(slots=True, eq=False)
class RunningText:
    """The text so far of one round. It only grows, but for a start over, which `generation` counts."""

    run: int
    message_id: str
    text: str = ""
    generation: int = 0


_running: dict[int, RunningText] = {}


def begin(session: int, run: int, message_id: str, prefix: str = "") -> RunningText:
    """Begin a round whose turn will be stored under `message_id`; `prefix` is what an unfinished turn already said."""
    text = _running[session] = RunningText(run, message_id, prefix)
    _tell(session)
    return text


def delta(session: int, text: str) -> None:
    """Add a piece of text. Raises KeyError if no round has begun."""
    _running[session].text += text
    _tell(session)


def restart(session: int) -> None:
    """Forget the text so far: the round starts over. Raises KeyError if no round has begun."""
    running = _running[session]
    running.text = ""
    running.generation += 1
    _tell(session)


def end(session: int) -> None:
    """End the round, before the transaction that stores its turn: who connects later reads the turn itself."""
    _running.pop(session, None)


def current(session: int) -> RunningText | None:
    """Return the round that runs in this process; None if there is none."""
    return _running.get(session)


def _tell(session: int) -> None:
    hints.deliver(hints.Hint(hints.text_topic(session)))
