"""POST /api/chat."""

from apps.accounts.models import User
from apps.chat.models import ChatSession, Message, Run
from tests.api.caller import Caller, fields, problem
from tests.factories.chat import make_card, make_run, make_session
from tests.support.runs import run_to_rest, scripted


def test_a_message_makes_a_session_and_starts_a_run(api: Caller, ada: User) -> None:
    response = api.post("/api/chat", {"message": "Solve x^2 = 4"})
    assert response.status_code == 202
    run = Run.objects.get(public_id=response.json()["runId"])
    assert response.json() == {"sessionId": run.session.public_id, "runId": run.public_id, "status": "queued"}
    assert (run.session.user, run.session.title, run.channel) == (ada, "Solve x^2 = 4", "api")
    assert Message.objects.get(run=run).text == "Solve x^2 = 4"
