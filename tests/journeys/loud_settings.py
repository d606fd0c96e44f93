"""The product's settings with everything logged that is logged at all."""

from config.settings import *  # noqa: F403
from config.settings import LOGGING

LOGGING = LOGGING | {"root": {"handlers": ["stderr"], "level": "DEBUG"}}
