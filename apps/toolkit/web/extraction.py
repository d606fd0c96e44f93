"""The worker's side: the bytes of a page in, its title and readable text out."""

import codecs
from typing import Any

import trafilatura
from trafilatura.utils import decode_file

MOST_TEXT, MOST_TITLE = 40_000, 300
"""Characters."""


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Read ``{body, charset, is_html}``, the bytes as Latin-1; return ``{title, text, is_cut}``."""
    source = _decoded(job["body"].encode("latin-1"), job["charset"])
    title, text = _of_html(source) if job["is_html"] else ("", source)
    text = text.strip()
    return {"title": title.strip()[:MOST_TITLE], "text": text[:MOST_TEXT], "is_cut": len(text) > MOST_TEXT}


def _decoded(body: bytes, charset: str) -> str:
    try:
        return body.decode(codecs.lookup(charset).name, "replace")
    except (LookupError, ValueError):
        return str(decode_file(body))


def _of_html(source: str) -> tuple[str, str]:
    metadata = trafilatura.extract_metadata(source)
    text = trafilatura.extract(source, include_comments=False, include_tables=True, include_formatting=True)
    return (metadata.title if metadata else "") or "", text or trafilatura.html2txt(source) or ""
