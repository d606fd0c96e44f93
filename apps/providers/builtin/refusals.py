"""Why a text is not computed: the reader raises these, and the model turns them into a question or an answer."""


class NotUnderstood(Exception):
    """Parts of the text have no meaning here, or are not used by the method: `parts` quotes them, never guesses.

    `hint` is the key of a sentence that helps to write it otherwise, or empty.
    """

    def __init__(self, *parts: str, hint: str = "") -> None:
        super().__init__("not understood")
        self.parts, self.hint = parts, hint


class TooLarge(Exception):
    """The formula is beyond a limit: `limit` is tokens, depth, exponent, factorial, digits or text."""

    def __init__(self, limit: str) -> None:
        super().__init__(limit)
        self.limit = limit


class OutOfReach(Exception):
    """The text asks for what this solver cannot do: `topic` names it (proof, geometry, statistics, differential …)."""

    def __init__(self, topic: str) -> None:
        super().__init__(topic)
        self.topic = topic
