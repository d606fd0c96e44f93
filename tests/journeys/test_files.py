"""A file on a real server: it is made once although the server is killed under it, and its owner alone may have it."""

import io
import json
from collections.abc import Iterator

import pypdf
import pytest

from tests.sandbox.processes import descendants, wait_until_gone
from tests.support.journeys import PATIENCE_SECONDS, Installation, Person
from tests.support.server import wait_until
from tests.toolkit.scripts import make

pytestmark = pytest.mark.journey
LONG = "# 求解报告\n\n" + ("这是一段正文，with some English in it. " * 30 + "\n\n") * 60
SCRIPTS = {"report": [{"calls": [make("pdf", "报告.pdf", LONG)]}, {"text": "Done."}]}


@pytest.fixture
def ada(installed: Installation, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Person]:
    """A person at a server of her own."""
    folder = tmp_path_factory.mktemp("files")
    script = folder / "scripts.json"
    script.write_text(json.dumps(SCRIPTS))
    environment = {"HANDRAISE_MODEL": f"scripted:{script}", "HANDRAISE_SANDBOX": "off"}
    server = installed.server(folder / "server", environment).start()
    yield Person(server, installed.ada)
    server.close()


def test_a_server_killed_under_a_file_makes_it_once_and_its_owner_downloads_it(ada: Person, installed: Installation) -> None:
    session = ada.start("go [[report#k]]")
    wait_until(lambda: bool(descendants(ada.server.process.pid)), PATIENCE_SECONDS, "no file was begun")
    worker = descendants(ada.server.process.pid)
    ada.server.kill()
    wait_until_gone(worker)
    ada.server.start()
    assert ada.to_the_end(session)[-1]["type"] == "run_completed"
    proof = ada.proof(session)
    [file], [call] = proof["artifacts"], proof["toolCalls"]
    assert [each["id"] for each in json.loads(call["result"]["content"])["files"]] == [file["artifactId"]]
    assert [path.name for path in ada.server.data.rglob("workspaces/*/exec/*/*")] == ["报告.pdf"]
    answer = ada.call("GET", f"/api/artifacts/{file['artifactId']}")
    assert "求解报告" in pypdf.PdfReader(io.BytesIO(answer.content)).pages[0].extract_text()
    bob = Person(ada.server, installed.bob)
    assert bob.call("GET", f"/api/artifacts/{file['artifactId']}").status_code == 404
