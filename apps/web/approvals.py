"""A call that waits to be allowed, as templates draw it: the tool, its exact arguments, the files that they name."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from apps.common.layout import SHOWN
from apps.interactions.approvals import named_arguments, shown_arguments
from apps.interactions.models import Interaction


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument; a text stands as it was written, everything else as JSON."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class CallFile:
    """A file that the arguments name, as it was when the card was made."""

    path: str
    sha256: str

    @property
    def is_missing(self) -> bool:
        """Whether there was no such file to read."""
        return not self.sha256


@dataclass(frozen=True, slots=True)
class ApprovalForm:
    """The part of a card that is a call. `whole` is its arguments as one text, for those that are no object.

    `is_cut`: of the arguments only the beginning is there.
    """

    tool: str
    effect: str
    arguments: Sequence[Argument]
    whole: str
    files: Sequence[CallFile]
    feedback: str
    is_cut: bool = False

    @property
    def in_short(self) -> "ApprovalForm":
        """The same call with so much of its arguments as a timeline shows of one that was decided on."""
        if sum(len(each.name) + len(each.text) for each in self.arguments) + len(self.whole) <= SHOWN:
            return self
        return replace(self, arguments=list(_beginning(self.arguments)), whole=self.whole[:SHOWN], is_cut=True)


def _beginning(arguments: Sequence[Argument]) -> Iterator[Argument]:
    """Yield arguments until enough is shown, the last of them cut."""
    left = SHOWN
    for each in arguments:
        if left <= 0:
            return
        yield replace(each, name=each.name[:left], text=each.text[:left])
        left -= len(each.name) + len(each.text)


def approval_form(row: Interaction, body: Mapping[str, Any]) -> ApprovalForm:
    """Return the form of an approval card, filled in with what a draft or a refused form holds."""
    arguments = [Argument(name, text) for name, text in named_arguments(row.call.arguments)]
    return ApprovalForm(
        tool=row.call.name,
        effect=effect_words(row.payload.get("effect", "")),
        arguments=arguments,
        whole="" if arguments else shown_arguments(row.call.arguments),
        files=[CallFile(file["path"], file["sha256"]) for file in row.payload.get("files", ())],
        feedback=str(body.get("feedback") or ""),
    )


def effect_words(effect: str) -> str:
    """Return what a tool does to the world, in words."""
    words = {
        "read": _("It reads, and changes nothing."),
        "compute": _("It computes; nothing outside of this chat changes."),
        "write": _("It changes files."),
        "outside": _("It acts outside of this application, and that cannot be taken back."),
    }
    return words.get(effect, _("What it does is not declared."))


def approval_title(tool: str) -> str:
    """Return the heading of an approval card."""
    return _("Allow %(tool)s?") % {"tool": tool}


def decision_words(decision: str) -> str:
    """Return what was decided, as the face of a receipt."""
    return _("Allowed") if decision == "approve" else _("Not allowed")


def approval_lines(answer: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Return the choices of an approval card, each with whether it was taken."""
    decision = answer.get("decision", "")
    return [(_("Allow once"), decision == "approve"), (_("Deny"), decision == "deny")]
