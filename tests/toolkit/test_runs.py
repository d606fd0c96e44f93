"""A run that works with code: what the model sees, what it gets, what is kept."""

import json

import pytest

from apps.chat.models import Run, ToolResult
from apps.runs.erasing import workspace_of
from tests.factories.accounts import UserFactory
from tests.runs.conftest import DONE, Desk

PLOT = "print(6 * 7)\nwith open('table.csv', 'w') as file:\n    file.write('x,y\\n1,2\\n')\n"

pytestmark = pytest.mark.django_db(transaction=True)


def code(ident: str = "c1", **arguments: object) -> dict[str, object]:
    """Return a script's call of code_execution."""
    return {"id": ident, "name": "code_execution", "arguments": {"language": "python", "code": "print(1)"} | arguments}


@pytest.fixture(params=["bubblewrap", "landlock"])
def kind(request: pytest.FixtureRequest, settings) -> str:
    """Switch the sandbox on."""
    settings.SANDBOX = request.param
    return str(request.param)


def content_of(run: Run) -> dict[str, object]:
    return json.loads(ToolResult.objects.get(call__run=run).content)  # type: ignore[no-any-return]


def test_a_run_computes_and_its_file_is_kept_in_the_workspace_of_its_session(kind: str) -> None:
    desk = Desk(UserFactory(), [{"calls": [code(code=PLOT)]}, DONE])
    run = desk.drive(desk.say())
    assert run.status == Run.Status.COMPLETED
    content = content_of(run)
    assert (content["status"], content["exit_code"], content["stdout"]) == ("done", 0, "42\n")
    assert content["sandbox"] == kind
    assert content["files"] == [{"name": "table.csv", "size": 8}]
    (file,) = workspace_of(desk.session).rglob("*.csv")
    assert file.read_text() == "x,y\n1,2\n"
