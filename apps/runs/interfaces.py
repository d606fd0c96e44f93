"""The interfaces through which people can answer questions: each registers once, by name, while it is there."""

from collections.abc import Iterator
from contextlib import contextmanager

_registered: set[str] = set()


class DuplicateProvider(RuntimeError):
    """An interface of this name can answer already: two of them would show the same card twice."""

    code = "DUPLICATE_PROVIDER"


@contextmanager
def registered(name: str) -> Iterator[None]:
    """Let the interface answer questions inside the block. Raises DuplicateProvider."""
    if name in _registered:
        raise DuplicateProvider(f"An interface named {name} is registered already.")
    _registered.add(name)
    try:
        yield
    finally:
        _registered.discard(name)


def can_ask() -> str:
    """Return what a new run is told: empty, or the code that its asks get because nobody could answer them."""
    return "" if _registered else "NO_PROVIDER"
