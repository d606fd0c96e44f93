"""Three problems to begin with: the built-in solver asks about the first one and the last."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True, slots=True)
class Example:
    """A problem to click, and what it shows."""

    problem: str
    shows: str


def examples() -> Sequence[Example]:
    """Return the examples in the language of the moment."""
    return (
        Example(_("solve x^2+1=0"), _("It asks: real or complex?")),
        Example(_("integrate x*sin(x)"), _("Solved and verified by differentiation")),
        Example(_("solve a*x+b=c"), _("It asks which letter is the unknown")),
    )
