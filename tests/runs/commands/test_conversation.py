"""The command line drives its own runs and asks in the terminal; rows and events are those of every other door."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

from apps.accounts.actors import actor_of
from apps.accounts.models import User
from apps.audit.context import acting
from apps.audit.models import AuditRecord
from apps.chat.models import Run
from apps.events import net
from apps.interactions.models import Interaction
from apps.interactions.submissions import Submission
from apps.providers.registry import override_model
from apps.providers.scripted import ScriptedModel
from apps.runs import interfaces, segments, services
from apps.runs.conversation import COMPLETED, FAILED, NOT_ASKED, Conversation
from apps.runs.dispatch.own import OwnWorker
from tests.factories.accounts import UserFactory
from tests.support.terminals import Act, TypedTerminal

ASK = {"id": "c1", "name": "ask_user", "arguments": {"title": "How many?", "mode": "number"}}
QUESTION = {"id": "c1", "name": "ask_user_question", "arguments": {"questions": [{"id": "q1", "question": "Why?"}]}}
DONE = {"text": "All done."}


@dataclass
class Talk:
    """One user at a terminal with a scripted model."""

    stack: ExitStack
    user: User = field(default_factory=UserFactory)
    written: str = ""

    def say(self, script: list[dict[str, Any]], *lines: str | Act, can_be_asked: bool = True) -> int:
        """Send one message; the lines are what is typed when questions come."""
        self.stack.enter_context(override_model(ScriptedModel({"default": script})))
        if can_be_asked:
            self.stack.enter_context(interfaces.registered("terminal"))
        terminal = TypedTerminal(lines)
        with OwnWorker() as worker, acting(actor_of(self.user), "cli"):
            code = Conversation(self.user, terminal, worker, "en", None).send("hello")
        self.written = terminal.written
        return code


@pytest.fixture
def talk(transactional_db: None) -> Iterator[Talk]:
    with ExitStack() as stack:
        yield Talk(stack)
    net.stop()


def test_a_question_is_asked_and_answered_in_the_terminal(talk: Talk) -> None:
    assert talk.say([{"text": "One thing first.", "calls": [ASK]}, DONE], "3") == COMPLETED
    row = Interaction.objects.get()
    assert (row.status, row.shown, row.resolved_by, row.call.result.is_error) == ("answered", "cli", talk.user, False)
    assert talk.written.index("One thing first.") < talk.written.index("How many?") < talk.written.index("All done.")


def test_its_runs_are_claimed_at_creation(talk: Talk) -> None:
    claimed: list[int] = []

    def look_into_the_queue() -> str:
        claimed.extend(segments.queued_runs(10))
        return "3"

    talk.say([{"calls": [ASK]}, DONE], look_into_the_queue)
    assert claimed == []
    assert Run.objects.get().channel == "cli"


def test_a_wrong_answer_is_refused_in_words_and_asked_again(talk: Talk) -> None:
    assert talk.say([{"calls": [ASK]}, DONE], "3,2", "NaN", "3.2") == COMPLETED
    assert talk.written.count("Write a plain number") == 2
    assert AuditRecord.objects.filter(kind="submission_refused").count() == 2


def test_ctrl_c_at_a_question_stops_the_run(talk: Talk) -> None:
    assert talk.say([{"calls": [ASK]}, DONE], _press(KeyboardInterrupt)) == FAILED
    assert Run.objects.get().reason == "cancelled_card"
    assert "Stopped." in talk.written


def test_ctrl_c_at_questions_lets_the_agent_go_on(talk: Talk) -> None:
    assert talk.say([{"calls": [QUESTION]}, DONE], _press(KeyboardInterrupt)) == COMPLETED
    assert "All done." in talk.written


def test_a_question_answered_elsewhere_is_told_and_the_run_goes_on(talk: Talk) -> None:
    def answer_in_the_web() -> str:
        row = Interaction.objects.get()
        services.answer(talk.user, row.session.public_id, row.public_id, Submission(custom_input="7"), "{}")
        return "3"

    assert talk.say([{"calls": [ASK]}, DONE], answer_in_the_web) == COMPLETED
    assert "closed already" in talk.written
    assert Interaction.objects.get().call.result.content.count('"7"') == 1


def test_a_question_that_expires_meanwhile_is_told(talk: Talk) -> None:
    def wait_too_long() -> str:
        Interaction.objects.update(expires_at="2020-01-01T00:00:00Z")
        return "3"

    assert talk.say([{"calls": [ASK]}, DONE], wait_too_long) == FAILED
    assert "has expired" in talk.written
    assert Run.objects.get().reason == "timeout"


@pytest.mark.parametrize("call", [ASK, QUESTION])
def test_h24_where_nobody_can_answer_the_agent_is_told_so_and_goes_on(talk: Talk, call: dict[str, Any]) -> None:
    assert talk.say([{"calls": [call]}, DONE], can_be_asked=False) == NOT_ASKED
    assert not Interaction.objects.exists()
    assert Run.objects.get().status == "completed"


def test_a_run_that_fails_is_told_with_its_reason(talk: Talk) -> None:
    assert talk.say([{"fault": {"kind": "status", "status": 401, "times": 9}}]) == FAILED
    assert "! " in talk.written


def _press(key: type[BaseException]) -> Callable[[], str]:
    def press() -> str:
        raise key

    return press
