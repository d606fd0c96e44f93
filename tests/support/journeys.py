"""A person at a real server, by HTTP and raw streams, and the evidence that a journey leaves behind."""

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from tests.support.model_server import ModelServer
from tests.support.server import PASSWORD, ServerProcess
from tests.support.sse import StreamClient

Json = dict[str, Any]
ENDS = ("run_completed", "run_failed", "run_cancelled")
PATIENCE_SECONDS = 30
"""For what takes milliseconds on an idle machine."""


class Evidence:
    """A folder with what went over the wire: numbered requests and answers as bytes, the tool trace, the results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._exchanges = 0
        folder.mkdir(parents=True, exist_ok=True)

    @classmethod
    def of_test(cls, test: str, fallback: Path) -> "Evidence":
        """Return the evidence of a test: in HANDRAISE_EVIDENCE_DIR if that is set, else in the fallback."""
        folder = Path(os.environ.get("HANDRAISE_EVIDENCE_DIR") or fallback)
        return cls(folder / re.sub(r"\W+", "_", test).strip("_"))

    def keep(self, name: str, content: bytes) -> Path:
        """Write a file; return its path."""
        path = self.folder / name
        path.write_bytes(content)
        return path

    def keep_exchange(self, request: str, body: bytes, answer: bytes, kind: str) -> None:
        """Write a request without its token, and its answer. `kind` is the ending of the answer's file."""
        self._exchanges += 1
        self.keep(f"{self._exchanges:02}-request.http", f"{request}\r\n\r\n".encode() + body)
        self.keep(f"{self._exchanges:02}-answer.{kind}", answer)

    def streams(self) -> bytes:
        """Return the raw bytes of all streams, in their order."""
        return b"".join(path.read_bytes() for path in sorted(self.folder.glob("*-answer.sse")))

    def requests(self) -> list[bytes]:
        """Return the raw bodies of all requests, in their order."""
        return [path.read_bytes().partition(b"\r\n\r\n")[2] for path in sorted(self.folder.glob("*-request.http"))]


