"""The worker's door: one content in, the bytes of one file out. Imported by the worker process only."""

import base64
from collections.abc import Callable
from typing import Any

from apps.toolkit.files.making.cells import csv_of, rows_of
from apps.toolkit.files.making.pdf import pdf_of
from apps.toolkit.files.making.unfit import Unfit
from apps.toolkit.files.making.xlsx import xlsx_of

MAX_FILE = 2 << 20
"""Bytes of one file."""

Made = tuple[bytes, list[str]]
"""The file, and the characters that it cannot show."""


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Make a file of ``{"kind", "content"}``; equal jobs give equal bytes."""
    try:
        content, replaced = _MAKERS[job["kind"]](job["content"])
    except Unfit as reason:
        return {"unfit": reason.key, "parts": reason.parts}
    if len(content) > MAX_FILE:
        return {"unfit": "too_large", "parts": {"limit": MAX_FILE}}
    return {"file": base64.b64encode(content).decode(), "replaced": replaced}


_MAKERS: dict[str, Callable[[Any], Made]] = {
    "pdf": pdf_of,
    "csv": lambda content: (csv_of(rows_of(content)), []),
    "xlsx": lambda content: (xlsx_of(rows_of(content)), []),
}
