"""What the model is told of a session's attachments. It stands in the system text, made anew from the rows: the
messages stay as they were typed, and what was removed is not spoken of any more.
"""

from collections.abc import Collection

from apps.chat.models import ChatSession
from apps.common.text import compact_json
from apps.toolkit.models import Source
from apps.toolkit.sources.selectors import sources_of
from apps.toolkit.sources.words import say


def about_sources(session: ChatSession, attached: Collection[str], language: str) -> str:
    """Return the list of the session's attachments; those `attached` came with the run's message. Empty: there are none."""
    sources = sources_of(session)
    if not sources:
        return ""
    lines = [f"- {source.public_id}: {_facts(source, source.public_id in attached, language)}" for source in sources]
    return "\n".join([say("attachments", language), *lines])


def _facts(source: Source, is_new: bool, language: str) -> str:
    """Return name, type and size of a source; the name as JSON, so that it cannot pass for anything else."""
    size = say("attachment" if source.part_count else "attachment.kept", language, parts=source.part_count)
    new = [say("attachment.new", language)] if is_new else []
    return ", ".join([compact_json(source.name), source.media_type, size, *new])
