"""Who holds how many streams of this process."""

from collections import Counter


class Slots:
    """Count streams a user. Used on one event loop only."""

    def __init__(self) -> None:
        self._taken: Counter[int] = Counter()

    def take(self, user_id: int, limit: int) -> bool:
        """Take a slot; return False if the user holds `limit` of them."""
        if self._taken[user_id] >= limit:
            return False
        self._taken[user_id] += 1
        return True

    def give_back(self, user_id: int) -> None:
        """Give one slot back."""
        self._taken[user_id] -= 1
        if not self._taken[user_id]:
            del self._taken[user_id]

    @property
    def total(self) -> int:
        """How many slots are taken by anybody."""
        return self._taken.total()


slots = Slots()
