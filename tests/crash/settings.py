"""The product's settings with a tool that leaves a mark, and a point at which the process kills itself.

HANDRAISE_CRASH is ``<n>:before`` or ``<n>:after``: the n-th transaction after the file ``armed`` appeared in the data
folder, and the side of its commit. Nothing of this is in the product.
"""

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.crash"]
