"""Cards without scripts: every mode, refusals, several cards, drafts, expiry."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.chat.models import Run
from apps.common.clock import database_now
from apps.interactions.models import Draft, Interaction
from apps.runs import services
from tests.support.runs import DONE, ask_questions, ask_user, asks
from tests.web.conftest import HTMX, OPTIONS, QUESTIONS, Ask, Say, address, page_of, result_of

MODES: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "single": ({"options": OPTIONS}, {"choice": "0"}, {"selections": ["safe"]}),
    "multiple": ({"options": OPTIONS}, {"choice": ["0", "1"]}, {"selections": ["safe", "implement"]}),
    "toggle": ({"options": OPTIONS}, {"choice": ["1"]}, {"selections": ["implement"]}),
    "text": ({}, {"text": "blue"}, {"customInput": "blue"}),
    "number": ({}, {"text": " 3.0 "}, {"value": 3.0}),
    "date": ({}, {"text": "2026-03-01"}, {"value": "2026-03-01"}),
    "directory": ({}, {"text": "a/./b/"}, {"value": "a/b"}),
}


def expire(row: Interaction, ago: float = 1) -> None:
    Interaction.objects.filter(pk=row.pk).update(expires_at=database_now() - timedelta(seconds=ago))


FORM = "application/x-www-form-urlencoded"


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_is_answered_by_a_plain_form(mode: str, browser: Client, ask: Ask) -> None:
    arguments, fields, expected = MODES[mode]
    row = ask(mode=mode, **arguments)
    answer = browser.post(address(row), fields)
    assert (answer.status_code, answer["Location"]) == (303, f"/s/{row.session.public_id}/#q-{row.public_id}")
    result = result_of(row)
    assert {key: result[key] for key in expected} == expected
    row.run.refresh_from_db()
    assert row.run.status == Run.Status.QUEUED


@pytest.mark.parametrize("mode", MODES)
def test_an_empty_answer_is_refused_beside_the_field_h62(mode: str, browser: Client, ask: Ask) -> None:
    row = ask(mode=mode, **MODES[mode][0])
    answer = browser.post(address(row), {})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'id="card-errors"' in page
    assert 'class="field-error"' in page
    assert 'data-request="' in page
    row.refresh_from_db()
    assert row.status == Interaction.Status.PENDING


def test_of_the_words_of_a_button_at_most_forty_characters_are_shown_as_text(browser: Client, ask: Ask) -> None:
    row = ask(mode="text", submitLabel="<b>" + "x" * 50)
    assert f">&lt;b&gt;{'x' * 36}…</button>" in page_of(browser, row)


@pytest.mark.parametrize("mode", MODES)
def test_nothing_is_selected_beforehand(mode: str, browser: Client, ask: Ask) -> None:
    page = page_of(browser, ask(mode=mode, **MODES[mode][0]))
    assert " checked" not in page.split('id="card-form"')[1].split("</form>")[0]


@pytest.mark.parametrize("mode", MODES)
def test_the_question_is_the_legend_of_its_fieldset_h70(mode: str, browser: Client, ask: Ask) -> None:
    page = page_of(browser, ask(mode=mode, title="Which of these?", **MODES[mode][0]))
    fieldset = page.split("<fieldset")[1].split("</fieldset>")[0]
    assert "Which of these?" in fieldset.split("<legend")[1].split("</legend>")[0]


def test_a_wrong_number_comes_back_with_what_was_typed_h9_h61(browser: Client, ask: Ask) -> None:
    row = ask(mode="number")
    for headers in ({}, HTMX):
        answer = browser.post(address(row), {"text": "3,2"}, headers=headers)
        assert answer.status_code == 422
        assert 'value="3,2"' in answer.content.decode()
        assert "Write a plain number" in answer.content.decode()


def test_a_label_with_a_comma_is_one_choice_h1(browser: Client, ask: Ask) -> None:
    options = [{"id": "a", "label": "Red, green"}, {"id": "b", "label": "Red"}, {"id": "c", "label": "green"}]
    row = ask(mode="multiple", options=options, allowCustom=True)
    browser.post(address(row), {"choice": "0", "text": "x, y; z|w"})
    assert (result_of(row)["selections"], result_of(row)["customInput"]) == (["a"], "x, y; z|w")
    assert page_of(browser, row).count('class="is-chosen"') == 1


def test_own_text_replaces_the_choice_of_a_single_question_h3(browser: Client, ask_several: Ask) -> None:
    row = ask_several({"id": "q1", "question": "How?", "options": [{"label": "Yes"}, {"label": "Other"}]})
    browser.post(address(row), {"q0-choice": "own", "q0-text": "after Friday"})
    assert result_of(row)["answers"] == [{"id": "q1", "selected": [], "custom": "after Friday"}]


def test_ticked_options_and_own_text_both_stand_h2(browser: Client, ask_several: Ask) -> None:
    row = ask_several({"id": "q1", "question": "Which?", "multi_select": True, "options": [{"label": x} for x in "ABC"]})
    browser.post(address(row), {"q0-choice": ["0", "2"], "q0-text": "only on Mondays"})
    assert result_of(row)["answers"] == [{"id": "q1", "selected": ["A", "C"], "custom": "only on Mondays"}]


def test_several_questions_are_one_form_and_one_answer(browser: Client, ask_several: Ask) -> None:
    row = ask_several()
    browser.post(address(row), {"q0-choice": "0", "q1-skip": "1", "q2-text": "src/app"})
    assert result_of(row)["answers"] == [
        {"id": "mode", "selected": ["Fast (Recommended)"]},
        {"id": "parts", "selected": []},
        {"id": "path", "selected": [], "custom": "src/app"},
    ]
    page = page_of(browser, row)
    assert "2 of 3" in page
    assert "Skipped" in page


def test_a_question_left_out_is_named_and_the_others_keep_their_values_h62(browser: Client, ask_several: Ask) -> None:
    row = ask_several()
    answer = browser.post(address(row), {"q0-choice": "1", "q2-text": "src"}, headers=HTMX)
    page = answer.content.decode()
    assert answer.status_code == 422
    errors = page.split('id="card-errors"')[1].split("</div>")[0]
    assert "Which parts? · Answer this question, or skip it." in errors
    assert errors.count("<li>") == 1
    assert 'value="1" checked' in page
    assert ">src</textarea>" in page


def test_one_question_is_skipped_by_its_button(browser: Client, ask_several: Ask) -> None:
    row = ask_several(QUESTIONS[0])
    assert 'name="q0-skip" value="1">Skip this question' in page_of(browser, row)
    browser.post(address(row), {"q0-skip": "1", "q0-choice": "0"})
    assert result_of(row)["answers"] == [{"id": "mode", "selected": []}]


def test_the_recommended_option_bears_a_badge_and_loses_its_suffix(browser: Client, ask_several: Ask) -> None:
    page = page_of(browser, ask_several())
    assert "Fast (Recommended)" not in page
    assert page.count('class="badge"') == 1


def test_equal_labels_are_two_choices_h4(browser: Client, ask: Ask) -> None:
    row = ask(mode="multiple", options=[{"id": ident, "label": "Other"} for ident in "abc"])
    browser.post(address(row), {"choice": "1"})
    assert result_of(row)["selections"] == ["b"]


def test_closing_says_what_it_does_and_does_it(browser: Client, ask: Ask, ask_several: Ask) -> None:
    stops, goes_on = ask(), ask_several()
    assert "Cancel and stop" in page_of(browser, stops)
    assert "Close without answering" in page_of(browser, goes_on)
    for row, status in ((stops, Run.Status.CANCELLED), (goes_on, Run.Status.QUEUED)):
        assert browser.post(address(row, "close"), {"text": "never mind"}).status_code == 303
        row.run.refresh_from_db()
        assert row.run.status == status


def test_who_comes_second_reads_what_won_and_keeps_the_text_h16(browser: Client, ask: Ask) -> None:
    row = ask()
    browser.post(address(row), {"text": "blue"})
    for headers in ({}, HTMX):
        answer = browser.post(address(row), {"text": "my late words"}, headers=headers)
        page = answer.content.decode()
        assert answer.status_code == 409
        assert "Already answered" in page
        assert "in the web interface: blue" in page
        assert ">my late words</textarea>" in page
    assert result_of(row)["customInput"] == "blue"


def test_a_late_answer_is_told_so_and_its_text_stays_selectable_h19(browser: Client, ask: Ask) -> None:
    row = ask()
    expire(row)
    answer = browser.post(address(row), {"text": "a long text"})
    page = answer.content.decode()
    assert answer.status_code == 410
    assert "This question has expired." in page
    assert ">a long text</textarea>" in page
    assert 'data-request="' not in page
    assert "Expired" in page
    assert result_of(row)["status"] == "expired"


def test_an_expired_card_is_not_offered_even_before_the_sweep_h20(browser: Client, ask: Ask) -> None:
    row = ask()
    expire(row)
    assert 'class="card"' not in page_of(browser, row)
    assert "Nothing waits for you" in browser.get("/inbox/").content.decode()


def test_keep_open_adds_a_day_to_what_is_left(browser: Client, ask: Ask) -> None:
    row = ask()
    until = database_now() + timedelta(days=3)
    Interaction.objects.filter(pk=row.pk).update(expires_at=until)
    browser.post(address(row, "extend"))
    row.refresh_from_db()
    assert row.expires_at is not None
    assert timedelta(hours=23) < row.expires_at - until <= timedelta(hours=24)


def test_keep_open_moves_the_deadline_and_keeps_what_is_filled_in(browser: Client, ask: Ask) -> None:
    row = ask()
    Interaction.objects.filter(pk=row.pk).update(expires_at=database_now() + timedelta(minutes=1))
    assert browser.post(address(row, "extend"), {"text": "half a sent"}).status_code == 303
    row.refresh_from_db()
    assert row.expires_at is not None
    assert row.expires_at > database_now() + timedelta(hours=23)
    assert ">half a sent</textarea>" in page_of(browser, row)


def test_keep_open_leaves_the_card_that_is_shown_where_it_is(browser: Client, say: Say) -> None:
    started = say(asks(ask_user("r1", title="First?"), ask_user("r2", title="Second?")), DONE)
    second = Interaction.objects.filter(run=started.run).order_by("id")[1]
    news = browser.post(address(second, "extend"), {"shown": second.public_id}, headers=HTMX).content.decode()
    assert "2 of 2 questions" in news
    assert 'id="card-slot"' not in news


def test_reply_in_chat_brings_the_typed_text_along_h25(browser: Client, ask: Ask) -> None:
    row = ask(mode="single", options=OPTIONS, allowCustom=True)
    page = browser.post(address(row, "reply"), {"choice": "own", "text": "only the tests"}).content.decode()
    composer = page.split('id="composer"')[1]
    assert ">only the tests</textarea>" in composer
    assert '<input type="hidden" id="on-pending" name="on_pending" value="supersede">' in composer
    row.refresh_from_db()
    assert row.status == Interaction.Status.PENDING


def test_a_draft_is_restored_and_is_never_an_answer_h21(browser: Client, ask_several: Ask) -> None:
    row = ask_several()
    assert browser.post(address(row, "draft"), {"q0-choice": "1", "q2-text": "src/"}).status_code == 204
    page = page_of(browser, row)
    assert 'value="1" checked' in page
    assert ">src/</textarea>" in page
    expire(row)
    services.expire_due()
    assert result_of(row)["status"] == "expired"
    assert Draft.objects.filter(pk=row.pk).exists()


def test_a_draft_of_another_door_in_any_form_does_no_harm(browser: Client, ask: Ask, ask_several: Ask) -> None:
    for row in (ask(mode="single", options=OPTIONS), ask_several()):
        for body in ({}, {"selections": 7, "answers": "x"}, {"answers": [None, {"id": 4}, {"id": "mode", "selected": 3}]}):
            services.save_draft(row.user, row.public_id, body)
            assert f'data-request="{row.public_id}"' in page_of(browser, row)


def test_a_draft_of_a_closed_card_is_refused(browser: Client, ask: Ask) -> None:
    row = ask()
    browser.post(address(row), {"text": "blue"})
    assert browser.post(address(row, "draft"), {"text": "late"}).status_code == 409


def test_of_two_cards_the_oldest_is_shown_first_with_a_switch_h18(browser: Client, say: Say) -> None:
    started = say(asks(ask_user("r1", title="First?"), ask_user("r2", title="Second?")), DONE)
    first, second = Interaction.objects.filter(run=started.run).order_by("id")
    page = page_of(browser, first)
    assert f'data-request="{first.public_id}"' in page
    assert "1 of 2 questions" in page
    for where in ("", "dock/"):
        switched = browser.get(f"/s/{first.session.public_id}/{where}?card={second.public_id}").content.decode()
        assert f'data-request="{second.public_id}"' in switched
    assert "2 of 2 questions" in switched
    browser.post(address(second), {"text": "two"})
    assert f'data-request="{first.public_id}"' in page_of(browser, first)


def test_the_deep_link_leads_to_the_open_card_and_shows_the_receipt_of_a_closed_one(browser: Client, ask: Ask) -> None:
    row = ask(title="Which colour?")
    assert browser.get(f"/q/{row.public_id}/")["Location"] == f"/s/{row.session.public_id}/?card={row.public_id}#card"
    browser.post(address(row), {"text": "blue"})
    page = browser.get(f"/q/{row.public_id}/").content.decode()
    assert "Which colour?" in page
    assert "blue" in page
    assert row.user.username in page


def test_what_is_too_long_is_refused_with_its_text(browser: Client, ask: Ask) -> None:
    row = ask()
    answer = browser.post(address(row), {"text": "长" * 30_000})
    assert answer.status_code == 413
    assert "too long" in answer.content.decode()
    assert "长长长" in answer.content.decode()


def test_a_nul_is_refused_in_words_h12(browser: Client, ask: Ask) -> None:
    row = ask()
    answer = browser.post(address(row), "text=ok%00x", content_type=FORM)
    assert answer.status_code == 400
    assert "NUL" in answer.content.decode()
    row.refresh_from_db()
    assert row.status == Interaction.Status.PENDING


def test_the_raw_body_is_kept_without_the_form_token(browser: Client, ask: Ask) -> None:
    row = ask()
    browser.post(address(row), "csrfmiddlewaretoken=secret&text=a+b&csrfmiddleware%74oken=secret", content_type=FORM)
    row.refresh_from_db()
    assert row.submission == "text=a+b"


def test_a_card_of_another_version_says_that_the_task_must_be_started_anew(browser: Client, ask: Ask) -> None:
    row = ask()
    Run.objects.filter(pk=row.run_id).update(state_version=999)
    page = page_of(browser, row)
    assert "start the task anew" in page
    assert 'id="card-form"' not in page
    assert browser.post(address(row), {"text": "x"}).status_code == 409


def test_hostile_words_on_a_card_and_its_receipt_stay_text_h88(browser: Client, say: Say) -> None:
    hostile = "<img src=x onerror=alert(1)><svg/onload=alert(1)>[x](javascript:alert(1))"
    option = {"id": "a", "label": hostile, "description": hostile}
    arguments: dict[str, Any] = {
        "title": hostile,
        "description": hostile,
        "mode": "multiple",
        "options": [option],
        "allowCustom": True,
    }
    started = say(asks(ask_user(**arguments)), DONE)
    row = Interaction.objects.get(run=started.run)
    card = page_of(browser, row)
    browser.post(address(row), {"choice": "0", "text": hostile})
    for page in (card, page_of(browser, row), browser.get(f"/q/{row.public_id}/").content.decode()):
        assert "<img" not in page
        assert "<svg/" not in page
        assert 'href="javascript' not in page


def test_odd_options_of_a_model_are_shown_as_words_h7(browser: Client, ask: Ask) -> None:
    row = ask(mode="single", options=["Tea", {"id": "w", "label": "Water"}, None])
    for _reload in range(3):
        page = page_of(browser, row)
        assert "Tea" in page
        assert "[object Object]" not in page
        assert "{&#x27;" not in page


def test_a_day_is_shown_as_it_was_picked_h11(browser: Client, ask: Ask) -> None:
    row = ask(mode="date")
    browser.post(address(row), {"text": "2026-03-01"})
    assert '<blockquote class="receipt-text">2026-03-01</blockquote>' in page_of(browser, row)


def test_long_labels_and_headers_are_shown_whole_h71_h8(browser: Client, ask_several: Ask) -> None:
    labels = ["same " * 30 + each for each in ("one", "two")]
    header = "Deployment target region (production)"
    row = ask_several({"id": "q", "header": header, "question": "Where?", "options": [{"label": label} for label in labels]})
    page = page_of(browser, row)
    assert all(label in page for label in labels)
    assert header in page


def test_a_question_whose_words_were_erased_still_has_a_receipt(browser: Client, say: Say) -> None:
    started = say(asks(ask_questions(questions=QUESTIONS)), DONE)
    row = Interaction.objects.get(run=started.run)
    browser.post(address(row, "close"))
    Interaction.objects.filter(pk=row.pk).update(payload={})
    assert "The words of this question were erased." in page_of(browser, row)
