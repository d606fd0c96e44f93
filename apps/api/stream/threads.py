"""The threads on which the streams of this process read the database."""

from apps.api.stream.limits import DATABASE_THREADS
from apps.events.threads import DatabaseThreads

threads = DatabaseThreads("stream-db", DATABASE_THREADS)
