"""A pool of each kind of sandbox."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from apps.sandbox.code import KINDS, CodePool
from tests.sandbox.confined import Way, code_pool, marked


@pytest.fixture(scope="package", autouse=True)
def own_temporary_folder() -> Iterator[None]:
    """Give the programs here a temporary folder that no other worker's programs use: what is left in it is theirs."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        Path(folder).chmod(0o1777)
        patch.setenv("TMPDIR", folder)
        patch.setattr(tempfile, "tempdir", folder)
        yield


@pytest.fixture(params=[marked(Way(kind, "self")) for kind in KINDS])
def way(request: pytest.FixtureRequest) -> Way:
    """Each kind of sandbox, with the interpreter of the installation."""
    found: Way = request.param
    return found


@pytest.fixture
async def pool(way: Way) -> AsyncIterator[CodePool]:
    """A pool of each kind."""
    made = code_pool(way)
    yield made
    await made.close()
