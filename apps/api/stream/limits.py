"""How many streams there may be and how they are kept alive (settings; see docs/settings.md)."""

from django.conf import settings

MAX_BODY_BYTES = 2 * 1024 * 1024
"""Of a streamed POST; Django's own limit for every other."""

DATABASE_THREADS = 2
"""Threads, and so database connections, of all streams of a process together."""


def heartbeat_seconds() -> float:
    """Return how often a stream sends a comment and looks again at its user."""
    return float(getattr(settings, "STREAM_HEARTBEAT_SECONDS", 15.0))


def streams_per_user() -> int:
    """Return how many streams of this process one user may hold open."""
    return int(getattr(settings, "STREAMS_PER_USER", 20))
