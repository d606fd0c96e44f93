"""Intake of ask_user: what models send becomes a card, or a refusal that names the field."""

import json

import pytest

from apps.agent.tools import Refusal
from apps.interactions.contract import AskUser
from apps.interactions.intake import TakenIn, take_in_ask_user
from tests.support.questions import IMPLEMENT, SAFE, call


def take_in(**arguments) -> TakenIn[AskUser]:
    taken = take_in_ask_user(call("ask_user", arguments))
    assert isinstance(taken, TakenIn), taken
    return taken


def refused(arguments, language="en", **extras) -> Refusal:
    refusal = take_in_ask_user(call("ask_user", arguments, **extras), language)
    assert isinstance(refusal, Refusal)
    return refusal


def test_a_well_formed_question_is_taken_as_it_is():
    taken = take_in(title="How?", mode="single", options=[SAFE, IMPLEMENT], submitLabel="Continue", allowCustom=True)
    assert taken.repairs == ()
    assert [option.id for option in taken.ask.options] == ["safe", "implement"]
    assert [option.recommended for option in taken.ask.options] == [True, False]
    assert taken.ask.allow_custom
    assert taken.ask.submit_label == "Continue"


def test_h06_arguments_and_options_encoded_twice_are_decoded():
    arguments = json.dumps(json.dumps({"title": "Q", "mode": "single", "options": json.dumps([SAFE])}))
    taken = take_in_ask_user(call("ask_user", arguments))
    assert isinstance(taken, TakenIn)
    assert taken.ask.options[0].id == "safe"
    assert taken.repairs == ("arguments: decoded", "options: decoded")


def test_h07_every_shown_option_has_an_id_and_a_label():
    taken = take_in(title="Drink?", mode="single", options=["Tea", {"label": "Coffee"}, None, {"id": "w", "label": "Water"}, {}])
    assert [(option.id, option.label) for option in taken.ask.options] == [("Tea", "Tea"), ("Coffee", "Coffee"), ("w", "Water")]
    assert "options: empty ones dropped" in taken.repairs


def test_h07_an_option_encoded_as_json_is_decoded_and_never_shown_as_json():
    taken = take_in(title="Q", mode="single", options=[json.dumps(SAFE), "[1]"])
    assert [option.label for option in taken.ask.options] == ["Analyse first", "[1]"]


def test_h07_numbers_stand_for_ids_and_labels():
    taken = take_in(title="Which?", mode="single", options=[0, 0.5, {"id": 7, "label": 2024}])
    assert [(option.id, option.label) for option in taken.ask.options] == [("0", "0"), ("0.5", "0.5"), ("7", "2024")]


@pytest.mark.parametrize(
    "option", [True, [], [1], {"value": "x"}, {"label": ["x"]}, {"id": {}, "label": "x"}, {"description": "x"}]
)
def test_h07_an_option_in_no_known_form_is_dropped_if_empty_and_else_refused(option):
    taken = take_in_ask_user(call("ask_user", {"title": "Q", "mode": "single", "options": [SAFE, option]}))
    if option == []:
        assert isinstance(taken, TakenIn)
        assert len(taken.ask.options) == 1
    else:
        assert isinstance(taken, Refusal)
        assert taken.field.startswith("options[1]")


def test_h04_repeated_option_ids_are_refused():
    refusal = refused({"title": "Q", "mode": "multiple", "options": [SAFE, SAFE]})
    assert (refusal.code, refusal.field) == ("BAD_QUESTION", "options[1].id")


def test_h04_equal_labels_are_told_apart_and_keep_their_ids():
    options = [
        {"id": ident, "label": label} for ident, label in [("a", "Other"), ("b", "other "), ("c", "Ｏther"), ("d", "Other (2)")]
    ]
    ask = take_in(title="Q", mode="multiple", options=options).ask
    assert [option.id for option in ask.options] == ["a", "b", "c", "d"]
    assert [option.label for option in ask.options] == ["Other", "other (3)", "Ｏther (4)", "Other (2)"]


def test_hidden_characters_leave_shown_text_and_emoji_stay_whole():
    taken = take_in(
        title="Ab\u202ecd\x07ef\u200bgh", mode="single", options=[{"id": "f\u200d", "label": "👩\u200d👩\u200d👦 B\x00C"}]
    )
    assert taken.ask.title == "Abcdefgh"
    assert taken.ask.options[0].label == "👩\u200d👩\u200d👦 BC"
    assert taken.ask.options[0].id == "f\u200d", "an id is a value: it stays as it is"
    assert taken.repairs == ("title: hidden characters removed", "options[0].label: hidden characters removed")


def test_an_id_that_no_database_holds_is_refused():
    assert refused({"title": "Q", "mode": "single", "options": [{"id": "a\0", "label": "A"}]}).field == "options[0].id"


