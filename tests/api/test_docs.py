"""docs/api.md is true: its tables name what there is, its examples run. H78."""

import re
import subprocess
from pathlib import Path

import pytest
from django.urls import get_resolver

from apps.api.errors import STATUSES
from apps.api.urls import urlpatterns
from apps.common.errors import HandraiseError
from tests.support.server import StartServer

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
OF_STAFF = {"invalid_retention", "not_recoverable", "reason_missing"}
NEVER_ANSWERED = {"error", "fence_lost", "invalid_token", "sign_in_refused", "sign_in_throttled"} | OF_STAFF
"""Codes that the API's calls do not meet: of the root class, the worker, the commands and the pages."""


def test_every_code_is_explained_with_its_status() -> None:
    explained = dict(re.findall(r"^\| `(\w+)` \| (\d{3}) \|", PAGE, re.MULTILINE))
    assert explained == {code: str(status.value) for code, status in STATUSES.items()}


def _families(kind: type[HandraiseError]) -> list[type[HandraiseError]]:
    return [kind, *(each for child in kind.__subclasses__() for each in _families(child))]


def test_every_refusal_of_the_services_has_a_status() -> None:
    get_resolver().url_patterns  # noqa: B018  (imports all that can refuse)
    product = [kind for kind in _families(HandraiseError) if kind.__module__.startswith("apps.")]
    assert {kind.code for kind in product} - NEVER_ANSWERED <= set(STATUSES)


def test_every_address_is_in_the_table() -> None:
    for route in (str(each.pattern) for each in urlpatterns[:-1]):
        path = "/" + route.replace("<str:session_id>", "{sessionId}").replace("<str:request_id>", "{requestId}")
        path = path.replace("<str:artifact_id>", "{artifactId}").replace("<str:source_id>", "{sourceId}")
        assert f"{path}`" in PAGE, path


MODEL = """{"default": [{"calls": [{"id": "c1", "name": "ask_user", "arguments": {"title": "Over which numbers?",
  "mode": "single", "options": [{"id": "complex", "label": "Complex"}, {"id": "real", "label": "Real"}]}}]},
  {"text": "x = i, x = -i"}]}"""


@pytest.mark.journey
def test_h78_the_examples_run_from_the_first_call_to_the_final_answer(start_server: StartServer, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(MODEL)
    server = start_server(env={"HANDRAISE_MODEL": f"scripted:{script}"})
    server.make_user()
    variables = {"URL": server.address, "TOKEN": server.make_token(), "PATH": "/usr/bin:/bin", "NO_PROXY": "127.0.0.1"}
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(BLOCKS)],
        cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert "event: run_completed" in (tmp_path / "stream.txt").read_text()
    assert '"status": "answered"' in ran.stdout
    assert '"x = i, x = -i"' in (tmp_path / "evidence.json").read_text()
