"""Static files without a build step: text is compressed at the start, once, into the data folder."""

import gzip
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from wsgiref.headers import Headers

from django.conf import settings
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

_TEXT = (".css", ".js", ".svg")


class StaticFilesMiddleware(WhiteNoiseMiddleware):
    """WhiteNoise that keeps the compressed forms of our own text files in the data folder, not beside them."""

    def get_static_file(self, path: str, url: str, stat_cache: Mapping[str, os.stat_result] | None = None) -> StaticFile:
        """Return a file; a browser that takes it compressed gets it so."""
        if not path.endswith(_TEXT) or not Path(path).is_relative_to(settings.BASE_DIR / "static"):
            return super().get_static_file(path, url, stat_cache)
        headers = Headers([])
        self.add_mime_headers(headers, path, url)
        self.add_cache_headers(headers, path, url)
        return StaticFile(path, headers.items(), encodings={"gzip": str(_compressed(Path(path)))})


def _compressed(source: Path) -> Path:
    """Return the compressed copy of a file, made anew if it is older than the file. Processes may do this side by side."""
    folder: Path = settings.DATA_DIR / "compressed"
    copy = folder / (source.relative_to(settings.BASE_DIR / "static").as_posix().replace("/", "-") + ".gz")
    if copy.exists() and copy.stat().st_mtime >= source.stat().st_mtime:
        return copy
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=folder, delete=False) as draft:
        draft.write(gzip.compress(source.read_bytes(), mtime=0))
    os.replace(draft.name, copy)
    return copy
