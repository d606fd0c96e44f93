"""Files that a person sends with the composer."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from django.utils.translation import gettext as _

from apps.chat.models import ChatSession
from apps.common.errors import HandraiseError
from apps.runs import services
from apps.runs.rates import take_upload
from apps.toolkit.sources.files import shown_name, too_large
from apps.toolkit.sources.keeping import keep, taken
from apps.toolkit.sources.receiving import are_too_large
from apps.web.requests import PersonRequest

FIELD = "files"


class TooManyUploads(HandraiseError):
    """The person has sent files too often in this minute."""

    code = "throttled"


def has_files(request: PersonRequest) -> bool:
    """Say whether files came, or would have come if they were not too large."""
    return are_too_large(request) or bool(request.FILES.getlist(FIELD))


def attach_files(request: PersonRequest, session: ChatSession) -> Sequence[str]:
    """Attach the files that came; return the ids of what they became. The message of a refusal names the file."""
    if not has_files(request):
        return ()
    if are_too_large(request):
        raise too_large()
    _check_rate(request)
    files = request.FILES.getlist(FIELD)
    with _named([shown_name(file.name or "") for file in files]), taken(session, files) as read:
        return [source.public_id for source in keep(session, read)]


def begin(request: PersonRequest, new: services.NewRun) -> services.Started:
    """Begin a chat with a message and the files that came. If one or the other is refused there is no chat."""
    if not has_files(request):
        return services.start_run(request.user, new)
    session = services.make_session(request.user)
    try:
        sources = attach_files(request, session)
        return services.start_run(request.user, replace(new, session_id=session.public_id, sources=sources))
    except HandraiseError:
        services.delete_session(request.user, session.public_id)
        raise


def _check_rate(request: PersonRequest) -> None:
    if take_upload(request.user.pk) > 0:
        raise TooManyUploads(_("Too many files in this minute. Try again later."))


@contextmanager
def _named(names: Sequence[str]) -> Iterator[None]:
    try:
        yield
    except HandraiseError as refusal:
        if "file" in refusal.facts:
            facts = {"name": names[refusal.facts["file"]], "message": refusal.message}
            refusal.message = _("“%(name)s” was not attached. %(message)s") % facts
        raise
