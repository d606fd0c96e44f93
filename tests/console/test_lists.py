"""Lists: filters, search by ids and user alone, pages by key; none of them reads anybody's text."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.audit.models import AuditRecord
from apps.chat.models import ChatSession, Run
from apps.common.clock import database_now
from apps.console import paging
from apps.interactions.models import Interaction
from tests.console.conftest import OWN, Story
from tests.factories.accounts import UserFactory
from tests.factories.chat import make_card

INTERACTIONS, RECORDS = "/admin/interactions/interaction/", "/admin/audit/auditrecord/"
SESSIONS, RUNS = "/admin/chat/chatsession/", "/admin/chat/run/"
LISTS = (INTERACTIONS, RECORDS, SESSIONS, RUNS)


def rows(client: Client, address: str) -> list[str]:
    """Return the references of the rows of a page, in its order."""
    text = client.get(address).content.decode()
    table = text.partition('id="result_list"')[2].partition("</table>")[0]
    list_path = address.partition("?")[0]
    return list(dict.fromkeys(re.findall(rf'href="{list_path}([\w.]+)/change/"', table)))


def spread(user: User, count: int) -> list[Interaction]:
    """Make interactions of one run, a minute apart, the newest last; every third was cancelled."""
    first = make_card(user)
    now = database_now()
    Interaction.objects.filter(pk=first.pk).update(status="answered", resolved_at=now, resolved_by=user, channel="web")
    copies = []
    for nth in range(count):
        copy = Interaction.objects.get(pk=first.pk)
        copy.pk, copy.public_id = None, f"ask_{nth:032x}"
        copy.created_at = now - timedelta(minutes=count - nth)
        copy.resolved_at = copy.created_at + timedelta(seconds=nth)
        copy.status = "cancelled" if nth % 3 == 0 else "answered"
        copies.append(copy)
    Interaction.objects.filter(pk=first.pk).delete()
    return list(Interaction.objects.bulk_create(copies))


@pytest.mark.parametrize("address", LISTS)
def test_no_list_shows_anybodys_words(address: str, root: Client, story: Story) -> None:
    text = root.get(address).content.decode()
    for words in (OWN, "Help me with", "Which way?", "Analyse first"):
        assert words not in text


@pytest.mark.parametrize("word", [OWN, "Which way?", "Help", "Analyse", "50%", "_", "%", "'", "ask_", "sess_x"])
@pytest.mark.parametrize("address", LISTS)
def test_h75_a_search_finds_ids_and_users_and_never_text(address: str, word: str, root: Client, story: Story) -> None:
    answer = root.get(address, {"q": word})
    assert answer.status_code == 200
    assert 'id="result_list"' not in answer.content.decode()


@pytest.mark.parametrize("address", LISTS)
def test_a_search_with_a_nul_is_no_fault(address: str, root: Client, story: Story) -> None:
    assert root.get(address, {"q": "\0"}).status_code == 200


@pytest.mark.parametrize("lookup", ["payload__icontains", "submission__startswith", "user__password__startswith", "run__config"])
def test_h75_no_lookup_in_the_address_searches_what_people_wrote(lookup: str, root: Client, story: Story) -> None:
    assert root.get(INTERACTIONS, {lookup: "M"}).status_code == 400


def test_h75_each_line_says_what_was_chosen_by_places_and_lengths(root: Client, story: Story) -> None:
    lines = root.get(INTERACTIONS).content.decode().partition("<tbody>")[2].split("<tr>")
    [answered] = [line for line in lines if story.answered.public_id in line]
    [waiting] = [line for line in lines if story.open.public_id in line]
    assert f'<td class="field-given">#1; own text, {len("but MY-SECRET-42")} characters</td>' in answered
    assert '<td class="field-given">–</td>' in waiting


@pytest.mark.parametrize("by", ["session", "run", "answered", "user", "name"])
def test_ids_and_the_name_of_a_user_find_the_interaction_with_its_session_run_and_records(
    by: str, root: Client, story: Story
) -> None:
    make_card(UserFactory.create(username="bob"))
    words = {
        "session": story.session.public_id,
        "run": story.run.public_id,
        "answered": story.answered.public_id,
        "user": story.user.public_id,
        "name": "ada",
    }
    assert story.answered.public_id in rows(root, f"{INTERACTIONS}?q={words[by]}")
    assert rows(root, f"{SESSIONS}?q={words[by]}") == [story.session.public_id]
    assert rows(root, f"{RUNS}?q={words[by]}") == [story.run.public_id]
    found = rows(root, f"{RECORDS}?q={words[by]}")
    assert found
    assert {reference.partition(".")[0] for reference in found} == {story.session.public_id}


def test_the_beginning_of_a_name_finds_all_users_that_begin_so(root: Client, story: Story) -> None:
    other = make_card(UserFactory.create(username="adam"))
    assert set(rows(root, f"{SESSIONS}?q=ada")) == {story.session.public_id}
    assert set(rows(root, f"{SESSIONS}?q=ad")) == {story.session.public_id, other.session.public_id}


def test_records_without_a_session_are_found_as_the_installations(root: Client, story: Story) -> None:
    root.post("/admin/audit/retention/", {"drafts": "31"})
    assert rows(root, f"{RECORDS}?q=installation")[0].startswith("installation.")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("status=answered", "answered"),
        ("status=pending", "open"),
        ("kind=ask_user&mode=multiple", "answered"),
        ("mode=text", "open"),
        ("channel=web", "answered"),
        ("answered_by=ada", "answered"),
        ("capability=chat&status=answered", "answered"),
    ],
)
def test_filters_narrow_the_list(query: str, expected: str, root: Client, story: Story) -> None:
    assert rows(root, f"{INTERACTIONS}?{query}") == [getattr(story, expected).public_id]


@pytest.mark.parametrize(
    "query", ["capability=deep_solve", "kind=approval", "answered_by=nobody", "waited=86400", "status=expired"]
)
def test_a_filter_that_nothing_fits_says_so(query: str, root: Client, story: Story) -> None:
    text = root.get(f"{INTERACTIONS}?{query}").content.decode()
    assert "Nothing fits these filters." in text


def test_days_are_whole_and_in_utc(root: Client, story: Story) -> None:
    day = story.answered.created_at.date()
    assert len(rows(root, f"{INTERACTIONS}?since={day}&until={day}")) == 2
    assert rows(root, f"{INTERACTIONS}?until={day - timedelta(days=1)}") == []
    assert rows(root, f"{INTERACTIONS}?since={day + timedelta(days=1)}") == []


def test_what_waited_longer_than_a_time_is_found_open_or_closed(root: Client, story: Story) -> None:
    long_ago = database_now() - timedelta(hours=2)
    Interaction.objects.filter(pk=story.open.pk).update(created_at=long_ago)
    Interaction.objects.filter(pk=story.answered.pk).update(created_at=long_ago, resolved_at=long_ago + timedelta(minutes=30))
    assert set(rows(root, f"{INTERACTIONS}?waited=600")) == {story.open.public_id, story.answered.public_id}
    assert rows(root, f"{INTERACTIONS}?waited=3600") == [story.open.public_id]


@pytest.mark.parametrize("query", ["status=odd", "since=yesterday", "since=9999-99-99", "until=9999-12-31", "waited=1e9"])
def test_a_value_that_no_filter_has_leads_back_to_the_list(query: str, root: Client, story: Story) -> None:
    answer = root.get(f"{INTERACTIONS}?{query}")
    assert (answer.status_code, answer["Location"]) == (302, f"{INTERACTIONS}?e=1")
    assert root.get(answer["Location"]).status_code == 200


@pytest.mark.parametrize("status", ["queued", "running", "waiting", "completed", "failed", "cancelled"])
def test_runs_are_filtered_by_each_status(status: str, root: Client, story: Story) -> None:
    ended = None if status in Run.ACTIVE else database_now()
    Run.objects.filter(pk=story.run.pk).update(status=status, ended_at=ended)
    assert rows(root, f"{RUNS}?status={status}") == [story.run.public_id]
    assert rows(root, f"{RUNS}?status={'failed' if status != 'failed' else 'queued'}") == []


def test_records_are_filtered_by_kind_actor_and_channel(root: Client, story: Story) -> None:
    [found] = rows(root, f"{RECORDS}?kind=interaction_answered")
    record = AuditRecord.objects.get(session=story.session.public_id, number=int(found.rpartition(".")[2]))
    assert (record.kind, record.actor_id) == ("interaction_answered", story.user.public_id)
    assert rows(root, f"{RECORDS}?kind=interaction_answered&actor_kind=agent") == []
    assert rows(root, f"{RECORDS}?kind=interaction_answered&channel=web") == [found]


def test_pages_follow_each_other_without_a_gap_or_a_repeat(root: Client, story: Story) -> None:
    expected = [row.public_id for row in reversed(spread(UserFactory.create(), 130))]
    expected = [story.open.public_id, story.answered.public_id, *expected]
    found: list[str] = []
    address = INTERACTIONS
    while address:
        page = rows(root, address)
        found += page
        text = root.get(address).content.decode()
        older = re.search(r'href="(\?before=[^"]+)">Older', text)
        address = INTERACTIONS + older[1].replace("&amp;", "&") if older else ""
    assert found == expected


def test_a_page_keeps_filters_and_search_in_its_address(root: Client, story: Story) -> None:
    spread(UserFactory.create(username="carl"), 130)
    text = root.get(f"{INTERACTIONS}?status=answered&q=carl").content.decode()
    older = re.search(r'href="(\?before=[^"]+)">Older', text)
    assert older
    address = older[1].replace("&amp;", "&")
    assert {"status=answered", "q=carl"} <= set(address[1:].split("&"))
    # Of 130 every third was cancelled.
    assert len(rows(root, INTERACTIONS + address)) == 86 - 50


def test_a_search_through_much_offers_to_look_further_back(root: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "WINDOW", 20)
    made = spread(UserFactory.create(), 90)
    Interaction.objects.filter(pk=made[5].pk).update(mode="date")
    address, seen = f"{INTERACTIONS}?mode=date", 0
    while not (found := rows(root, address)):
        text = root.get(address).content.decode()
        assert "Nothing here so far." in text
        further = re.search(r'href="(\?before=[^"]+)">Look further back', text)
        assert further
        address, seen = INTERACTIONS + further[1].replace("&amp;", "&"), seen + 1
    assert (found, seen) == ([made[5].public_id], 4)


@pytest.mark.parametrize("query", ["before=ask_unknown", "before=%00", "before=1"])
def test_a_place_that_there_is_not_is_not_found(query: str, root: Client, story: Story) -> None:
    assert root.get(f"{INTERACTIONS}?{query}").status_code == 404


@pytest.mark.parametrize("address", LISTS)
def test_empty_lists_know_that_nothing_has_happened_yet(address: str, root: Client) -> None:
    if address == RECORDS:
        return  # the sign-in of who looks is a record
    assert "Nothing yet." in root.get(address).content.decode()


def test_deleted_sessions_leave_their_records_findable_by_every_id(root: Client, story: Story) -> None:
    ChatSession.objects.filter(pk=story.session.pk).delete()
    for word in (story.session.public_id, story.run.public_id, story.answered.public_id):
        assert rows(root, f"{RECORDS}?q={word}")
    assert "answered" in root.get(f"{RECORDS}?q={story.answered.public_id}").content.decode()


def test_the_lists_speak_chinese_to_who_wants_it(root: Client, story: Story) -> None:
    answer = root.get(INTERACTIONS, headers={"Accept-Language": "zh-hans"})
    assert 'lang="zh-hans"' in answer.content.decode()
