"""Installations for commands: migrated once, then copied."""

import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.journeys import furnish
from tests.support.server import ServerProcess

Install = Callable[[Mapping[str, Sequence[Mapping[str, Any]]]], ServerProcess]


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with one user, ada."""
    server = ServerProcess(tmp_path_factory.mktemp("furnished"))
    furnish(server, "ada")
    return server.data


@pytest.fixture
def install(furnished: Path, tmp_path: Path) -> Install:
    """Make an installation with one user and a scripted model; nothing runs."""

    def make(scripts: Mapping[str, Sequence[Mapping[str, Any]]]) -> ServerProcess:
        script = tmp_path / "script.json"
        script.write_text(json.dumps(scripts))
        server = ServerProcess(tmp_path / "server", {"HANDRAISE_MODEL": f"scripted:{script}"})
        shutil.copytree(furnished, server.data)
        return server

    return make
