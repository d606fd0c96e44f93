"""How many questions wait for a user: counted by the app above that has them, shown by badges."""

from collections.abc import Callable, Mapping, Sequence

from apps.events import net

PendingCounts = Callable[[Sequence[int]], Mapping[int, int]]
"""Keys of users -> how many questions wait for each; a user for whom none waits may be left out."""


def _nobody_counts(users: Sequence[int]) -> Mapping[int, int]:
    raise LookupError("Nobody has registered how waiting questions are counted.")


_counts: PendingCounts = _nobody_counts


def register_pending_counts(counts: PendingCounts) -> None:
    """Say how the waiting questions are counted, for any number of users in one query."""
    global _counts
    _counts = counts
    net.register("user", counts)


def pending_count(user: int) -> int:
    """Return how many questions wait for the user."""
    return _counts([user]).get(user, 0)
