"""Every address of the console: who may come, and what they get. A test compares it with the addresses that there are."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from apps.console.rights import ROLES, Right

ROLE_NAMES = ("none", *ROLES)
NOBODY: tuple[Right, ...] = ()
ANYBODY = tuple(Right)
VIEW, PEOPLE, SETTINGS = (Right.VIEW,), (Right.PEOPLE,), (Right.SETTINGS,)


@dataclass(frozen=True, slots=True)
class Address:
    """A method of an address: the rights of which one is needed, and the status for who has it.

    `path` is what is tried; `pattern` is how the address is declared. A superuser has every right, but what is nobody's.
    """

    method: str
    pattern: str
    path: str
    rights: tuple[Right, ...]
    status: int = 200
    body: dict[str, str] = field(default_factory=dict, hash=False)
    is_open: bool = False
    """For whoever is signed in."""

    def __str__(self) -> str:
        return f"{self.method} {self.pattern}"

    def expected(self, role: str) -> int:
        """Return the status that a member of the staff gets."""
        if self.is_open:
            return self.status
        if role == "superuser":
            return self.status if self.rights else 403
        return self.status if set(self.rights) & set(ROLES.get(role, ())) else 403


HISTORY = {
    "chat/chatsession": "{session}",
    "chat/run": "{run}",
    "interactions/interaction": "{answered}",
    "solve/solveplan": "{plan}",
    "toolkit/source": "{source}",
    "audit/auditrecord": "{session}.1",
    "accounts/apitoken": "{token}",
}
EXPORTED = tuple(model for model in HISTORY if model != "accounts/apitoken")
FORMS = ("chat/capabilitysettings", "audit/retention")
PEOPLES = {"accounts/user": "{user}", "auth/group": "operator"}
REASON = {"reason": "asked by the user"}


def _stock(model: str, reference: str, look: tuple[Right, ...], add: tuple[Right, ...]) -> Iterator[Address]:
    """Yield the stock addresses: a list, pages to look at, and what would change something."""
    row = "<path:object_id>/"
    yield Address("GET", f"{model}/", f"{model}/", look)
    yield Address("GET", f"{model}/{row}", f"{model}/{reference}/", ANYBODY, 302)
    yield Address("GET", f"{model}/{row}change/", f"{model}/{reference}/change/", look)
    yield Address("GET", f"{model}/{row}history/", f"{model}/{reference}/history/", look, 302)
    yield Address("GET", f"{model}/add/", f"{model}/add/", add)
    yield Address("GET", f"{model}/{row}delete/", f"{model}/{reference}/delete/", NOBODY)
    yield Address("POST", f"{model}/{row}delete/", f"{model}/{reference}/delete/", NOBODY, body={"post": "yes"})
    yield Address("POST", f"{model}/{row}history/", f"{model}/{reference}/history/", NOBODY)


def _history(model: str, reference: str) -> Iterator[Address]:
    yield from _stock(model, reference, VIEW, NOBODY)
    bulk = {"action": "delete_selected", "_selected_action": "1", "index": "0"}
    yield Address("POST", f"{model}/", f"{model}/", NOBODY, body=bulk)
    yield Address("POST", f"{model}/add/", f"{model}/add/", NOBODY)
    yield Address("POST", f"{model}/<path:object_id>/change/", f"{model}/{reference}/change/", NOBODY)
    if model in EXPORTED:
        yield Address("POST", f"{model}/export/", f"{model}/export/", (Right.EXPORT,), body={"format": "csv"})


def _form(model: str) -> Iterator[Address]:
    for address in _stock(model, "drafts", (Right.VIEW, Right.SETTINGS), NOBODY):
        is_page = address.pattern.endswith("change/") and address.method == "GET"
        yield Address(address.method, address.pattern, address.path, address.rights, 302 if is_page else address.status)
    yield Address("POST", f"{model}/", f"{model}/", SETTINGS, 302)
    yield Address("POST", f"{model}/add/", f"{model}/add/", NOBODY)
    yield Address("POST", f"{model}/<path:object_id>/change/", f"{model}/drafts/change/", NOBODY)


def _people(model: str, reference: str) -> Iterator[Address]:
    look = (Right.VIEW, Right.PEOPLE) if model == "accounts/user" else PEOPLE
    yield from _stock(model, reference, look, PEOPLE)
    yield Address("POST", f"{model}/add/", f"{model}/add/", PEOPLE)
    yield Address("POST", f"{model}/<path:object_id>/change/", f"{model}/{reference}/change/", PEOPLE)


def _own() -> Iterator[Address]:
    """Yield the addresses that only this console has."""
    session, run = "chat/chatsession/<str:object_id>/", "chat/run/<str:object_id>/"
    ask, user, token = (
        f"{model}/<str:object_id>/" for model in ("interactions/interaction", "accounts/user", "accounts/apitoken")
    )
    yield Address("GET", "", "", ANYBODY)
    yield Address("GET", "jsi18n/", "jsi18n/", ANYBODY)
    yield Address("GET", "login/", "login/", ANYBODY, 302, is_open=True)
    yield Address("POST", "logout/", "logout/", ANYBODY, 302)
    yield Address("GET", "^(?P<app_label>", "chat/", ANYBODY, 302)
    yield Address("GET", "(?P<url>.*)$", "nothing-here/", ANYBODY, 404)
    yield Address("GET", f"{session}events/", "chat/chatsession/{session}/events/", VIEW)
    yield Address("GET", f"{session}verify/", "chat/chatsession/{session}/verify/", VIEW)
    yield Address("POST", f"{session}events/", "chat/chatsession/{session}/events/", NOBODY)
    yield Address("POST", f"{session}verify/", "chat/chatsession/{session}/verify/", NOBODY)
    yield Address("POST", f"{session}evidence/", "chat/chatsession/{session}/evidence/", VIEW)
    yield Address("POST", f"{session}chain-key/", "chat/chatsession/{session}/chain-key/", (Right.EVIDENCE,), body=REASON)
    cancel = REASON | {"act": "cancel"}
    yield Address("POST", f"{run}recover/", "chat/run/{run}/recover/", (Right.RECOVER,), 302, cancel)
    yield Address("POST", f"{ask}reveal/", "interactions/interaction/{answered}/reveal/", (Right.REVEAL,), body=REASON)
    yield Address("POST", f"{ask}recover/", "interactions/interaction/{open}/recover/", (Right.RECOVER,), 302, cancel)
    yield Address("GET", "audit/auditrecord/<str:object_id>/verify/", "audit/auditrecord/{session}.1/verify/", VIEW)
    yield Address("GET", "audit/auditrecord/anchors/", "audit/auditrecord/anchors/", VIEW)
    yield Address("POST", "audit/auditrecord/anchors/", "audit/auditrecord/anchors/", NOBODY)
    yield Address("POST", f"{user}export-data/", "accounts/user/{user}/export-data/", (Right.EVIDENCE,), body=REASON)
    erase = REASON | {"name": "ada"}
    yield Address("POST", f"{user}erase-data/", "accounts/user/{user}/erase-data/", (Right.ERASE,), 302, erase)
    yield Address("POST", f"{user}sign-in-link/", "accounts/user/{user}/sign-in-link/", PEOPLE)
    yield Address("POST", f"{token}revoke/", "accounts/apitoken/{token}/revoke/", PEOPLE, 302)


ADDRESSES = (
    *(address for model, reference in HISTORY.items() for address in _history(model, reference)),
    *(address for model in FORMS for address in _form(model)),
    *(address for model, reference in PEOPLES.items() for address in _people(model, reference)),
    *_own(),
)
