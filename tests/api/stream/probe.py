"""The product's ASGI application with addresses beside it that count what streams hold, and that write events."""

import asyncio
import json
import os
import threading
import time
from pathlib import Path
from typing import Any

from config.asgi import application as product  # isort: skip  (sets Django up)

from channels.db import database_sync_to_async
from django.db import connection, transaction

from apps.api.stream.slots import slots
from apps.events import hints
from apps.events.log import NewEvent, append


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer /probe, /bare and /append/<key of a session>; hand on everything else."""
    path = scope["path"] if scope["type"] == "http" else ""
    if path == "/probe":
        body = json.dumps(_counts()).encode()
    elif path == "/bare":
        body = b"{}"
    elif path.startswith("/append/"):
        body = b"%d" % await database_sync_to_async(_append)(int(path.removeprefix("/append/")))
    else:
        await product(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


def _append(session: int) -> int:
    with transaction.atomic():
        return append(session, [NewEvent("run_resumed", facts={"segment": 1})])


def _counts() -> dict[str, int]:
    return {
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
        "slots": slots.total,
        "topics": len(hints.topics()),
        "connections": _open_files(str(connection.settings_dict["NAME"])),
        "cpu_ms": int(time.process_time() * 1000),
        "kilobytes": int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024,
    }


def _open_files(name: str) -> int:
    """Count how often this process has the file open: on SQLite one file is one connection."""
    links = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    return sum(os.path.realpath(link) == os.path.realpath(name) for link in links)
