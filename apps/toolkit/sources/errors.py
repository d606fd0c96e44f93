"""Why a file is not taken in. Nothing of it is stored then."""

from apps.common.errors import HandraiseError


class SourceRefused(HandraiseError):
    """A file is not taken in."""


class SourceTooLarge(SourceRefused):
    """The files are larger than an upload may be."""

    code = "too_large"


class SourceUnsupported(SourceRefused):
    """The file is of no type that is taken in, or is not what its name says."""

    code = "source_unsupported"


class SourceEncrypted(SourceRefused):
    """The file is protected by a password."""

    code = "source_encrypted"


class SourceTooLong(SourceRefused):
    """The file has too many pages or characters, or takes too much time or memory to read."""

    code = "source_too_long"


class SourceUnreadable(SourceRefused):
    """The file is broken."""

    code = "source_unreadable"


class SourceEmpty(SourceRefused):
    """There is no text in the file."""

    code = "source_empty"


class TooManySources(SourceRefused):
    """The session has as many attachments, or as much text in them, as it may have."""

    code = "too_many_sources"


class SourcesBusy(SourceRefused):
    """Files of this user, or of too many others, are being read."""

    code = "throttled"
    wait = 5
    """Seconds after which a further try makes sense."""


class SessionGone(SourceRefused):
    """The session was deleted while its files were read."""

    code = "not_found"


class SourceErased(SourceRefused):
    """The files were erased while they were read."""

    code = "gone"


class SourceMissing(SourceRefused):
    """The request holds no file."""

    code = "invalid_request"
