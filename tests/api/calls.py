"""Every call of the API, for tests that hold for all of them."""

from dataclasses import dataclass, field
from typing import Any

from apps.interactions.models import Interaction
from tests.api.caller import Form, form_of
from tests.factories.files import make_artifact
from tests.factories.sources import make_source


@dataclass(frozen=True, slots=True)
class ApiCall:
    """A method of an address, the scope that a token needs for it, and a body that works."""

    method: str
    path: str
    scope: str
    body: dict[str, Any] | None = field(default=None, hash=False)
    form: Form | None = None

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def names_something(self) -> bool:
        """Say whether the call is about something that belongs to somebody."""
        return "{" in self.path or any("{" in str(value) for value in (self.body or {}).values())

    def filled(
        self, session: str, request: str, artifact: str = "art_" + "0" * 32, source: str = "src_" + "0" * 32
    ) -> tuple[str, str, Any]:
        """Return method, path and body with these ids."""
        ids = {"session": session, "request": request, "artifact": artifact, "source": source}
        body = {key: value.format(**ids) if isinstance(value, str) else value for key, value in (self.body or {}).items()}
        return self.method, self.path.format(**ids), self.form if self.body is None else body

    def about(self, card: Interaction) -> tuple[str, str, Any]:
        """Return method, path and body about a card, its session, a file of its call and one that is attached to it."""
        artifact = make_artifact(card.call).public_id if "{artifact}" in self.path else ""
        source = make_source(card.session).public_id if "{source}" in self.path else ""
        return self.filled(card.session.public_id, card.public_id, artifact, source)


_SESSION = {"sessionId": "{session}"}
CALLS = (
    ApiCall("POST", "/api/chat", "run", {**_SESSION, "message": "Hello", "onPending": "supersede"}),
    ApiCall("POST", "/api/chat/continue", "answer", {**_SESSION, "requestId": "{request}", "customInput": "blue"}),
    ApiCall("POST", "/api/chat/abort", "run", _SESSION),
    ApiCall("POST", "/api/chat/retry", "run", _SESSION),
    ApiCall("GET", "/api/interactions/pending", "read"),
    ApiCall("GET", "/api/interactions/pending?sessionId={session}", "read"),
    ApiCall("GET", "/api/interactions", "read"),
    ApiCall("GET", "/api/interactions?sessionId={session}", "read"),
    ApiCall("GET", "/api/interactions/{request}", "read"),
    ApiCall("PUT", "/api/interactions/{request}/draft", "answer", {"customInput": "bl"}),
    ApiCall("POST", "/api/interactions/{request}/extend", "answer", {"seconds": 60}),
    ApiCall("GET", "/api/sessions", "read"),
    ApiCall("POST", "/api/sessions", "run", {"title": "New"}),
    ApiCall("GET", "/api/sessions/{session}", "read"),
    ApiCall("PATCH", "/api/sessions/{session}", "run", {"title": "Renamed"}),
    ApiCall("DELETE", "/api/sessions/{session}", "run"),
    ApiCall("GET", "/api/sessions/{session}/messages", "read"),
    ApiCall("GET", "/api/sessions/{session}/events", "read"),
    ApiCall("GET", "/api/sessions/{session}/evidence", "read"),
    ApiCall("GET", "/api/sessions/{session}/plans", "read"),
    ApiCall("GET", "/api/artifacts/{artifact}", "read"),
    ApiCall("GET", "/api/sessions/{session}/sources", "read"),
    ApiCall("POST", "/api/sessions/{session}/sources", "run", form=form_of(("notes.txt", b"The pump is green."))),
    ApiCall("DELETE", "/api/sessions/{session}/sources/{source}", "run"),
    ApiCall("GET", "/api/capabilities", "read"),
    ApiCall("GET", "/api/v1/capabilities/settings", "read"),
    ApiCall("PUT", "/api/v1/capabilities/settings", "run", {}),
    ApiCall("GET", "/api/tools", "read"),
    ApiCall("GET", "/api/tools?sessionId={session}", "read"),
)
POSTS = tuple(call for call in CALLS if call.method == "POST")
WITH_BODY = tuple(call for call in CALLS if call.body is not None)
ABOUT_SOMETHING = tuple(call for call in CALLS if call.names_something)
