"""Inbox, list of chats, settings, errors."""

import gzip
from datetime import timedelta

from django.db import connection
from django.http import HttpResponse
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import path

from apps.accounts.models import ApiToken, User
from apps.accounts.tokens import make_token, user_of_token
from apps.audit.models import AuditRecord
from apps.chat.models import ChatSession
from apps.common.clock import database_now
from apps.interactions.models import Interaction
from apps.runs import services
from apps.web.urls import urlpatterns
from apps.web.views.inbox import PAGE
from config.urls import urlpatterns as all_patterns
from tests.factories.accounts import PASSWORD, UserFactory
from tests.support.runs import DONE
from tests.web.conftest import HTMX, Ask, Say, address


def text_of(browser: Client, where: str, **headers: str) -> str:
    """Return a page."""
    return browser.get(where, headers=headers).content.decode()


# --- inbox ----------------------------------------------------------------------------------------
def test_the_inbox_knows_which_emptiness_it_is(browser: Client, ask: Ask) -> None:
    assert "No question yet" in text_of(browser, "/inbox/")
    browser.post(address(ask()), {"text": "blue"})
    assert "Nothing waits for you" in text_of(browser, "/inbox/")


def test_the_inbox_lists_what_waits_oldest_first_with_the_nearest_deadline(browser: Client, ask: Ask) -> None:
    first, second = ask(title="First?"), ask(title="Second?")
    soon = database_now() + timedelta(minutes=5)
    Interaction.objects.filter(pk=second.pk).update(expires_at=soon)
    page = text_of(browser, "/inbox/")
    assert page.index("First?") < page.index("Second?")
    assert "2 questions wait for you." in page
    assert f'The nearest one expires <time datetime="{soon.isoformat()}">' in page
    assert f'href="/q/{first.public_id}/"' in page


def test_a_script_gets_the_list_alone(browser: Client, ask: Ask) -> None:
    ask()
    assert "<html" not in text_of(browser, "/inbox/", **HTMX)


def test_the_inbox_costs_as_many_queries_with_many_cards_as_with_one(browser: Client, ask: Ask) -> None:
    ask()
    few = _queries(browser, "/inbox/")
    for _card in range(8):
        ask()
    assert _queries(browser, "/inbox/") == few


def test_a_full_inbox_weighs_at_most_twenty_kilobytes(browser: Client, ask: Ask) -> None:
    for _card in range(PAGE + 1):
        ask(title="How should the report be grouped, by month or by customer?")
    assert len(browser.get("/inbox/").content) <= 20_000


def _queries(browser: Client, where: str) -> int:
    browser.get(where)
    with CaptureQueriesContext(connection) as found:
        browser.get(where)
    return len(found)


# --- the list at the side, the list of all --------------------------------------------------------
def test_the_side_groups_what_needs_one_what_runs_and_the_rest(browser: Client, user: User, ask: Ask, say: Say) -> None:
    old = say(DONE, message="an old one").session
    ChatSession.objects.filter(pk=old.pk).update(updated_at=database_now() - timedelta(days=2))
    say(DONE, message="finished one")
    ask()
    services.start_run(user, services.NewRun("running one"))
    side = text_of(browser, "/sidebar/")
    words = ("Needs you", "Help me", "Running", "running one", "Today", "finished one", "Earlier", "an old one")
    places = [side.index(each) for each in words]
    assert places == sorted(places)
    assert 'data-waiting="1"' in side


def test_chats_are_found_by_title_and_an_empty_find_can_be_cleared(browser: Client, say: Say) -> None:
    say(DONE, message="apples and pears")
    assert "apples and pears" in text_of(browser, "/sessions/?q=PEARS").split("<main")[1]
    page = text_of(browser, "/sessions/?q=%3Cb%3Eplums")
    assert "No chat is titled" in page
    assert "Clear the search" in page
    assert "<b>plums" not in page


def test_the_archive_says_that_it_was_searched_and_is_cleared_by_itself(browser: Client, say: Say) -> None:
    session = say(DONE, message="apples and pears").session
    assert "Nothing is archived" in text_of(browser, "/sessions/?archived=1")
    browser.post(f"/s/{session.public_id}/archive/", {"archived": "1"})
    assert "1 chat</p>" in text_of(browser, "/sessions/?archived=1")
    page = text_of(browser, "/sessions/?archived=1&q=plums")
    assert "No archived chat is titled" in page
    assert 'href="/sessions/?archived=1">Clear the search' in page


def test_a_chat_is_renamed_archived_and_deleted(browser: Client, say: Say) -> None:
    session = say(DONE).session
    where = f"/s/{session.public_id}/"
    assert browser.post(f"{where}rename/", {"title": "A better name", "next": where})["Location"] == where
    browser.post(f"{where}archive/", {"archived": "1"})
    assert "A better name" in text_of(browser, "/sessions/?archived=1").split("<main")[1]
    assert "A better name" not in text_of(browser, "/sessions/").split("<main")[1]
    assert "Delete for good" in text_of(browser, f"{where}delete/")
    assert browser.post(f"{where}delete/now/")["Location"] == "/"
    assert not ChatSession.objects.exists()


