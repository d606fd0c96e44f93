"""Where the outcome depends on it, the user is asked; the answers alone decide what comes next."""

import pytest

from apps.agent.tools import AskRequest
from apps.interactions.tools import AskUserTool
from tests.providers.builtin.talking import card_of, options_of


async def test_the_domain_is_asked_and_complex_gives_both_roots_verified(talk):
    chat = talk()
    assert options_of(await chat.say("solve x^2+1=0")) == ["domain:real", "domain:complex"]
    turn = await chat.answer("domain:complex")
    assert not turn.calls
    assert turn.text.startswith("**Result:** `x = -i`, `x = i` (`x = ±i`)")
    assert "substituting $x = - i$ gives $0$ on the left and $0$ on the right" in turn.text
    assert "**Read as:** solve $x^{2} + 1 = 0$ for $x$" in turn.text


async def test_the_same_in_chinese(talk):
    chat = talk("zh")
    card = card_of(await chat.say("解方程 x^2+1=0"))
    assert card["title"] == "在实数还是复数范围内？"
    assert [option["label"] for option in card["options"]] == ["实数", "复数"]
    turn = await chat.answer("domain:complex")
    assert turn.text.startswith("**结果：** `x = -i`，`x = i` (`x = ±i`)")
    assert "**验证：**" in turn.text


async def test_real_numbers_give_no_solution(talk):
    chat = talk()
    await chat.say("solve x^2+1=0")
    assert (await chat.answer("domain:real")).text.startswith("**Result:** no real solution")


@pytest.mark.parametrize("text", ["x^2-5x+6=0", "x^3=0", "2x=3", "solve x^2+1=0 over the reals", "e^x=5", "|x|=2"])
async def test_the_domain_is_not_asked_where_it_makes_no_difference_or_is_given(talk, text):
    assert not (await talk().say(text)).calls


@pytest.mark.parametrize(
    ("text", "options"),
    [
        ("x^2+bx+c=0", ["unknown:b", "unknown:c", "unknown:x"]),
        ("x+y=a, x-y=b", ["unknown:a,b", "unknown:a,x", "unknown:a,y", "unknown:b,x", "unknown:b,y", "unknown:x,y"]),
        ("derivative of x^2 y", ["unknown:x", "unknown:y"]),
        ("sin 30", ["angle:degrees", "angle:radians"]),
        ("log x = 2", ["log:10", "log:e", "log:2"]),
        ("cos^-1 x = 1/2", ["inverse:inverse", "inverse:reciprocal"]),
        ("1/2x = 3", ["reading:divide-first", "reading:multiply-first"]),
        ("x^2-5x+6", ["task:solve", "task:simplify", "task:factor", "task:expand"]),
        ("solve x^2-5x+6", ["task:solve", "task:simplify", "task:factor", "task:expand"]),
        ("0.3x = 1", ["form:exact", "form:decimal"]),
        ("expand (a+bi)^2", ["i:constant", "i:symbol"]),
        ("a*e+b=0", ["e:constant", "e:symbol"]),
        ("sqrt(-4)", ["domain:real", "domain:complex"]),
    ],
)
async def test_each_ambiguity_has_stable_options(talk, text, options):
    assert options_of(await talk().say(text)) == options


@pytest.mark.parametrize(
    "text",
    [
        "log x = 0",
        "sin 0",
        "sin 30°",
        "log_2 8",
        "sin x = 1/2",
        "cos(π)",
        "derivative of e^x",
        "(1+2i)(3-i)",
        "0.5x=2",
        "1/(2x)=3",
    ],
)
async def test_what_makes_no_difference_is_not_asked(talk, text):
    assert not (await talk().say(text)).calls


async def test_the_answer_says_that_the_base_makes_no_difference(talk):
    assert "the base of log makes no difference" in (await talk().say("log x = 0")).text


async def test_several_questions_come_one_after_the_other(talk):
    chat = talk()
    assert options_of(await chat.say("1/2x^2 = -0.3"))[0] == "reading:divide-first"
    assert options_of(await chat.answer("reading:divide-first"))[0] == "domain:real"
    assert options_of(await chat.answer("domain:complex"))[0] == "form:exact"
    turn = await chat.answer("form:decimal")
    assert "`x ≈ -0.774596669241i`" in turn.text


