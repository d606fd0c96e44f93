"""The worker's door: one file in, its media type and parts out. Imported by the worker process only."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from apps.toolkit.sources.reading import documents, kinds, texts
from apps.toolkit.sources.reading.refusals import Bounds, CannotRead
from apps.toolkit.sources.reading.sections import Section, parts_of

_READERS: Mapping[str, Callable[[Path, Bounds], Iterator[Section]]] = {
    kinds.PDF: documents.pdf,
    kinds.DOCX: documents.docx,
    kinds.HTML: texts.web_page,
    kinds.MARKDOWN: texts.markdown,
    kinds.PLAIN: texts.plain,
}


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Read the file at `path`, named `name` by its user, within the bounds of the job."""
    path, bounds = Path(job["path"]), Bounds.of_job(job)
    try:
        kind = kinds.kind_of(path, job["name"])
        parts = parts_of(_READERS[kind](path, bounds), bounds) if kind in _READERS else []
    except CannotRead as refusal:
        return {"status": "cannot", "reason": refusal.reason}
    return {"status": "read", "kind": kind, "parts": [[part.text, part.heading, part.page] for part in parts]}
