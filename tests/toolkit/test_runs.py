"""A run that works with code: what the model sees, what it gets, what is kept."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from apps.chat.models import ChatSession, Run, ToolResult
from apps.runs.capabilities import capability_named, mounted
from apps.runs.erasing import erase_files, workspace_of
from apps.toolkit.models import Artifact
from apps.toolkit.sandboxes import sandbox_of
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk
from tests.toolkit.scripts import code

pytestmark = pytest.mark.django_db(transaction=True)
TABLE = "print(6 * 7)\nwith open('table.csv', 'w') as file:\n    file.write('x,y\\n1,2\\n')\n"


def ran(*calls: dict[str, object], **more: Any) -> tuple[Desk, Run]:
    """Let a model make these calls in one turn and then be done."""
    desk = Desk(UserFactory(), [{"calls": list(calls)}, DONE], **more)
    return desk, desk.drive(desk.say())


def contents(run: Run) -> list[dict[str, Any]]:
    return [json.loads(result.content) for result in ToolResult.objects.filter(call__run=run).order_by("call_id")]


def offered(desk: Desk) -> set[str]:
    return {tool["function"]["name"] for tool in desk.model.requests[0].tools}


def test_a_run_computes_and_its_file_is_kept_in_the_workspace_of_its_session(switched_on: str) -> None:
    desk, run = ran(code(TABLE))
    assert run.status == Run.Status.COMPLETED
    (content,) = contents(run)
    assert (content["status"], content["exit_code"], content["stdout"]) == ("done", 0, "42\n")
    assert content["sandbox"] == switched_on
    row = Artifact.objects.get()
    told = {"name": "table.csv", "size": 8, "id": row.public_id, "url": f"/api/artifacts/{row.public_id}"}
    assert content["files"] == [told]
    (file,) = workspace_of(desk.session).rglob("*.csv")
    assert file.read_text() == "x,y\n1,2\n"
    assert (row.name, row.sha256) == ("table.csv", hashlib.sha256(file.read_bytes()).hexdigest())


def test_the_files_of_a_session_are_erased_with_it(switched_on: str) -> None:
    desk, _run = ran(code(TABLE))
    erase_files(desk.session)
    assert not workspace_of(desk.session).exists()


def test_files_of_one_name_made_by_two_calls_are_both_kept(switched_on: str) -> None:
    programs = [f"open('a.txt', 'w').write('{n}')" for n in (1, 2)]
    desk, _run = ran(*(code(program, f"c{n}") for n, program in enumerate(programs)))
    assert sorted(path.read_text() for path in workspace_of(desk.session).rglob("a.txt")) == ["1", "2"]


def test_a_program_that_fails_is_a_result_that_shows_why(switched_on: str) -> None:
    _desk, run = ran(code("print('so far')\n1 / 0"))
    result = ToolResult.objects.get(call__run=run)
    content = json.loads(result.content)
    assert (result.is_error, content["status"], content["exit_code"], content["stdout"]) == (False, "done", 1, "so far\n")
    assert content["stderr"].endswith("ZeroDivisionError: division by zero\n")


def test_a_program_that_takes_too_long_is_a_result_with_what_it_printed(switched_on: str) -> None:
    _desk, run = ran(code("print('so far', flush=True)\nwhile True: pass", timeout=1))
    (content,) = contents(run)
    assert (content["status"], content["reason"], content["exit_code"], content["stdout"]) == (
        "ended",
        "timeout",
        None,
        "so far\n",
    )
    assert content["message"].startswith("It was ended after 1 s.")


def test_characters_that_no_database_takes_do_not_end_a_run(switched_on: str) -> None:
    _desk, run = ran(code(r"import sys; sys.stdout.buffer.write(b'a\0b\xff\xed\xa0\x80')"))
    assert run.status == Run.Status.COMPLETED
    (content,) = contents(run)
    assert content["stdout"].startswith("ab\ufffd")


# --- what the model sees -------------------------------------------------------------------------------


@pytest.mark.parametrize("capability", ["chat", "deep_solve"])
def test_every_capability_offers_the_tool_where_it_works(switched_on: str, capability: str) -> None:
    assert "code_execution" in mounted(capability_named(capability), {}).tools


def test_it_is_not_offered_where_it_is_switched_off_for_the_installation(settings) -> None:
    settings.SANDBOX = "off"
    assert "code_execution" not in mounted(capability_named("chat"), {}).tools


def test_it_is_not_offered_where_no_sandbox_works_and_the_log_says_why(settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.SANDBOX, settings.SANDBOX_PYTHON = "auto", "/nowhere/bin/python"
    assert "code_execution" not in mounted(capability_named("chat"), {}).tools
    assert "the sandbox landlock does not work here: its interpreter is not installed" in caplog.text
    assert "code_execution is not offered" in caplog.text


def test_it_is_not_offered_where_programs_could_read_the_data_of_the_product(
    kind: str, settings, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings.SANDBOX, settings.DATA_DIR, settings.CODE_AT_ONCE = kind, Path("/usr/lib/handraise"), 4
    assert "code_execution" not in mounted(capability_named("chat"), {}).tools
    assert "lie in a folder of the interpreter" in caplog.text


def test_programs_are_given_what_install_has_made_for_matplotlib(settings, tmp_path: Path) -> None:
    python, made = tmp_path / "bin" / "python", tmp_path / "matplotlib"
    python.parent.mkdir()
    python.symlink_to(settings.SANDBOX_PYTHON)
    made.mkdir()
    for name in ("fontlist-v1.json", "matplotlibrc", "made-from"):
        (made / name).touch()
    assert sandbox_of("landlock", python, 1024).seeds == [str(made / name) for name in ("fontlist-v1.json", "matplotlibrc")]


def test_automatic_takes_the_next_sandbox_where_the_first_does_not_work(
    settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bwrap").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    settings.SANDBOX, settings.CODE_AT_ONCE = "auto", 3  # another number: what was tried before is not asked
    _desk, run = ran(code())
    assert contents(run)[0]["sandbox"] == "landlock"


def test_a_run_and_a_session_may_switch_it_off_and_then_a_call_is_unknown(switched_on: str) -> None:
    desk, run = ran(code(), config={"tools": {"code_execution": False}})
    assert "code_execution" not in offered(desk)
    assert contents(run)[0]["code"] == "UNKNOWN_TOOL"
    ChatSession.objects.filter(public_id=desk.session).update(tools={"code_execution": False})
    assert "code_execution" not in mounted(capability_named("chat"), ChatSession.objects.get(public_id=desk.session).tools).tools


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_property_of_its_schema_is_described(switched_on: str, settings, language: str) -> None:
    settings.CODE_SECONDS = 20
    schema = mounted(capability_named("chat"), {}).tools["code_execution"].schema(language)
    properties = schema["parameters"]["properties"]
    assert list(properties) == ["language", "code", "timeout"]
    assert all(each["description"] for each in (schema, *properties.values()))
    assert "20" in properties["timeout"]["description"]


# --- what is refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"language": "r", "code": "1"}, "language"),
        ({"language": "python"}, "code"),
        ({"language": "python", "code": "  "}, "code"),
        ({"language": "python", "code": 7}, "code"),
        ({"language": "python", "code": "x" * 100_001}, "code"),
        ({"language": "python", "code": "print('\0')"}, "code"),
        ({"language": "python", "code": "1", "timeout": "soon"}, "timeout"),
        ({"language": "python", "code": "1", "timeout": -1}, "timeout"),
        ("no object", "arguments"),
    ],
)
def test_what_cannot_be_run_is_refused_by_its_field(switched_on: str, arguments: object, field: str) -> None:
    _desk, run = ran({"id": "c1", "name": "code_execution", "arguments": arguments})
    (content,) = contents(run)
    assert (content["status"], content["code"], content["field"]) == ("error", "BAD_ARGUMENT", field)


def test_a_timeout_beyond_the_limit_of_the_installation_is_brought_into_it(switched_on: str, settings) -> None:
    settings.CODE_SECONDS = 1
    _desk, run = ran(code("while True: pass", timeout=10**9))
    assert contents(run)[0]["reason"] == "timeout"