@pytest.mark.parametrize(
    ("option", "result"), [("reading:divide-first", "`x = 6`"), ("reading:multiply-first", "`x = 1/6 ≈ 0.166666666667`")]
)
async def test_the_chosen_reading_is_solved_and_shown(talk, option, result):
    chat = talk()
    await chat.say("1/2x = 3")
    assert result in (await chat.answer(option)).text


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("text", ["x^2+1=0", "x^2+bx+c=0", "1/2x=3", "x^2-5x+6", "0.3x=1", "a bag of apples", "0.1" + "+x" * 190])
async def test_every_card_passes_intake_without_repairs(talk, text, language):
    turn = await talk(language).say(text)
    asked = AskUserTool().prepare(turn.calls[0], language)
    assert isinstance(asked, AskRequest)
    assert asked.repairs == ()


# --- words that were not understood ----------------------------------------------------------------------
async def test_unknown_words_are_asked_about_and_the_new_wording_is_solved(talk):
    chat = talk("zh")
    card = card_of(await chat.say("小明有2个苹果，又买了3个"))
    assert card["mode"] == "text"
    assert "options" not in card
    assert "`小明有`" in card["description"]
    assert (await chat.answer(text="2+3")).text.startswith("**结果：** `5`")


async def test_no_two_questions_of_a_run_read_the_same_and_after_three_it_gives_up(talk):
    chat = talk()
    cards = [card_of(await chat.say("a bag of apples"))]
    cards += [card_of(await chat.answer(text="a bag of apples")) for _ in range(2)]
    turn = await chat.answer(text="a bag of apples")
    assert len({card["description"] for card in cards}) == 3
    assert not turn.calls
    assert turn.text.startswith("I still do not understand")


async def test_a_new_wording_forgets_the_choices_of_the_old_one(talk):
    chat = talk()
    await chat.say("1/2x = apples")
    await chat.answer(text="solve 1/2x = 3")
    turn = await chat.answer("reading:divide-first")
    assert "`x = 6`" in turn.text
    assert options_of(await chat.say("1/2x = 3"))[0] == "reading:divide-first"


@pytest.mark.parametrize("text", ["Prove that sqrt(2) is irrational", "求证 x^2≥0", "三角形的面积是多少"])
async def test_what_is_out_of_reach_is_said_and_not_asked_about(talk, text):
    turn = await talk().say(text)
    assert not turn.calls
    assert turn.text.startswith("I give no result.")


# --- questions that cannot be put, or bring no answer -------------------------------------------------------
async def test_without_the_ask_tool_it_says_what_it_would_need(talk):
    chat = talk()
    chat.tools = ()
    turn = await chat.say("solve x^2+1=0")
    assert not turn.calls
    assert "Real or complex numbers?" in turn.text
    assert "Real numbers / Complex numbers" in turn.text


@pytest.mark.parametrize(
    "result",
    [
        {"status": "expired", "cancelled": False, "selections": [], "customInput": "", "answeredBy": "timeout"},
        {"status": "cancelled", "cancelled": True, "selections": [], "customInput": ""},
    ],
)
async def test_a_card_without_an_answer_chooses_nothing(talk, result):
    chat = talk()
    await chat.say("solve x^2+1=0")
    turn = await chat.close(result)
    assert not turn.calls
    assert turn.text.startswith("My question was not answered, so I have chosen nothing for you.")
    assert "±i" not in turn.text


@pytest.mark.parametrize("code", ["ASK_LIMIT", "NO_PROVIDER", "DELEGATED_CALLER", "ASK_REPEATED"])
async def test_a_refused_question_is_not_put_again(talk, code):
    chat = talk()
    await chat.say("solve x^2+1=0")
    turn = await chat.close({"status": "error", "code": code, "message": ""})
    assert not turn.calls
    assert turn.text.startswith("I need an answer before I can go on")


async def test_a_reply_in_chat_that_names_an_option_is_the_answer(talk):
    chat = talk()
    await chat.say("solve x^2+1=0")
    chat.result({"status": "cancelled", "cancelled": True, "selections": [], "customInput": "", "reason": "reply_in_chat"})
    assert "±i" in (await chat.say("Complex")).text


async def test_a_reply_in_chat_that_names_no_option_is_a_new_problem(talk):
    chat = talk()
    await chat.say("solve x^2+1=0")
    chat.result({"status": "cancelled", "cancelled": True, "selections": [], "customInput": "", "reason": "reply_in_chat"})
    assert (await chat.say("2+2")).text.startswith("**Result:** `4`")
