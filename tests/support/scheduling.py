"""Which tests of a parallel run stay together."""

from xdist.scheduler import LoadScopeScheduling

BROWSER = "tests/browser/"


class SharedServers(LoadScopeScheduling):
    """Keeps a file's tests together, and those of the browser all together: they share one server and one Chromium."""

    def _split_scope(self, nodeid: str) -> str:
        return BROWSER if nodeid.startswith(BROWSER) else str(super()._split_scope(nodeid))
