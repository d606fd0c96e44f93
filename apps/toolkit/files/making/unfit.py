"""Why no file can be made of a content."""


class Unfit(Exception):
    """The content does not fit its kind; `key` names the words that say why to the model."""

    def __init__(self, key: str, **parts: int) -> None:
        super().__init__(key)
        self.key, self.parts = key, parts
