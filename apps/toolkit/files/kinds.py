"""The kinds of files: by the ending of their name, with the type that each is served as."""

from collections.abc import Mapping

# Types that no browser runs. SVG may hold scripts, and is served as bytes to be saved.
_BYTES = "application/octet-stream"
_TEXT = "text/plain; charset=utf-8"

MEDIA_TYPES: Mapping[str, str] = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "txt": _TEXT,
    "md": _TEXT,
    "tex": _TEXT,
    "py": _TEXT,
    "json": "application/json",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "svg": _BYTES,
    "npy": _BYTES,
    "npz": _BYTES,
}


def ending_of(name: str) -> str:
    """Return the ending of a name, in small letters, without the dot; empty if it has none."""
    _stem, dot, ending = name.rpartition(".")
    return ending.lower() if dot else ""


def media_type_of(name: str) -> str:
    """Return what a file of this name is served as."""
    return MEDIA_TYPES.get(ending_of(name), _BYTES)
