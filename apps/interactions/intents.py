"""The intents of this installation: what a question can be for, and what its card must show to be for it."""

from dataclasses import dataclass

from apps.interactions.contract import PLAN_REVIEW


@dataclass(frozen=True, slots=True)
class IntentKind:
    """One kind. Only a plan review has a card of its own; every other is put as its question, below its detail."""

    name: str
    needs_detail: bool = True
    """Whether there must be a text that is approved."""


_registered: dict[str, IntentKind] = {}


def register(kind: IntentKind) -> None:
    """Add a kind. Raises ValueError if its name is taken."""
    if kind.name in _registered:
        raise ValueError(f"The intent {kind.name} is registered already.")
    _registered[kind.name] = kind


register(IntentKind(PLAN_REVIEW))


def intent_kind(name: str) -> IntentKind | None:
    """Return the kind of this name."""
    return _registered.get(name)
