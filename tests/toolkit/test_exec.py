"""`exec`: files are made, kept, told of; what cannot be made is refused by its field."""

import asyncio
import csv
import gc
import io
import json
import threading
from pathlib import Path
from typing import Any

import openpyxl
import pypdf
import pytest

from apps.agent.messages import ToolCall, ToolResult
from apps.agent.tools import Refusal, ToolContext
from apps.runs.erasing import erase_files, workspace_of
from apps.sandbox.pool import WorkerPool
from apps.toolkit.files.exec import Exec
from apps.toolkit.files.exec import _to_its_end as to_its_end
from apps.toolkit.files.request import Wanted, read

MARKDOWN = """# 求解报告

这是 **重要** 的段落，with *English* words, `code`, 2 < 3 & <b>no markup</b>.

1. 第一
2. second

| 名称 | Value |
|---|---|
| 甲 | 42 |

```python
print("你好")
```
"""


def made(workspace: Path, *arguments: dict[str, Any], language: str = "en") -> list[ToolResult]:
    """Call the tool with these arguments, one call after the other, on one loop."""
    context = ToolContext("sess_1", "run_1", language, str(workspace))

    async def calls() -> list[ToolResult]:
        tool = Exec()
        return [await tool.run(ToolCall(f"f{n}", "exec", json.dumps(each)), context) for n, each in enumerate(arguments)]

    return asyncio.run(calls())


def one(workspace: Path, kind: str, name: str, content: Any) -> bytes:
    """Make one file; return its bytes."""
    [result] = made(workspace, {"kind": kind, "name": name, "content": content})
    assert not result.is_error, result.content
    [file] = result.files
    return (workspace / file.folder / file.name).read_bytes()


def refusals(workspace: Path, *arguments: Any, language: str = "en") -> list[tuple[str, str]]:
    """Return code and field of each refusal."""
    contents = [json.loads(result.content) for result in made(workspace, *arguments, language=language)]
    return [(content["code"], content.get("field", "")) for content in contents]


def test_markdown_becomes_a_pdf_whose_chinese_text_can_be_read_back(tmp_path: Path) -> None:
    read = pypdf.PdfReader(io.BytesIO(one(tmp_path, "pdf", "report.pdf", MARKDOWN)))
    text = "\n".join(page.extract_text() for page in read.pages)
    for part in ("求解报告", "重要", "English", "2 < 3 & <b>no markup</b>", "第一", "second", "名称", "甲", "42", '"你好"'):
        assert part in text


def test_equal_content_gives_equal_bytes_so_that_twice_is_harmless(tmp_path: Path) -> None:
    for kind, content in (("pdf", MARKDOWN), ("xlsx", [["a"], [1]])):
        again = {"kind": kind, "name": "same", "content": content}
        first, second = made(tmp_path, again, again)
        assert first.files[0].sha256 == second.files[0].sha256


def test_a_call_that_is_run_again_replaces_its_own_file_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    one(tmp_path, "text", "a.txt", "first")
    [folder] = (tmp_path / "exec").iterdir()
    (folder / ".half-0").write_text("cut by a kill")
    assert one(tmp_path, "text", "a.txt", "second") == b"second"
    assert [path.name for path in folder.iterdir()] == ["a.txt"]


def test_rows_become_csv_in_which_no_cell_is_a_formula_and_numbers_stay(tmp_path: Path) -> None:
    rows = [["name", "值"], ["=1+1", -5], ["@sum", "-2.5"], ["+a", "-b"], ["\t=1", None], [None, True]]
    read = list(csv.reader(io.StringIO(one(tmp_path, "csv", "t.csv", rows).decode(), newline="")))
    assert read == [["name", "值"], ["'=1+1", "-5"], ["'@sum", "-2.5"], ["'+a", "'-b"], ["'\t=1", ""], ["", "True"]]


def test_csv_text_becomes_xlsx_in_which_no_cell_is_a_formula(tmp_path: Path) -> None:
    file = one(tmp_path, "xlsx", "t.xlsx", 'id,值\n007,"=HYPERLINK(""x"")"\n-3,2.50\n')
    sheet = openpyxl.load_workbook(io.BytesIO(file)).active
    cells = [[(cell.value, cell.data_type) for cell in row] for row in sheet.rows]
    assert cells[1:] == [[("007", "s"), ('=HYPERLINK("x")', "s")], [(-3, "n"), (2.5, "n")]]


