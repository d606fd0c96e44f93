"""A scripted model server over HTTP: stands where a hosted model would, strict about what it is sent.

    with ModelServer({"hello": [{"text": "Hello."}]}) as server:
        os.environ["HANDRAISE_MODEL_BASE_URL"] = server.base_url      # with HANDRAISE_MODEL=openai:scripted
        ...                                                           # the user writes "hi [[hello#k1]]"
        assert server.requests("k1")[0]["body"]["model"] == "scripted"
        assert server.problems == []

Scripts, tags and the fields of a step are those of `apps.providers.scripted`; more fields, for what only a wire has:

- ``gate_at``: n: after n deltas wait for `release(key)`; a key once released stays open
- ``deltas``: the deltas in place of those made of text and calls; ``raw_frames``: the body, streamed or not, piece by
  piece as text or bytes; ``{KEY}`` is replaced in both
- ``fault`` ``{"kind": "status", "status", "times", "retry_after"?, "message"?}``; ``cut`` closes in mid-stream; ``hang``
  says nothing until `release(key)`; ``empty`` answers 200 with an empty stream

Every request is checked by `model_rules.request_problem` and refused with 400 as hosted models do. `refuse` may be
given to refuse more: it gets the body and returns the words of a 400, or "".
"""

import json
import select
import socket
import sys
import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from apps.providers.scripted import Scene, Scripts, scripted_calls
from tests.support.model_rules import request_problem

Json = dict[str, Any]
LONGEST_GATE_SECONDS = 60.0
USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}


class ModelServer:
    """The server, in threads of this process, at a free port of 127.0.0.1. Close it, or use it as a context manager."""

    def __init__(
        self, scenarios: Mapping[str, Sequence[Json]] | None = None, *, refuse: Callable[[Json], str] = lambda body: ""
    ) -> None:
        self.scripts = Scripts(scenarios or {})
        self.refuse = refuse
        self._log: list[Json] = []
        self._changed = threading.Condition()
        self._gates: defaultdict[str, threading.Event] = defaultdict(threading.Event)
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.owner = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="model-server")
        self._thread.start()

    @property
    def base_url(self) -> str:
        """Return the address that a product is pointed at."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def problems(self) -> list[str]:
        """Return what was wrong with the requests so far; must be empty at the end of every test."""
        return [entry["problem"] for entry in self._log if entry["problem"]]

    def add(self, *steps: Json) -> str:
        """Register a script; return the name that was made up for it."""
        name = f"script-{uuid.uuid4().hex[:10]}"
        self.scripts.scenarios[name] = list(steps)
        return name

    def requests(self, key: str | None = None) -> list[Json]:
        """Return the log, or one key's part: ``key scenario step problem body headers closed_by_client``."""
        return [entry for entry in self._log if key is None or entry["key"] == key]

    def wait_for(self, key: str, count: int = 1, seconds: float = 20.0) -> Json:
        """Wait until the key has made so many requests; return the last of these. Raises AssertionError."""
        with self._changed:
            came = self._changed.wait_for(lambda: len(self.requests(key)) >= count, seconds)
        assert came, f"{len(self.requests(key))} of {count} requests for {key} came"
        return self.requests(key)[count - 1]

    def wait_until_closed(self, key: str, seconds: float = 5.0) -> None:
        """Wait until the client has closed the key's last request before its end. Raises AssertionError."""
        with self._changed:
            closed = self._changed.wait_for(lambda: self.requests(key)[-1]["closed_by_client"], seconds)
        assert closed, f"the client still reads the answer for {key}"

    def release(self, key: str) -> None:
        """Open the key's gate, now and for later steps."""
        self._gates[key].set()

    def close(self) -> None:
        """Open all gates, end the server."""
        for gate in list(self._gates.values()):
            gate.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def record(self, scene: Scene, body: Json, headers: Json) -> Json:
        """Write a request to the log; return its entry."""
        entry = {"key": scene.key, "scenario": scene.scenario, "step": scene.index, "body": body, "headers": headers}
        entry |= {"problem": request_problem(body), "closed_by_client": False}
        with self._changed:
            self._log.append(entry)
            self._changed.notify_all()
        return entry

    def wait_at_gate(self, entry: Json, connection: socket.socket) -> None:
        """Wait until the key is released; raise ConnectionResetError when the client goes away before."""
        gate, until = self._gates[entry["key"]], time.monotonic() + LONGEST_GATE_SECONDS
        while not gate.wait(0.02) and time.monotonic() < until:
            if select.select([connection], [], [], 0)[0] and not connection.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError

    def mark_closed(self, entry: Json) -> None:
        """Note that the client did not read to the end."""
        with self._changed:
            entry["closed_by_client"] = True
            self._changed.notify_all()


