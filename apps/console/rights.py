"""What staff may do in the console, and the four roles that come with it."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from django.http import HttpRequest
from django.utils.translation import gettext_noop

APP = "console"


class Right(StrEnum):
    """One right: the codename of a permission of this app."""

    VIEW = "view_history"
    REVEAL = "reveal_answer"
    EXPORT = "export_records"
    EVIDENCE = "export_evidence"
    ERASE = "erase_data"
    RECOVER = "recover"
    PEOPLE = "manage_people"
    SETTINGS = "change_settings"

    @property
    def permission(self) -> str:
        """The permission as Django names it."""
        return f"{APP}.{self.value}"


NAMES: Mapping[Right, str] = {
    Right.VIEW: gettext_noop("See sessions, runs, interactions and audit records, texts masked"),
    Right.REVEAL: gettext_noop("Reveal an answer, with a reason"),
    Right.EXPORT: gettext_noop("Export records"),
    Right.EVIDENCE: gettext_noop("Export evidence and the data of users, with their texts"),
    Right.ERASE: gettext_noop("Erase data"),
    Right.RECOVER: gettext_noop("Close, extend and queue again what is stuck"),
    Right.PEOPLE: gettext_noop("Manage users, groups and tokens"),
    Right.SETTINGS: gettext_noop("Change settings"),
}
"""In English, as the database keeps them; translated where they are shown."""

ROLES: Mapping[str, Sequence[Right]] = {
    "auditor": (Right.VIEW,),
    "privacy officer": (Right.VIEW, Right.REVEAL, Right.EXPORT, Right.EVIDENCE, Right.ERASE),
    "operator": (Right.VIEW, Right.RECOVER),
    "admin": (Right.VIEW, Right.RECOVER, Right.PEOPLE, Right.SETTINGS),
}
"""The groups that the first migration makes. Afterwards they are the installation's own."""


def may(request: HttpRequest, *rights: Right) -> bool:
    """Say whether who is signed in has one of these rights."""
    return request.user.is_staff and any(request.user.has_perm(right.permission) for right in rights)
