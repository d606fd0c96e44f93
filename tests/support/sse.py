"""A reader of server-sent events over a raw socket, true to the WHATWG specification. It keeps every byte."""

import json
import socket
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

HEAD_END = b"\r\n\r\n"


@dataclass(frozen=True)
class Event:
    """One event as the parser understands it; `id` only if its own block had an id line."""

    kind: str
    id: str | None
    text: str

    @property
    def data(self) -> Any:
        """The data, decoded."""
        return json.loads(self.text)


class Parser:
    """Turn bytes into events: lines end at CR LF, LF or CR; an empty line ends a block; a colon begins a comment."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.comments: list[str] = []
        self.fields: list[str] = []
        self._line, self._after_cr = bytearray(), False
        self._kind, self._id, self._data = "", None, []

    def feed(self, received: bytes) -> None:
        """Take further bytes, cut anywhere."""
        for byte in received:
            if byte == 10 and self._after_cr:
                self._after_cr = False
                continue
            self._after_cr = byte == 13
            if byte in (10, 13):
                self._take(self._line.decode())
                self._line.clear()
            else:
                self._line.append(byte)

    def _take(self, line: str) -> None:
        name, _, value = line.partition(":")
        if not line:
            self._dispatch()
        elif not name:
            self.comments.append(value.strip())
        else:
            self.fields.append(name)
            self._field(name, value.removeprefix(" "))

    def _field(self, name: str, value: str) -> None:
        if name == "event":
            self._kind = value
        elif name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value

    def _dispatch(self) -> None:
        if self._data:
            self.events.append(Event(self._kind or "message", self._id, "\n".join(self._data)))
        self._kind, self._id, self._data = "", None, []


class Chunks:
    """Undo ``Transfer-Encoding: chunked``, fed with bytes cut anywhere."""

    def __init__(self) -> None:
        self.ended = False
        self._waiting = b""

    def feed(self, received: bytes) -> bytes:
        """Take further bytes; return those of whole chunks."""
        self._waiting += received
        body = b""
        while not self.ended and b"\r\n" in self._waiting:
            size_line, rest = self._waiting.split(b"\r\n", 1)
            size = int(size_line, 16)
            if len(rest) < size + 2:
                break
            body += rest[:size]
            self._waiting, self.ended = rest[size + 2 :], size == 0
        return body


class StreamClient:
    """One HTTP request whose answer is read as a stream. `seconds` below are limits, never waits."""

    def __init__(
        self, port: int, path: str, *, method: str = "GET", headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> None:
        self.parser, self.raw, self.ended = Parser(), bytearray(), False
        self._chunks: Chunks | None = None
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self._socket.sendall(_request(port, path, method, headers or {}, body))
        self._read_head()

    @property
    def events(self) -> list[Event]:
        """The events so far."""
        return self.parser.events

    def kinds(self) -> list[str]:
        """The kinds of the events so far."""
        return [event.kind for event in self.events]

    def until(self, wanted: str | Callable[[Event], bool], seconds: float = 10) -> Event:
        """Read until the first event (of all so far) of this kind, or for which this is true. Raises AssertionError."""
        test = wanted if callable(wanted) else lambda event: event.kind == wanted
        deadline = time.monotonic() + seconds
        while not (found := [event for event in self.events if test(event)]):
            assert self._pump(deadline), f"no such event; {self.status}, seen {self.kinds()}, ended: {self.ended}"
        return found[0]

    def until_comments(self, count: int, seconds: float = 10) -> None:
        """Read until so many comments have come since the beginning. Raises AssertionError."""
        deadline = time.monotonic() + seconds
        while len(self.parser.comments) < count:
            assert self._pump(deadline), f"{len(self.parser.comments)} comments; ended: {self.ended}"

    def until_ended(self, seconds: float = 10) -> list[Event]:
        """Read until the server ends the stream; return all events."""
        deadline = time.monotonic() + seconds
        while not self.ended:
            assert self._pump(deadline) or self.ended, f"still open; seen {self.kinds()}"
        return self.events

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    @staticmethod
    def reset_after(port: int, request: bytes) -> None:
        """Send a request and leave with a TCP reset before the answer, as a client does that crashes."""
        with socket.create_connection(("127.0.0.1", port), timeout=10) as client:
            client.sendall(request)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_head(self) -> None:
        received = b""
        while HEAD_END not in received:
            received += self._receive(time.monotonic() + 10)
            assert not self.ended, "the connection was closed before an answer"
        head, rest = received.split(HEAD_END, 1)
        first, *lines = head.decode("latin-1").split("\r\n")
        self.status = int(first.split()[1])
        self.headers = {name.lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}
        if self.headers.get("transfer-encoding") == "chunked":
            self._chunks = Chunks()
        self._take(rest)

    def _pump(self, deadline: float) -> bool:
        if self.ended or not (received := self._receive(deadline)):
            return False
        self._take(received)
        return True

    def _receive(self, deadline: float) -> bytes:
        self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
        try:
            received = self._socket.recv(65536)
        except TimeoutError:
            return b""
        self.ended = not received
        return received

    def _take(self, received: bytes) -> None:
        body = self._chunks.feed(received) if self._chunks else received
        self.raw += body
        if self._chunks:
            self.ended = self.ended or self._chunks.ended
        else:
            self.ended = self.ended or len(self.raw) >= int(self.headers.get("content-length", "9" * 12))
        if self.headers.get("content-type", "").startswith("text/event-stream"):
            self.parser.feed(body)


def _request(port: int, path: str, method: str, headers: Mapping[str, str], body: bytes) -> bytes:
    sent = {"Host": f"127.0.0.1:{port}", "Accept": "text/event-stream", **headers}
    if body:
        sent |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    lines = "".join(f"{name}: {value}\r\n" for name, value in sent.items())
    return f"{method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + body
