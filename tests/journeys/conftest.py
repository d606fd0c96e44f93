"""What journeys share: one model, one installed data folder, one server that lives as long as the tests.

A test that kills its server starts one of its own on a copy of the folder.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.journeys import Evidence, Installation, Person, model_environment
from tests.support.model_server import ModelServer
from tests.support.server import ServerProcess


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    """A model over HTTP, strict about what it is sent; it outlives every server."""
    with ModelServer() as server:
        yield server


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """A data folder with the users ada and bob."""
    return Installation.make(tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, installed: Installation, model: ModelServer) -> Iterator[ServerProcess]:
    """The server that all tests share which do not kill it."""
    shared = installed.server(tmp_path_factory.mktemp("shared"), model_environment(model))
    yield shared.start()
    shared.close()


@pytest.fixture
def evidence(request: pytest.FixtureRequest, tmp_path: Path) -> Evidence:
    """Where this test keeps what went over the wire."""
    return Evidence.of_test(request.node.name, tmp_path)


@pytest.fixture
def ada(server: ServerProcess, installed: Installation, evidence: Evidence) -> Person:
    """A user of the shared server."""
    return Person(server, installed.ada, evidence)


@pytest.fixture
def bob(server: ServerProcess, installed: Installation) -> Person:
    """Another user of the shared server."""
    return Person(server, installed.bob)
