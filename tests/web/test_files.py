"""Files in the timeline: a card each below the call that made them, a picture shown, without any script."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from apps.chat.models import ChatSession, ToolCall
from apps.providers.scripted import ScriptedModel
from apps.runs.erasing import erase_session, workspace_of
from apps.toolkit.models import Artifact
from apps.web import timeline
from tests.factories.files import PIXEL, make_artifact
from tests.runs.living import no_files_left  # noqa: F401 - a fixture for every test here
from tests.support.runs import DONE, asks
from tests.toolkit.scripts import make
from tests.web.conftest import Say

pytestmark = pytest.mark.django_db


def page(browser: Client, session: ChatSession) -> str:
    return browser.get(f"/s/{session.public_id}/").content.decode()


def test_a_file_has_a_card_with_its_name_its_size_and_its_link(say: Say, browser: Client) -> None:
    html = page(browser, say(asks(make(name="报告.txt", content="x" * 2048)), DONE).session)
    row = Artifact.objects.get()
    assert f'href="/api/artifacts/{row.public_id}" download="报告.txt"' in html
    assert "2.0\xa0KB" in html
    assert "<img" not in html


def test_a_picture_is_shown_with_words_that_stand_for_it(say: Say, browser: Client) -> None:
    session = say(asks(make()), DONE).session
    row = make_artifact(ToolCall.objects.get(), 'plot "1".png', PIXEL)
    html = page(browser, session)
    assert f'src="/api/artifacts/{row.public_id}" alt="Picture: plot &quot;1&quot;.png"' in html


def test_of_a_table_the_first_rows_are_shown_as_text(say: Say, browser: Client) -> None:
    session = say(asks(make()), DONE).session
    rows = "".join(f"{n},<b>{n}</b>\n" for n in range(2000))
    make_artifact(ToolCall.objects.get(), "t.csv", f"number,值\n{rows}".encode())
    html = page(browser, session)
    assert '<th scope="col">number</th><th scope="col">值</th>' in html
    assert "<td>4</td><td>&lt;b&gt;4&lt;/b&gt;</td>" in html
    assert "<td>5</td>" not in html


def test_a_table_that_is_none_or_is_gone_is_a_card_like_others(say: Say, browser: Client) -> None:
    session = say(asks(make()), DONE).session
    call = ToolCall.objects.get()
    make_artifact(call, "odd.csv", b"\x00\xff\n\n")
    (workspace_of(session.public_id) / make_artifact(call, "gone.csv", b"a,b", "exec/1").path).unlink()
    html = page(browser, session)
    assert "odd.csv" in html
    assert "gone.csv" in html
    assert "<table>" not in html


def test_the_words_are_chinese_for_who_reads_chinese(say: Say, browser: Client, user: object) -> None:
    session = say(asks(make()), DONE).session
    make_artifact(ToolCall.objects.get(), "图.png", PIXEL)
    html = browser.get(f"/s/{session.public_id}/", headers={"Accept-Language": "zh-CN"}).content.decode()
    assert "下载" in html
    assert "图片：图.png" in html


def test_the_files_of_a_delegated_run_stand_below_the_call_that_gave_its_task_away(say: Say, browser: Client) -> None:
    give_away = {"id": "d1", "name": "delegate", "arguments": {"task": "Write it down. [[child#1]]"}}
    model = ScriptedModel({"s": [asks(give_away), DONE], "child": [asks(make()), DONE]})
    html = page(browser, say(model=model, message="Help [[s#p]]").session)
    assert html.count(f'href="/api/artifacts/{Artifact.objects.get().public_id}"') == 1


def test_an_erased_file_says_so_and_has_no_link(say: Say, browser: Client) -> None:
    session = say(asks(make()), DONE).session
    erase_session(session)
    html = page(browser, session)
    assert "Erased" in html
    assert "/api/artifacts/" not in html
    assert "notes.txt" not in html


def test_many_files_take_as_many_queries_as_one(say: Say) -> None:
    counts = []
    for number in (1, 5):
        session = say(asks(*(make(ident=f"f{n}", content=str(n)) for n in range(number))), DONE).session
        with CaptureQueriesContext(connection) as queries:
            timeline.latest(session)
        counts.append(len(queries))
    assert counts[0] == counts[1]
