"""How files are received: straight to the disk, never into memory, and no more of them than an upload may hold."""

from tempfile import TemporaryFile
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParserError
from django.utils.translation import gettext as _

ROOM_FOR_FIELDS = 2 << 20
"""Bytes that the other fields of a form may take."""


class DiskUploadHandler(FileUploadHandler):
    """Takes files until they are too large together; the request says then that they were.

    They have no name on the disk: a server that is killed leaves nothing of them.
    """

    file: "UploadedFile[Any]"

    def handle_raw_input(
        self, input_data: Any, META: dict[str, Any], content_length: int, boundary: Any, encoding: str | None = None
    ) -> None:
        """Look at what is announced, before anything is read."""
        self._left = settings.SOURCE_BYTES
        if content_length > self._left + ROOM_FOR_FIELDS:
            self._left = -1

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        """Begin a file, unless it is clear that there is no room for it."""
        self._check()
        super().new_file(*args, **kwargs)
        content = TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR)  # noqa: SIM115 - closed with the request
        self.file = UploadedFile(content, self.file_name, self.content_type, 0, self.charset, self.content_type_extra)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        """Write a piece."""
        self._left -= len(raw_data)
        self._check()
        self.file.write(raw_data)

    def file_complete(self, file_size: int) -> "UploadedFile[Any]":
        """Return the file, ready to be read."""
        self.file.seek(0)
        self.file.size = file_size
        return self.file

    def upload_interrupted(self) -> None:
        """Let go of the file that was cut, if one was begun."""
        if hasattr(self, "file"):
            self.file.close()

    def _check(self) -> None:
        if self._left < 0:
            self.request._files_are_too_large = True  # type: ignore[union-attr]
            raise StopUpload(connection_reset=False)


def are_too_large(request: HttpRequest) -> bool:
    """Say whether files of the request were left out because they were too large."""
    request.FILES  # noqa: B018 - reading them is what finds out
    return getattr(request, "_files_are_too_large", False)


def fault_of_form(error: BaseException | None) -> str:
    """Return what a person can do something about, of a form that cannot be read; nothing if there is no such thing."""
    # Django says it in these words alone: the head of a part, in which the name of its file stands, holds 1,024 bytes.
    if isinstance(error, MultiPartParserError) and "header size exceeded" in str(error):
        return _("The name of a file is too long. Give it a shorter one and choose it again.")
    return ""
