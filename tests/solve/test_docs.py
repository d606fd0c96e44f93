"""docs/deep_solve.md is true: every code, every setting and every argument of the code stands in it."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from apps.runs.capabilities import capability_named
from apps.runs.settings_store import settings_of
from apps.solve import results, tools
from apps.solve.tools import OWN_TOOLS
from tests.support.project import doc
from tests.support.server import StartServer

PAGE = doc("deep_solve.md")


def test_every_code_of_a_refusal_is_explained() -> None:
    sources = [Path(module.__file__ or "").read_text() for module in (tools, results)]
    sources.append(Path("apps/solve/capability.py").read_text())
    codes = {code for text in sources for code in re.findall(r'(?:Refusal\(|code=)"([A-Z_]+)"', text)}
    explained = set(re.findall(r"`([A-Z_]{5,})`", PAGE))
    assert codes <= explained
    assert explained - codes <= {"BAD_ARGUMENT", "PLAN_NOT_APPROVED"}


def test_every_tool_and_argument_is_named() -> None:
    for tool in OWN_TOOLS:
        row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{tool.name}` |"))
        assert all(name in row for name in tool.schema("en")["parameters"]["properties"])


@pytest.mark.journey
def test_h78_the_walk_runs_from_the_problem_over_a_revision_to_the_answer(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    server.make_user()
    variables = {"URL": server.address, "TOKEN": server.make_token(), "PATH": "/usr/bin:/bin", "NO_PROXY": "127.0.0.1"}
    blocks = re.findall(r"^```sh\n(.*?)^```", PAGE.partition("## Over the API")[2].partition("## Settings")[0], re.M | re.S)
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(blocks)],
        cwd=tmp_path, env=variables, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "event: run_paused" in (tmp_path / "begin.txt").read_text()
    assert "```diff" in ran.stdout
    completed = (tmp_path / "end.txt").read_text().partition("event: run_completed\ndata: ")[2]
    assert json.loads(completed.splitlines()[0])["outcome"] == "finished"
    plans = re.findall(r'"status": "(done|failed|replaced|rejected)"', ran.stdout.rpartition("event: run_completed")[2])
    assert plans[0] == "rejected"
    assert "done" in plans


def test_every_setting_is_in_the_table_with_its_default(db: None) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `?([\w.]+)`?", PAGE.partition("## Settings")[2], re.MULTILINE))
    defaults = settings_of(None)["solve"]
    assert set(rows) == set(defaults)
    plain = {key: str(value) for key, value in defaults.items() if not isinstance(value, dict)}
    assert {key: rows[key] for key in plain} == plain
    assert capability_named("solve").name == "deep_solve"