# --- settings -------------------------------------------------------------------------------------
def test_language_and_theme_are_kept(browser: Client, user: User) -> None:
    browser.post("/settings/", {"part": "looks", "language": "zh-hans", "theme": "dark"})
    assert '<html lang="zh-hans" data-theme="dark">' in text_of(browser, "/settings/")
    browser.post("/settings/", {"part": "looks", "language": "klingon", "theme": "pink"})
    user.refresh_from_db()
    assert (user.language, user.preferences["theme"]) == ("zh-hans", "dark")


def test_a_token_is_shown_once_and_works(browser: Client, user: User) -> None:
    answer = browser.post("/settings/tokens/", {"name": "script", "scope": ["read", "answer"], "days": "30"})
    plain = answer.content.decode().split('readonly value="')[1].split('"')[0]
    found = user_of_token(plain)
    assert found is not None
    assert (found[0], found[1].scopes) == (user, ["read", "answer"])
    assert "no-store" in answer["Cache-Control"]
    assert plain not in text_of(browser, "/settings/")


def test_a_token_cannot_be_made_wider_than_its_user(browser: Client) -> None:
    answer = browser.post("/settings/tokens/", {"name": "x", "scope": ["admin"]})
    assert answer.status_code == 422
    assert not ApiToken.objects.exists()


def test_a_token_is_revoked_by_its_user_only(browser: Client, user: User) -> None:
    mine, plain = make_token(user, "mine")
    other, _plain = make_token(UserFactory.create(), "other")
    assert browser.post(f"/settings/tokens/{other.public_id}/revoke/").status_code == 404
    assert browser.post(f"/settings/tokens/{mine.public_id}/revoke/").status_code == 303
    assert user_of_token(plain) is None
    other.refresh_from_db()
    assert other.revoked_at is None


def test_the_password_is_changed_with_the_old_one_and_is_recorded(browser: Client, user: User) -> None:
    new = {"new": "another long password", "again": "another long password"}
    assert browser.post("/settings/password/", {"old": "wrong"} | new).status_code == 422
    assert browser.post("/settings/password/", {"old": PASSWORD} | new).status_code == 303
    user.refresh_from_db()
    assert user.check_password("another long password")
    assert browser.get("/settings/").status_code == 200
    record = AuditRecord.objects.get(kind="settings_changed")
    assert record.summary["names"] == ["password"]


def test_a_weak_or_mistyped_password_is_refused_in_words(browser: Client) -> None:
    assert "too short" in _change(browser, "short", "short")
    assert "The two new passwords differ." in _change(browser, "a long password", "another one")


def _change(browser: Client, new: str, again: str) -> str:
    answer = browser.post("/settings/password/", {"old": PASSWORD, "new": new, "again": again})
    assert answer.status_code == 422
    return answer.content.decode()


def test_a_fresh_form_token_is_given_to_who_is_signed_in(browser: Client) -> None:
    assert len(browser.get("/settings/form-token/").content) == 64


# --- errors ---------------------------------------------------------------------------------------
def test_an_unknown_page_is_told_in_words(browser: Client) -> None:
    answer = browser.get("/nowhere/")
    assert answer.status_code == 404
    assert "There is nothing here" in answer.content.decode()


def explode(request: object) -> HttpResponse:
    raise RuntimeError("a fault of ours")


class WithFault:
    """Addresses with one that fails."""

    urlpatterns = [path("explode/", explode), *all_patterns, *urlpatterns]


@override_settings(ROOT_URLCONF=WithFault)
def test_a_fault_of_ours_is_told_in_words_and_shows_nothing_of_it(browser: Client) -> None:
    browser.raise_request_exception = False
    answer = browser.get("/explode/")
    assert answer.status_code == 500
    assert "The service met an error of its own" in answer.content.decode()
    assert "a fault of ours" not in answer.content.decode()


# --- static files -----------------------------------------------------------------------------------
def test_a_script_is_sent_compressed_to_whom_takes_it_so_and_plain_to_others() -> None:
    plain = Client().get("/static/app/js/card.js")
    packed = Client().get("/static/app/js/card.js", headers={"Accept-Encoding": "gzip"})
    assert packed["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain
    assert gzip.decompress(packed.getvalue()) == plain.getvalue()
    assert "Accept-Encoding" in packed["Vary"]


def test_a_search_that_finds_nothing_here_says_what_the_archive_holds(browser: Client, say: Say) -> None:
    session = say(DONE, message="Trains to Lyon").session
    assert "found in the archive" not in browser.get("/sessions/?q=boats").content.decode()
    ChatSession.objects.filter(pk=session.pk).update(archived=True)
    page = browser.get("/sessions/?q=trains").content.decode()
    assert "No current chat is titled “trains”" in page
    assert '<a class="button primary" href="/sessions/?archived=1&amp;q=trains">1 found in the archive</a>' in page


def test_an_archived_chat_says_so_and_is_brought_back_from_its_own_page(browser: Client, say: Say) -> None:
    session = say(DONE).session
    where = f"/s/{session.public_id}/"
    assert "This chat is in the archive." not in browser.get(where).content.decode()
    browser.post(f"{where}archive/", {"archived": "1", "next": where})
    assert "This chat is in the archive." in browser.get(where).content.decode()