@dataclass
class Person:
    """A user with a bearer token; what is said and heard is kept if there is a place for evidence."""

    server: ServerProcess
    token: str
    evidence: Evidence | None = None

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """Send a request; a body that is no bytes is sent as JSON."""
        content = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        sent = {"Content-Type": "application/json"} | headers
        with self.server.client(self.token, **sent) as client:
            answer = client.request(method, path, content=content)
        self._keep(f"{method} {path}", content, answer.content, "json")
        return answer

    def get(self, path: str, **query: str) -> Any:
        """Return the JSON of a page that is there."""
        answer = self.call("GET", f"{path}?{httpx.QueryParams(query)}" if query else path, Accept="application/json")
        assert answer.status_code == 200, answer.text
        return answer.json()

    def start(self, message: str, **more: Any) -> str:
        """Start a run and return its session at once."""
        answer = self.call("POST", "/api/chat", {"message": message, **more})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["sessionId"])

    def chat(self, message: str, **more: Any) -> StreamClient:
        """Start a run; return its stream, read until the run rests."""
        return self._streamed("/api/chat", {"message": message, **more})

    def ask(self, message: str, **more: Any) -> Json:
        """Start a run that asks; return its oldest open card, which names its session."""
        return self.card(self.start(message, **more))

    def answer(self, card: Json, **body: Any) -> httpx.Response:
        """Submit an answer to a card."""
        return self.call("POST", "/api/chat/continue", submission(card, **body))

    def go_on(self, card: Json, **body: Any) -> StreamClient:
        """Submit an answer; return the stream, read until the run rests again."""
        return self._streamed("/api/chat/continue", submission(card, **body))

    def pending(self, session: str = "") -> list[Json]:
        """Return what waits for this person."""
        found = self.get("/api/interactions/pending", **({"sessionId": session} if session else {}))
        return list(found["pending"])

    def card(self, session: str) -> Json:
        """Wait for a card of the session; return the oldest one."""
        with self.events_of(session) as stream:
            stream.until(lambda event: event.kind == "run_paused", PATIENCE_SECONDS)
        return self.pending(session)[0]

    @contextmanager
    def events_of(self, session: str, after: int = 0) -> Iterator[StreamClient]:
        """Open the session's stream; its bytes are kept when the block ends."""
        path = f"/api/sessions/{session}/events?after={after}"
        with StreamClient(self.server.port, path, headers=self._auth()) as stream:
            yield stream
            self._keep(f"GET {path}", b"", bytes(stream.raw), "sse")

    def to_the_end(self, session: str, run: str = "") -> list[Json]:
        """Wait for the end of the session's run (its first one, if none is named); return all events so far."""
        with self.events_of(session) as stream:
            stream.until(lambda e: e.kind in ENDS and run in ("", e.data["runId"]), PATIENCE_SECONDS)
            return [event.data | {"type": event.kind} for event in stream.events if event.id]

    def proof(self, session: str) -> Json:
        """Return the evidence document of a session."""
        return dict(self.get(f"/api/sessions/{session}/evidence"))

    def at(self, server: ServerProcess) -> "Person":
        """Return this person at another server of the same installation."""
        return Person(server, self.token, self.evidence)

    def _streamed(self, path: str, body: Json) -> StreamClient:
        content = json.dumps(body).encode()
        with StreamClient(self.server.port, path, method="POST", headers=self._auth(), body=content) as stream:
            assert stream.status == 200, stream.raw.decode()
            stream.until_ended(PATIENCE_SECONDS)
        self._keep(f"POST {path}", content, bytes(stream.raw), "sse")
        return stream

    def _auth(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    def _keep(self, request: str, body: bytes, answer: bytes, kind: str) -> None:
        if self.evidence:
            self.evidence.keep_exchange(request, body, answer, kind)


def submission(card: Json, **body: Any) -> Json:
    """Return the body that answers a card."""
    return {"sessionId": card["sessionId"], "requestId": card["id"], **body}


def asked(stream: StreamClient) -> Json:
    """Return the card in a stream as the pending list shows it: without what all events have in common."""
    payload: Json = stream.until("user_input_required", PATIENCE_SECONDS).data
    return {key: value for key, value in payload.items() if key not in ("seq", "at")}


def results_everywhere(person: Person, model: ModelServer, session: str, key: str) -> dict[str, str]:
    """Return the result of each call by its id, the same text wherever it can be read; keep it and the tool trace.

    Compared are what the model received, the stream, the transcript and the evidence document.
    """
    proof = person.proof(session)
    stored = {call["toolCallId"]: call["result"]["content"] for call in proof["toolCalls"] if call["result"]}
    events = [event for event in person.get(f"/api/sessions/{session}/events")["results"] if event["type"] == "tool_result"]
    assert {event["toolCallId"]: event["content"] for event in events} == stored
    assert len(events) == len(stored), "a call has one result"
    messages = person.get(f"/api/sessions/{session}/messages")["results"]
    calls = [call for message in messages for call in message["toolCalls"] if call["result"]]
    assert {call["toolCallId"]: call["result"]["content"] for call in calls} == stored
    received = received_results(model, key)
    assert received.items() <= stored.items()
    if person.evidence:
        person.evidence.keep("trace.json", json.dumps(proof["toolCalls"], ensure_ascii=False, indent=1).encode())
        for call_id, content in received.items():
            person.evidence.keep(f"result-{call_id}.json", content.encode())
    return stored


def received_results(model: ModelServer, key: str) -> dict[str, str]:
    """Return the results in the last request that the model got, by the call's id."""
    messages = model.requests(key)[-1]["body"]["messages"]
    return {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"}


FURNISH = """
from django.core.management import call_command
from apps.accounts.models import User
from apps.accounts.tokens import make_token
call_command("migrate", verbosity=0)
for name in {names}:
    print(make_token(User.objects.create_user(name, password={password!r}), "journey")[1])
"""


def furnish(server: ServerProcess, *names: str) -> list[str]:
    """Migrate an installation and make users with PASSWORD, all in one process; return a token of each."""
    made = server.manage("shell", "-v", "0", "-c", FURNISH.format(names=names, password=PASSWORD))
    assert made.returncode == 0, made.stderr
    return made.stdout.split()


@dataclass(frozen=True)
class Installation:
    """A data folder with two users, made once and copied for each server; the tokens work in every copy."""

    data: Path
    ada: str
    bob: str

    @classmethod
    def make(cls, folder: Path) -> "Installation":
        """Make the folder."""
        server = ServerProcess(folder)
        return cls(server.data, *furnish(server, "ada", "bob"))

    def server(self, folder: Path, env: Mapping[str, str], settings: str = "config.settings") -> ServerProcess:
        """Return a server, not started, on a copy."""
        server = ServerProcess(folder, env, settings)
        shutil.copytree(self.data, server.data)
        return server


def model_environment(model: ModelServer) -> dict[str, str]:
    """Return the environment of a server that talks to this model, without limits on how often it is called."""
    return {
        "HANDRAISE_MODEL": "openai:scripted",
        "HANDRAISE_MODEL_BASE_URL": model.base_url,
        "HANDRAISE_MODEL_API_KEY": "key",
        "HANDRAISE_RATE_REQUESTS": "0",
        "HANDRAISE_RATE_RUNS": "0",
    }


@contextmanager
def browser(server: ServerProcess, name: str = "ada") -> Iterator[httpx.Client]:
    """Sign in with PASSWORD as a browser does; yield a client with the cookies and the token of the forms."""
    with server.client() as client:
        client.headers["X-CSRFToken"] = form_token(client.get("/sign-in/").text)
        entered = client.post("/sign-in/", data={"name": name, "password": PASSWORD})
        assert entered.status_code == 303, entered.status_code
        client.headers["X-CSRFToken"] = form_token(client.get("/new/").text)
        yield client


def form_token(page: str) -> str:
    """Return the token against forged requests that stands in a page's forms."""
    found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert found, "the page has no form"
    return found[1]