@pytest.mark.parametrize("mode", ["single", "multiple", "toggle"])
@pytest.mark.parametrize("options", [None, [], "", "[]", [None, {}, " "]])
def test_choosing_needs_options(mode, options):
    assert refused({"title": "Q", "mode": mode, "options": options}).field == "options"
    taken = take_in(title="Q", mode=mode, options=options, allowCustom=True)
    assert (taken.ask.mode, taken.ask.allow_custom) == ("text", False)
    assert "mode: became text, for there are no options" in taken.repairs


@pytest.mark.parametrize("mode", ["text", "number", "date", "directory"])
def test_a_typed_answer_has_one_field(mode):
    taken = take_in(title="Q", mode=mode, options=[SAFE], allowCustom=True)
    assert (taken.ask.options, taken.ask.allow_custom) == ((), False)
    assert [repair.split(":")[0] for repair in taken.repairs] == ["options", "allowCustom"]


def test_unknown_keys_are_dropped_and_not_repeated_in_the_repairs():
    taken = take_in(title="Q", mode="text", intent={"kind": "plan-review"}, secret="x")
    assert taken.repairs == ("arguments: unknown keys dropped",)


def test_truth_given_as_text_is_read_and_anything_else_refused():
    assert take_in(title="Q", mode="single", options=[SAFE], allowCustom="True").ask.allow_custom
    assert refused({"title": "Q", "mode": "single", "options": [SAFE], "allowCustom": "yes"}).field == "allowCustom"


WRONG = [
    ({}, "title"),
    ({"mode": "text"}, "title"),
    ({"title": " \u200b", "mode": "text"}, "title"),
    ({"title": 5, "mode": "text"}, "title"),
    ({"title": "x" * 201, "mode": "text"}, "title"),
    ({"title": "Q"}, "mode"),
    ({"title": "Q", "mode": "regler"}, "mode"),
    ({"title": "Q", "mode": ["text"]}, "mode"),
    ({"title": "Q", "mode": "text", "description": "x" * 20_001}, "description"),
    ({"title": "Q", "mode": "single", "options": "A, B, C"}, "options"),
    ({"title": "Q", "mode": "single", "options": {"a": "A"}}, "options"),
    ({"title": "Q", "mode": "single", "options": [{"id": "a", "label": "x" * 501}]}, "options[0].label"),
    ({"title": "Q", "mode": "single", "options": [{"id": "a", "label": "A", "recommended": 3}]}, "options[0].recommended"),
    ({"title": "Q", "mode": "single", "options": [f"o{n}" for n in range(51)]}, "options"),
    ({"title": "Q", "mode": "text", "description": "汉" * 20_000, "submitLabel": "汉" * 3_000}, "arguments"),
    ([], "arguments"),
    ("null", "arguments"),
    ('{"title": "x", ', "arguments"),
    ("[" * 100_000, "arguments"),
]


@pytest.mark.parametrize(("arguments", "field"), WRONG, ids=range(len(WRONG)))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_cannot_be_repaired_is_refused_by_name_and_with_the_right_form(arguments, field, language):
    refusal = refused(arguments, language)
    assert (refusal.code, refusal.field) == ("BAD_QUESTION", field)
    assert refusal.message
    assert field in refusal.message or field == "arguments"
    assert "{field}" not in refusal.message


def test_arguments_that_were_no_json_are_refused_even_if_repaired():
    assert refused({"title": "Q", "mode": "text"}, invalidArguments=True).field == "arguments"


def test_raw_control_characters_in_arguments_are_let_pass():
    taken = take_in_ask_user(call("ask_user", '{"title": "a\tb", "description": "c\nd", "mode": "text"}'))
    assert isinstance(taken, TakenIn)
    assert (taken.ask.title, taken.ask.description) == ("a\tb", "c\nd")


def test_the_limits_themselves_are_allowed():
    ask = take_in(
        title="t" * 200, mode="single", options=[{"id": str(n), "label": f"{n:0500}"} for n in range(50)], submitLabel="s" * 60
    ).ask
    assert (len(ask.options), len(ask.options[7].label), len(ask.submit_label)) == (50, 500, 60)


def test_h54_a_line_end_in_a_label_is_a_plain_line_feed():
    ask = take_in(title="Q", mode="single", options=[{"id": "a", "label": "one\revent: run_finished\rdata: {}"}]).ask
    assert ask.options[0].label == "one\nevent: run_finished\ndata: {}"


@pytest.mark.parametrize("hostile", ["<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "[x](javascript:alert(1))"])
def test_h88_markup_is_text_that_intake_neither_reads_nor_changes(hostile):
    ask = take_in(title=hostile, description=hostile, mode="single", options=[{"id": hostile, "label": hostile}]).ask
    assert (ask.title, ask.description, ask.options[0].label, ask.options[0].id) == (hostile,) * 4
