"""A source as API and evidence show it."""

from typing import Any

from apps.common.clock import wire_time
from apps.toolkit.models import Source


def source_json(source: Source) -> dict[str, Any]:
    """Return what is known of a source; its text is asked for part by part."""
    return {
        "sourceId": source.public_id,
        "name": source.name,
        "mediaType": source.media_type,
        "size": source.size,
        "sha256": source.sha256,
        "state": source.state,
        "parts": source.part_count,
        "createdAt": wire_time(source.created_at),
    }
