"""Which tests of a parallel run stay together."""

from typing import Any

from xdist.scheduler import LoadScopeScheduling

BROWSER = "tests/browser/"
LONGEST = "tests/console/test_volume.py"
"""At full volume the few tests of this file take minutes: begun last, they would keep one worker busy and the others idle."""


class SharedServers(LoadScopeScheduling):
    """Keeps a file's tests together, and those of the browser all together: they share one server and one Chromium.

    What takes longest is begun first, then what has most tests.
    """

    def _assign_work_unit(self, node: Any) -> None:
        if LONGEST in self.workqueue:
            self.workqueue.move_to_end(LONGEST, last=False)
        super()._assign_work_unit(node)

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else str(super()._split_scope(nodeid))
