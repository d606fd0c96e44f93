"""The built-in solver draws in a sandbox."""

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


def drawn(text: str, **config: str) -> tuple[Desk, Run]:
    """Let the solver answer a text in a real run."""
    desk = Desk(UserFactory(), config=dict(config))
    desk.model = BuiltinModel(HerePool())  # type: ignore[assignment, arg-type]
    return desk, desk.drive(desk.say(text))


def test_a_function_that_is_drawn_is_a_picture_of_its_session(switched_on: str) -> None:
    desk, run = drawn("plot y = 1/x + ∛(x^2 - 3x) + sqrt(4 - x) from -1 to 4")
    assert run.status == Run.Status.COMPLETED
    content = json.loads(ToolResult.objects.get(call__run=run).content)
    assert (content["exit_code"], content["stderr"]) == (0, "")
    assert json.loads(content["stdout"]) == {"points": 2000, "is_cut": True}
    assert (Artifact.objects.get().name, Artifact.objects.get().media_type) == ("plot.png", "image/png")
    (picture,) = Path(workspace_of(desk.session)).rglob("plot.png")
    assert picture.read_bytes().startswith(b"\x89PNG")
