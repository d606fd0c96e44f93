"""What README.md tells people to type works as it is printed there. H78."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from tests.support.project import PROJECT, doc, tracked_files
from tests.support.server import StartServer

PAGE = doc("README.md")
BLOCKS = re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_there_is_a_block_for_each_step() -> None:
    words = ("create_token", '/api/chat"', "/api/interactions/pending", "/api/chat/continue")
    assert [word in block for word, block in zip(words, BLOCKS, strict=True)] == [True] * 4


def test_the_two_commands_are_there_to_be_typed() -> None:
    for command in re.findall(r"sh (\.bin/\w+)", PAGE):
        assert (PROJECT / command).is_file()


def test_every_page_of_the_documentation_is_linked() -> None:
    pages = {path for path in tracked_files() if path.startswith("docs/") and path.endswith(".md")}
    assert {page for page in pages if f"({page})" not in PAGE} == set()


@pytest.mark.journey
def test_h78_the_walk_through_runs_from_the_first_user_to_the_final_answer(start_server: StartServer, tmp_path: Path) -> None:
    server = start_server()
    environment = server.env | {"URL": server.address, "NO_PROXY": "127.0.0.1"}
    ran = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", "\n".join(BLOCKS)],
        cwd=PROJECT, env=environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    kinds = re.findall(r"^event: (\w+)$", ran.stdout, re.MULTILINE)
    assert kinds.index("user_input_required") < kinds.index("run_paused") < kinds.index("user_input_resolved")
    assert kinds[-1] == "run_completed"
    last = json.loads(re.findall(r"^data: (.*)$", ran.stdout, re.MULTILINE)[-1])
    assert re.search(r"\bi\b", last["text"])