def test_the_result_names_the_file_with_its_link_and_says_which_characters_have_no_sign(tmp_path: Path) -> None:
    [result] = made(tmp_path, {"kind": "pdf", "name": "报告", "content": "好 😀"})
    content = json.loads(result.content)
    [file] = content["files"]
    assert (content["status"], file["name"], content["replaced"]) == ("done", "报告.pdf", ["😀"])
    assert file["url"] == f"/api/artifacts/{file['id']}"
    assert file["id"] == result.files[0].id


NO_NAMES = ["", "..", ".x.txt", "a/b.txt", "../a.txt", "a\\b.txt", "C:x.txt", "a\0.txt", "x" * 101, "\u202etxt.a", 7]


@pytest.mark.parametrize("name", NO_NAMES)
def test_a_name_that_is_no_plain_name_is_refused(tmp_path: Path, name: object) -> None:
    assert refusals(tmp_path, {"kind": "text", "name": name, "content": "x"}) == [("BAD_ARGUMENT", "name")]
    assert not list(tmp_path.rglob("*"))


def test_what_cannot_be_made_is_refused_by_its_field(tmp_path: Path) -> None:
    wrong: list[tuple[Any, str]] = [
        ("no object", "arguments"),
        ({"kind": "sh", "name": "a.sh", "content": "ls"}, "kind"),
        ({"kind": ["pdf"], "name": "a", "content": "x"}, "kind"),
        ({"kind": "pdf", "name": "a.csv", "content": "x"}, "name"),
        ({"kind": "text", "name": "a.txt", "content": " "}, "content"),
        ({"kind": "text", "name": "a.txt", "content": "x" * 200_001}, "content"),
        ({"kind": "csv", "name": "a.csv", "content": [["a", ["b"]]]}, "content"),
        ({"kind": "csv", "name": "a.csv", "content": [["a"]] * 20_001}, "content"),
        ({"kind": "csv", "name": "a.csv", "content": 'a,"b'}, "content"),
        ({"kind": "pdf", "name": "a.pdf", "content": "|a" * 16 + "|\n" + "|-" * 16 + "|"}, "content"),
    ]
    for language in ("en", "zh"):
        assert refusals(tmp_path, *[each for each, _field in wrong], language=language) == [
            ("BAD_ARGUMENT", field) for _each, field in wrong
        ]


def test_a_session_has_so_many_files_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("apps.toolkit.files.exec.MAX_FILES", 1)
    wanted = {"kind": "text", "name": "a.txt", "content": "x"}
    assert [result.code for result in made(tmp_path, wanted, wanted)] == ["", "TOO_MANY_FILES"]
    assert [result.code for result in made(tmp_path, wanted)] == [""], "a call that is run again has its place"


def test_a_large_table_is_not_read_on_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    readers: list[threading.Thread] = []

    def seen(call: ToolCall, language: str) -> Wanted | Refusal:
        readers.append(threading.current_thread())
        return read(call, language)

    monkeypatch.setattr("apps.toolkit.files.exec.read", seen)
    one(tmp_path, "text", "a", "hello")
    assert threading.current_thread() not in readers
    assert len(readers) == 1


def test_what_fails_after_the_call_was_cut_is_waited_for_and_told_to_nobody(caplog: pytest.LogCaptureFixture) -> None:
    begun, cut, done = threading.Event(), threading.Event(), threading.Event()

    def fails() -> None:
        begun.set()
        cut.wait(20)
        done.set()
        raise FileNotFoundError("the workspace has gone: secret.txt")

    async def cut_under_way() -> None:
        task = asyncio.create_task(to_its_end(fails))
        await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        asyncio.get_running_loop().call_later(0.05, cut.set)
        await asyncio.wait([task])
        assert task.cancelled()
        assert done.is_set()

    asyncio.run(cut_under_way())
    gc.collect()
    assert caplog.records == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_property_of_its_schema_is_described(language: str) -> None:
    schema = Exec().schema(language)
    properties = schema["parameters"]["properties"]
    assert list(properties) == ["kind", "name", "content"]
    assert all(each["description"] for each in (schema, *properties.values()))


def test_a_file_that_is_ready_after_its_chat_was_erased_is_dropped(
    settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def erasing(*_job: object, **_limits: object) -> dict[str, Any]:
        erase_files("sess_1")
        return {"file": "bGF0ZQ==", "replaced": []}

    settings.DATA_DIR = tmp_path
    workspace_of("sess_1").mkdir(parents=True)
    monkeypatch.setattr(WorkerPool, "compute", erasing)
    with pytest.raises(FileNotFoundError):
        made(workspace_of("sess_1"), {"kind": "pdf", "name": "late", "content": "late"})
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not workspace_of("sess_1").exists()
