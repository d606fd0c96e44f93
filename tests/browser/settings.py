"""The product's settings with a tool that acts outside, so that there is something to allow."""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.browser"]
