"""Settings of a server process in tests: the tests' own database, a quick heartbeat, and a middleware that compresses."""

import os

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES, MIDDLEWARE

DATABASES["default"]["NAME"] = os.environ["HANDRAISE_TEST_DATABASE"]
MIDDLEWARE = ["django.middleware.gzip.GZipMiddleware", *MIDDLEWARE]
STREAM_HEARTBEAT_SECONDS = 1.0
