"""What a list costs does not depend on how long it is."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.models import User
from apps.chat.models import ChatSession
from tests.api.caller import Caller
from tests.factories.chat import answer, make_card, make_session
from tests.support.runs import run_to_rest, scripted

LISTS = (
    "/api/sessions?limit=100",
    "/api/interactions?limit=100",
    "/api/interactions?limit=100&status=answered",
    "/api/interactions/pending",
)


def queries(api: Caller, path: str) -> int:
    """Count the queries of a list that has been looked at before: the first look records what it showed."""
    api.send("GET", path)
    with CaptureQueriesContext(connection) as captured:
        assert api.send("GET", path).status_code == 200
    return len(captured)


def ask(user: User, count: int) -> None:
    for number in range(count):
        card = make_card(user)
        if number % 2:
            answer(card)


def test_lists_take_the_same_few_queries_at_10_and_at_100_entries(api: Caller, ada: User) -> None:
    ask(ada, 10)
    few = {path: queries(api, path) for path in LISTS}
    ask(ada, 90)
    assert {path: queries(api, path) for path in LISTS} == few
    assert max(few.values()) <= 5


def talk(session: ChatSession, runs: int) -> None:
    """Ask, answer and end so many times."""
    for _ in range(runs):
        card = make_card(session.user, session=session)
        answer(card)
        card.run.refresh_from_db()
        run_to_rest(card.run, scripted({"text": "Done."}))


def test_pages_of_a_session_take_the_same_queries_at_10_and_at_100_entries(api: Caller, ada: User) -> None:
    session = make_session(ada)
    paths = [f"/api/sessions/{session.public_id}/{part}" for part in ("messages?limit=100", "events?limit=100")]
    talk(session, 3)
    few = [queries(api, path) for path in paths]
    talk(session, 30)
    assert [queries(api, path) for path in paths] == few
    assert few[0] <= 6
