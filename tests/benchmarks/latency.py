"""POST of an answer to the first event that follows, over real HTTP, beside the bare floor in the same run.

latency.py [--reps N] [--floor BENCH_FOLDER]: the floor is the peers' bare Django and Daphne application. One JSON line.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support.server import ServerProcess

QUESTIONS = 20


def script() -> dict[str, Any]:
    """Return a script that asks as often as a run may."""
    asks = [{"id": f"q{n}", "name": "ask_user", "arguments": {"title": f"{n}?", "mode": "text"}} for n in range(QUESTIONS)]
    return {"ask": [*({"calls": [ask]} for ask in asks), {"text": "Done."}]}


def first_event(client: Any, body: dict[str, Any]) -> tuple[float, list[dict[str, Any]]]:
    """POST an answer and read its stream; return the milliseconds to the first event, and all events."""
    began, first, events = time.perf_counter(), 0.0, []
    with client.stream("POST", "/api/chat/continue", json=body, headers={"Accept": "text/event-stream"}) as response:
        for line in response.iter_lines():
            if line.startswith("data:"):
                first = first or (time.perf_counter() - began) * 1e3
                events.append(json.loads(line[5:]))
    return first, events


def measure(reps: int, folder: Path) -> list[float]:
    """Answer one question after the other; return the milliseconds of each."""
    path = folder / "script.json"
    path.write_text(json.dumps(script()), "utf-8")
    server = ServerProcess(
        folder, {"HANDRAISE_MODEL": f"scripted:{path}", "HANDRAISE_RATE_REQUESTS": "0", "HANDRAISE_RATE_RUNS": "0"}
    )
    try:
        server.start()
        server.make_user()
        with server.client(server.make_token()) as client:
            return _answers(client, reps)
    finally:
        server.close()


def _answers(client: Any, reps: int) -> list[float]:
    times: list[float] = []
    config = {"max_rounds": 50}
    while len(times) < reps:
        body = {"message": f"go [[ask#k{len(times)}]]", "config": config}
        session = client.post("/api/chat", json=body).json()["sessionId"]
        card = _card(client, session)
        while card and len(times) < reps:
            took, events = first_event(client, {"sessionId": session, "requestId": card, "customInput": "x"})
            times.append(took)
            card = next((e["id"] for e in events if "mode" in e), "")
    return times


def _card(client: Any, session: str) -> str:
    while True:
        pending = client.get(f"/api/interactions/pending?sessionId={session}").json()["pending"]
        if pending:
            return str(pending[0]["id"])


def floor(bench: Path, reps: int) -> dict[str, Any]:
    """Run the peers' floor with this interpreter; return its line."""
    command = [sys.executable, str(bench / "web_floor.py"), "--reps", str(reps)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=bench, check=True)
    return dict(json.loads(done.stdout))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])  # type: ignore[union-attr]
    parser.add_argument("--reps", type=int, default=200)
    parser.add_argument("--floor", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = sorted(measure(args.reps + 20, Path(folder))[20:])
    line: dict[str, Any] = {
        "bench": "answer to first event",
        "unit": "ms",
        "p50": round(statistics.median(times), 2),
        "p95": round(times[int(len(times) * 0.95)], 2),
    }
    if args.floor:
        bare = floor(args.floor, args.reps)["answer_to_first_event"]
        line |= {"floor_p50": bare["p50"], "ratio_p50": round(line["p50"] / bare["p50"], 2)}
    print(json.dumps(line))


if __name__ == "__main__":
    main()
