"""The product's ASGI application with one more address, which counts what the streams of its process hold."""

import asyncio
import json
import os
import threading
from pathlib import Path
from typing import Any

from django.db import connection

from apps.api.stream.slots import slots
from apps.events import hints
from config.asgi import application as product


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Answer /probe, hand on everything else."""
    if scope["type"] != "http" or scope["path"] != "/probe":
        await product(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": json.dumps(_counts()).encode()})


def _counts() -> dict[str, int]:
    return {
        "tasks": len(asyncio.all_tasks()),
        "threads": threading.active_count(),
        "slots": slots.total,
        "topics": len(hints.topics()),
        "connections": _open_files(str(connection.settings_dict["NAME"])),
        "kilobytes": int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024,
    }


def _open_files(name: str) -> int:
    """Count how often this process has the file open: on SQLite one file is one connection."""
    links = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    return sum(os.path.realpath(link) == os.path.realpath(name) for link in links)