class _Server(ThreadingHTTPServer):
    owner: ModelServer
    request_queue_size = 256
    daemon_threads = True
    # Kept connections wait for further requests for ever; closing must not wait for them.
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that went away: tests kill them on purpose."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    """One connection. Chunked HTTP/1.1, kept alive."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        """Answer a request for a chat completion."""
        owner = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        scene = owner.scripts.scene(body["messages"])
        entry = owner.record(scene, body, dict(self.headers))
        if problem := entry["problem"] or owner.refuse(body):
            return self._json(400, {"error": {"message": problem, "type": "invalid_request_error"}})
        try:
            self._play(scene, entry, owner.scripts.fault(scene))
        except ConnectionError:
            owner.mark_closed(entry)
            self.close_connection = True

    def _play(self, scene: Scene, entry: Json, fault: Mapping[str, Any]) -> None:
        kind = fault.get("kind")
        if kind == "status":
            headers = {"Retry-After": str(fault["retry_after"])} if "retry_after" in fault else {}
            return self._json(fault["status"], {"error": {"message": fault.get("message", "scripted")}}, headers)
        if kind == "hang":
            self.server.owner.wait_at_gate(entry, self.connection)
        if "raw_frames" not in scene.step and not entry["body"].get("stream"):
            return self._json(200, _whole(scene))
        self._begin_stream()
        if "raw_frames" in scene.step or kind == "empty":
            return self._raw(scene.step.get("raw_frames", ()), scene.key)
        return self._stream(scene, entry, is_cut=kind == "cut")

    def _stream(self, scene: Scene, entry: Json, *, is_cut: bool) -> None:
        deltas = _deltas(scene)
        shown = deltas[: max(2, len(deltas) // 2)] if is_cut else deltas
        for position, delta in enumerate(shown):
            if position == scene.step.get("gate_at"):
                self.server.owner.wait_at_gate(entry, self.connection)
            self._event({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
            time.sleep(scene.step.get("delay", 0))
        if scene.step.get("gate_at", -1) >= len(shown):
            self.server.owner.wait_at_gate(entry, self.connection)
        if is_cut:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self._event({"choices": [{"index": 0, "delta": {}, "finish_reason": _finish(scene)}]})
        if (entry["body"].get("stream_options") or {}).get("include_usage"):
            self._event({"choices": [], "usage": USAGE})
        self._chunk(b"data: [DONE]\n\n")
        self._chunk(b"")

    def _raw(self, frames: Sequence[str | bytes], key: str) -> None:
        for frame in frames:
            piece = frame if isinstance(frame, bytes) else frame.encode()
            self._chunk(piece.replace(b"{KEY}", key.encode()))
            # Pieces must leave one by one: frames cut in two are what this is for.
            time.sleep(0.005)
        self._chunk(b"")

    def _begin_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _event(self, frame: Json) -> None:
        frame = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 1, "model": "scripted", **frame}
        self._chunk(b"data: " + json.dumps(frame, ensure_ascii=True).encode() + b"\n\n")

    def _chunk(self, piece: bytes) -> None:
        self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.flush()

    def _json(self, status: int, content: Json, headers: Mapping[str, str] | None = None) -> None:
        piece = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(piece)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(piece)


def _finish(scene: Scene) -> str:
    has_calls = any("tool_calls" in delta for delta in _deltas(scene))
    return str(scene.step.get("finish", "tool_calls" if has_calls else "stop"))


def _deltas(scene: Scene) -> list[Json]:
    step = scene.step
    if "deltas" in step:
        deltas: list[Json] = json.loads(json.dumps(step["deltas"]).replace("{KEY}", scene.key))
        return deltas
    size, text = step.get("chunk", 12), step.get("text") or ""
    deltas = [{"role": "assistant", "content": "", **step.get("extras", {})}]
    deltas += [{"content": text[start : start + size]} for start in range(0, len(text), size)]
    for index, call in enumerate(scripted_calls(scene)):
        arguments, function = call["arguments"], {"name": call["name"], "arguments": ""}
        deltas.append({"tool_calls": [{"index": index, "id": call["id"], "type": "function", "function": function}]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": arguments[start : start + size]}}]}
            for start in range(0, len(arguments), size)
        ]
    return deltas


def _whole(scene: Scene) -> Json:
    calls = [
        {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": call["arguments"]}}
        for call in scripted_calls(scene)
    ]
    message = {"role": "assistant", "content": scene.step.get("text"), **scene.step.get("extras", {})}
    message |= {"tool_calls": calls} if calls else {}
    choice = {"index": 0, "message": message, "finish_reason": _finish(scene)}
    return {"id": "chatcmpl-scripted", "object": "chat.completion", "created": 1, "choices": [choice], "usage": USAGE}
