"""docs/deep_solve.md is true: every code, every setting and every argument of the code stands in it."""

import re
from pathlib import Path

from apps.runs.capabilities import capability_named
from apps.runs.settings_store import settings_of
from apps.solve import results, tools
from apps.solve.tools import OWN_TOOLS
from tests.support.project import doc

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


def test_every_setting_is_in_the_table_with_its_default(db: None) -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `?([\w.]+)`?", PAGE.partition("## Settings")[2], re.MULTILINE))
    defaults = settings_of(None)["solve"]
    assert set(rows) == set(defaults)
    assert {key: rows[key] for key in rows if key != "prompt"} == {k: str(v) for k, v in defaults.items() if k != "prompt"}
    assert capability_named("solve").name == "deep_solve"
