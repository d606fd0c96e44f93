"""The built-in solver uses the work tools in real runs: it draws in a sandbox and has figures computed."""

import json
from pathlib import Path

import pytest

from apps.chat.models import Run, ToolResult
from apps.providers.builtin import BuiltinModel
from apps.runs.erasing import workspace_of
from apps.toolkit.models import Artifact
from tests.factories.accounts import UserFactory
from tests.providers.builtin.talking import HerePool
from tests.runs.conftest import Desk

pytestmark = pytest.mark.django_db(transaction=True)


def solved(text: str, **parts: str) -> tuple[Desk, Run]:
    """Let the solver answer a text in a real run."""
    desk = Desk(UserFactory())
    desk.model = BuiltinModel(HerePool())  # type: ignore[assignment, arg-type]
    return desk, desk.drive(desk.say(text, **parts))


def test_a_function_that_is_drawn_is_a_picture_of_its_session(switched_on: str) -> None:
    desk, run = solved("plot y = 1/x + ∛(x^2 - 3x) + sqrt(4 - x) from -1 to 4")
    assert run.status == Run.Status.COMPLETED
    content = json.loads(ToolResult.objects.get(call__run=run).content)
    assert (content["exit_code"], content["stderr"]) == (0, "")
    assert json.loads(content["stdout"]) == {"points": 2000, "is_cut": True}
    assert (Artifact.objects.get().name, Artifact.objects.get().media_type) == ("plot.png", "image/png")
    (picture,) = Path(workspace_of(desk.session)).rglob("plot.png")
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(("language", "words"), [("en", "A, B, C is `6`"), ("zh", "A, B, C 的面积是 `6`")])
def test_a_triangle_in_words_is_computed_and_drawn(language: str, words: str) -> None:
    desk, run = solved("A=(0,0), B=(4,0), C=(0,3): 三角形 ABC 的面积", language=language)
    assert run.status == Run.Status.COMPLETED
    assert ToolResult.objects.get(call__run=run).details["figure"]
    assert words in [event.data["text"] for event in desk.events() if event.kind == "message"][-1]
