"""Why an address was not fetched."""


class WebFault(Exception):
    """No page came of it. `key` names the words for it (words.py), `parts` fill them."""

    code = "WEB_FAILED"

    def __init__(self, key: str, **parts: object) -> None:
        super().__init__(key)
        self.key, self.parts = key, parts


class BadAddress(WebFault):
    """The address itself cannot be used."""

    code = "BAD_ARGUMENT"


class NotPublic(WebFault):
    """The host is not, or not only, on the internet."""

    code = "WEB_REFUSED"

    def __init__(self) -> None:
        super().__init__("not_public")
