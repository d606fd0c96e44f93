"""Settings of a server that logs whatever is logged at all."""

from config.settings import *  # noqa: F403
from config.settings import LOGGING

LOGGING["root"]["level"] = "DEBUG"
